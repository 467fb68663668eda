//! The judgement of a configuration's counts, before and after the change.

use super::counts::{AccessCounts, KernelCounts, LineAmounts, real};
use super::finding::{ComparedCount, DifferenceFinding, DifferenceKind};
use super::pairs::{ChangedLine, differs, is_above};
use super::texts::LinePlace;
use crate::explain::inspect::MemoryKind;
use autotune_base::text::words::{amount, counted, grouped};
use autotune_lowering::gpu::Limit;

/// The counts of both kernels in one configuration.
pub(super) struct Judged<'a> {
    pub(super) old: &'a KernelCounts,
    pub(super) new: &'a KernelCounts,
    pub(super) lines: &'a [ChangedLine],
    /// The line that what concerns the whole kernel is shown at: the first changed one.
    pub(super) changed: Option<LinePlace>,
}

/// A count of the lines, and what it is for.
struct LineCount {
    count: ComparedCount,
    amount: AmountOf,
    /// The kernel's need that such a count serves, from the counts of a kernel; `None` if nothing is worth it.
    need: Option<fn(&KernelCounts) -> f64>,
    /// The words behind the number.
    unit: &'static str,
    memory: Option<MemoryKind>,
}

const LINE_COUNTS: [LineCount; 3] = [
    LineCount {
        count: ComparedCount::Sectors,
        amount: |of| of.sectors,
        need: Some(|of| of.sum(|line| line.global_bytes)),
        unit: "sector",
        memory: Some(MemoryKind::Global),
    },
    LineCount {
        count: ComparedCount::Passes,
        amount: |of| of.passes,
        need: Some(|of| of.local_bytes),
        unit: "pass",
        memory: Some(MemoryKind::Local),
    },
    LineCount { count: ComparedCount::Barriers, amount: |of| of.barriers, need: None, unit: "barrier", memory: None },
];

/// An amount of a line.
type AmountOf = fn(&LineAmounts) -> f64;

/// The kinds of instructions that are named, each with its amount.
const KINDS: [(&str, AmountOf); 5] = [
    ("fp32", |of| of.fp32),
    ("int32", |of| of.int32),
    ("fp64", |of| of.fp64),
    ("fp16", |of| of.fp16),
    ("special", |of| of.special),
];

impl Judged<'_> {
    /// All findings about counts, the worst first.
    pub(super) fn findings(&self) -> Vec<DifferenceFinding> {
        let mut findings: Vec<DifferenceFinding> = self.of_data();
        findings.extend(self.spilled());
        findings.extend(self.registers());
        findings.extend(self.local_memory());
        findings.extend(self.sizes());
        findings.extend(self.resident());
        findings.extend(self.whole(
            ComparedCount::Launches,
            [self.old.launches, self.new.launches],
            DifferenceKind::Worse,
            "launch",
        ));
        findings.extend(self.private_bytes());
        findings.extend(LINE_COUNTS.iter().flat_map(|count| self.of_lines(count)));
        findings.extend(self.instructions());
        findings.sort_by_key(|finding| finding.kind);
        findings
    }

    /// The number of new warps for each old one: counts of a warp are compared by what all warps do.
    fn scale(&self) -> f64 {
        self.new.all_warps() / self.old.all_warps().max(1.0)
    }

    fn kernel_wide(
        &self,
        kind: DifferenceKind,
        count: ComparedCount,
        [old, new]: [u64; 2],
        message: String,
    ) -> DifferenceFinding {
        let place = self.changed.clone();
        DifferenceFinding { kind, count, place, old_place: None, old: Some(real(old)), new: Some(real(new)), message }
    }

    /// The lines where one kernel depends on data and the other does not.
    fn of_data(&self) -> Vec<DifferenceFinding> {
        let of_line = |line: &ChangedLine| {
            let what = if line.branch_differs { "a branch" } else { "an address" };
            let on_data = |accesses: &[AccessCounts]| accesses.iter().any(|access| access.on_data);
            let is_new = if line.branch_differs { true } else { on_data(&line.new_accesses) };
            let message = match (line.branch_differs, is_new) {
                (true, _) => format!("{what} depends on data in one of the two kernels: counts behind it are assumed"),
                (false, true) => format!("{what} depends on data now: its sectors are assumed"),
                (false, false) => format!("{what} no longer depends on data: its sectors were assumed before"),
            };
            at_line(line, DifferenceKind::NotComparable, ComparedCount::Data, [None, None], message)
        };
        self.lines.iter().filter(|line| line.data_differs).map(of_line).collect()
    }

    /// True if the executions of lines may differ because of what is assumed of data.
    fn is_assumed(&self) -> bool {
        self.lines.iter().any(|line| line.branch_differs)
    }

    fn spilled(&self) -> Option<DifferenceFinding> {
        let words = |count: u64| if count == 0 { "none".to_owned() } else { grouped(count) };
        let counts = [self.old.spilled, self.new.spilled];
        let kind = up_or_down(counts)?;
        let [old, new] = counts.map(words);
        let message = match counts {
            [_, 0] => format!("no word of a work item spills, was {old}"),
            [_, 1] => format!("1 word of a work item spills, was {old}"),
            _ => format!("{new} words of a work item spill, was {old}"),
        };
        Some(self.kernel_wide(kind, ComparedCount::Spilled, counts, message))
    }

    fn registers(&self) -> Option<DifferenceFinding> {
        let [old, new] = [self.old.registers, self.new.registers];
        let counts = [old.value, new.value];
        let kind = if old == new {
            return None;
        } else if old.source == new.source {
            self.kind_by_residence(counts, Limit::Registers)
        } else {
            DifferenceKind::NotComparable
        };
        let message = format!("{new}, was {old}{}", self.residence(counts, Limit::Registers));
        Some(self.kernel_wide(kind, ComparedCount::Registers, counts, message))
    }

    fn local_memory(&self) -> Option<DifferenceFinding> {
        let counts = [self.old.local_memory, self.new.local_memory];
        up_or_down(counts)?;
        let kind = self.kind_by_residence(counts, Limit::LocalMemory);
        let [old, new] = counts.map(grouped);
        let residence = self.residence(counts, Limit::LocalMemory);
        let message = format!("{new} bytes of local memory of a group, was {old}{residence}");
        Some(self.kernel_wide(kind, ComparedCount::LocalMemory, counts, message))
    }

    /// A resource is worse only where it costs a resident group, and better only where it brings one.
    fn kind_by_residence(&self, [old, new]: [u64; 2], limit: Limit) -> DifferenceKind {
        let [before, after] = [self.old.resident_warps(), self.new.resident_warps()];
        if new > old && after < before && self.new.limit == Some(limit) {
            DifferenceKind::Worse
        } else if new < old && after > before && self.old.limit == Some(limit) {
            DifferenceKind::Better
        } else {
            DifferenceKind::Different
        }
    }

    /// The resident groups that a resource costs or brings, as the end of a sentence.
    fn residence(&self, [old, new]: [u64; 2], limit: Limit) -> String {
        let limits = [self.old.limit, self.new.limit];
        let groups = [self.old.resident_groups, self.new.resident_groups];
        if groups[0] == groups[1] {
            return format!("; {} resident as before", groups_are(groups[1]));
        }
        let is_cause = if new > old { limits[1] == Some(limit) } else { limits[0] == Some(limit) };
        let because = if is_cause { "" } else { " for another reason" };
        format!("; {} resident{because}, was {}", groups_are(groups[1]), grouped(groups[0]))
    }

    /// Fewer or more resident groups where neither registers nor local memory decide.
    fn resident(&self) -> Option<DifferenceFinding> {
        let counts = [self.old.resident_groups, self.new.resident_groups];
        up_or_down(counts)?;
        let is_told =
            |changes: bool, limit: Limit| changes && (self.new.limit == Some(limit) || self.old.limit == Some(limit));
        let is_told = is_told(self.old.registers != self.new.registers, Limit::Registers)
            || is_told(self.old.local_memory != self.new.local_memory, Limit::LocalMemory);
        let message = format!("{} resident, was {}", groups_are(counts[1]), grouped(counts[0]));
        let finding = || self.kernel_wide(DifferenceKind::Different, ComparedCount::ResidentGroups, counts, message);
        (!is_told).then(finding)
    }

    fn sizes(&self) -> Option<DifferenceFinding> {
        let sizes = |counts: &KernelCounts| (counts.work_group, counts.groups);
        if sizes(self.old) == sizes(self.new) {
            return None;
        }
        let words = |counts: &KernelCounts| {
            let product = |sizes: [u64; 3]| sizes.into_iter().fold(1, u64::saturating_mul);
            let (groups, items) = (product(counts.groups), product(counts.work_group));
            format!("{} of {}", counted(groups, "group"), counted(items, "work item"))
        };
        let items = |counts: &KernelCounts| counts.work_group.into_iter().fold(1, u64::saturating_mul);
        let message = format!("{}, was {}", words(self.new), words(self.old));
        let counts = [items(self.old), items(self.new)];
        Some(self.kernel_wide(DifferenceKind::Different, ComparedCount::LaunchSizes, counts, message))
    }

    fn private_bytes(&self) -> Option<DifferenceFinding> {
        let counts = [self.old.private_bytes, self.new.private_bytes];
        self.whole(ComparedCount::PrivateBytes, counts, DifferenceKind::Different, "byte").map(|finding| {
            DifferenceFinding { message: format!("{} of private arrays of a work item", finding.message), ..finding }
        })
    }

    /// A count of the whole kernel that is better if it is less.
    fn whole(
        &self,
        count: ComparedCount,
        counts: [u64; 2],
        more: DifferenceKind,
        unit: &str,
    ) -> Option<DifferenceFinding> {
        let kind = if up_or_down(counts)? == DifferenceKind::Worse { more } else { DifferenceKind::Better };
        let message = format!("{}, was {}", plural(real(counts[1]), unit), grouped(counts[0]));
        Some(self.kernel_wide(kind, count, counts, message))
    }

    /// The findings of a count that lines have, at each line whose count went the way of the whole.
    fn of_lines(&self, count: &LineCount) -> Vec<DifferenceFinding> {
        let kind = if self.is_assumed() && count.need.is_some() {
            DifferenceKind::NotComparable
        } else if let Some(kind) = self.kind_of(count) {
            kind
        } else {
            return Vec::new();
        };
        let amounts = |line: &ChangedLine| [(count.amount)(&line.old), (count.amount)(&line.new)];
        let is_of_kind = |line: &&ChangedLine| {
            let [old, new] = amounts(line);
            match kind {
                DifferenceKind::Worse => is_above(new, old),
                DifferenceKind::Better => is_above(old, new),
                _ => differs(old, new),
            }
        };
        let finding = |line: &ChangedLine| {
            let [old, new] = amounts(line);
            let details = count.memory.map_or_else(String::new, |memory| accesses(line, memory));
            let message = format!("{}, was {}{details}", plural_of_warp(new, count.unit), amount(old));
            at_line(line, kind, count.count, [Some(old), Some(new)], message)
        };
        self.lines.iter().filter(|line| !line.data_differs).filter(is_of_kind).map(finding).collect()
    }

    /// The judgement of a count over all lines that can be compared; `None` if it did not change.
    fn kind_of(&self, count: &LineCount) -> Option<DifferenceKind> {
        let comparable = || self.lines.iter().filter(|line| !line.data_differs);
        let sum = |of: fn(&ChangedLine) -> &LineAmounts| comparable().map(|line| (count.amount)(of(line))).sum();
        let (old, new): (f64, f64) = (sum(|line| &line.old), sum(|line| &line.new));
        let new = new * self.scale();
        if !differs(old, new) {
            return self.is_exchanged(count).then_some(DifferenceKind::Different);
        }
        let need = |counts: &KernelCounts| count.need.map_or(1.0, |need| need(counts));
        let (old_need, new_need) =
            (need(self.old), need(self.new) * if count.need.is_some() { self.scale() } else { 1.0 });
        // For the same need: more counts are worse, fewer are better. For more need, counts may grow with it.
        let (per_old, per_new) = (old * new_need.max(1.0), new * old_need.max(1.0));
        if new > old {
            Some(if is_above(per_new, per_old) { DifferenceKind::Worse } else { DifferenceKind::Different })
        } else {
            Some(if is_above(per_old, per_new) { DifferenceKind::Better } else { DifferenceKind::Different })
        }
    }

    /// True if a count is more in some lines and less in others, equal in effect. What only moved to another line is not.
    fn is_exchanged(&self, count: &LineCount) -> bool {
        let changed = self.lines.iter().filter(|line| differs((count.amount)(&line.old), (count.amount)(&line.new)));
        let sorted = |amounts: fn(&ChangedLine) -> &LineAmounts, accesses: fn(&ChangedLine) -> &[AccessCounts]| {
            let of_line = |line| parts(count, amounts(line), accesses(line));
            let mut parts: Vec<f64> = changed.clone().flat_map(of_line).filter(|amount| *amount > 0.0).collect();
            parts.sort_by(f64::total_cmp);
            parts
        };
        let old = sorted(|line| &line.old, |line| &line.old_accesses);
        let new = sorted(|line| &line.new, |line| &line.new_accesses);
        count.need.is_some() && (old.len() != new.len() || old.iter().zip(&new).any(|(old, new)| differs(*old, *new)))
    }

    /// The lines whose instructions changed, unless they only moved from one line to another.
    fn instructions(&self) -> Vec<DifferenceFinding> {
        let sum = |of: fn(&LineAmounts) -> f64| (self.old.sum(of), self.new.sum(of) * self.scale());
        let (old, new) = sum(|of| of.instructions);
        let is_same = |of: fn(&LineAmounts) -> f64| {
            let (old, new) = sum(of);
            !differs(old, new)
        };
        if !differs(old, new) && KINDS.iter().all(|(_, of)| is_same(*of)) {
            return Vec::new();
        }
        let kind = match (self.is_assumed(), old > new && differs(old, new)) {
            (true, _) => DifferenceKind::NotComparable,
            (false, true) => DifferenceKind::Better,
            (false, false) => DifferenceKind::Different,
        };
        let changes = |line: &&ChangedLine| {
            let (old, new) = (line.old.instructions, line.new.instructions);
            match kind {
                DifferenceKind::Better => is_above(old, new),
                _ => differs(old, new) || KINDS.iter().any(|(_, of)| differs(of(&line.old), of(&line.new))),
            }
        };
        let finding = |line: &ChangedLine| {
            let (old, new) = (line.old.instructions, line.new.instructions);
            let from = line.old_place.as_ref().filter(|_| line.moved);
            let moved = from.map_or_else(String::new, |from| format!(" in line {}, whose work is here now", from.line));
            let message = format!("{}, was {}{moved}{}", plural_of_warp(new, "instruction"), amount(old), kinds(line));
            at_line(line, kind, ComparedCount::Instructions, [Some(old), Some(new)], message)
        };
        self.lines.iter().filter(changes).map(finding).collect()
    }
}

/// The amounts of a line's accesses, or the line's own amount where accesses are not known.
fn parts(count: &LineCount, amounts: &LineAmounts, accesses: &[AccessCounts]) -> Vec<f64> {
    let of_memory = accesses.iter().filter(|access| Some(access.memory) == count.memory);
    let each = |access: &AccessCounts| Some(access.sectors.or(access.passes)? * access.executions);
    let parts: Vec<f64> = of_memory.filter_map(each).collect();
    if parts.is_empty() { vec![(count.amount)(amounts)] } else { parts }
}

/// The judgement of a count that is worse if it is more; `None` if it did not change.
fn up_or_down([old, new]: [u64; 2]) -> Option<DifferenceKind> {
    match new.cmp(&old) {
        std::cmp::Ordering::Less => Some(DifferenceKind::Better),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(DifferenceKind::Worse),
    }
}

fn at_line(
    line: &ChangedLine,
    kind: DifferenceKind,
    count: ComparedCount,
    [old, new]: [Option<f64>; 2],
    message: String,
) -> DifferenceFinding {
    let place = line.place.clone();
    let number = |place: &Option<LinePlace>| place.as_ref().map(|place| (place.line, place.text.clone()));
    let is_other = line.removed || number(&line.old_place) != number(&place);
    let old_place = line.old_place.clone().filter(|_| is_other);
    DifferenceFinding { kind, count, place, old_place, old, new, message }
}

/// The kinds of instructions that changed, in parentheses; empty if none did.
fn kinds(line: &ChangedLine) -> String {
    let of_kind = |(name, of): &(&str, AmountOf)| {
        let (old, new) = (of(&line.old), of(&line.new));
        let more = if new > old { "more" } else { "less" };
        differs(old, new).then(|| format!("{} {name} {more}", amount((new - old).abs())))
    };
    in_parentheses(&KINDS.iter().filter_map(of_kind).collect::<Vec<_>>())
}

/// The accesses of a memory that changed, in parentheses; empty if none is known.
fn accesses(line: &ChangedLine, memory: MemoryKind) -> String {
    let of_memory = |access: &&AccessCounts| access.memory == memory;
    let is_known = |access: &AccessCounts| line.old_accesses.contains(access);
    let old: Vec<&AccessCounts> =
        line.old_accesses.iter().filter(of_memory).filter(|access| !line.new_accesses.contains(access)).collect();
    let new = line.new_accesses.iter().filter(of_memory).filter(|access| !is_known(access));
    let of_access = |access: &AccessCounts| {
        let alike = |other: &&&AccessCounts| other.access == access.access && other.array == access.array;
        let before = old.iter().find(alike).or_else(|| old.iter().find(|other| other.access == access.access));
        let each = |of: &AccessCounts| of.sectors.or(of.passes);
        let array = access.array.as_ref().map_or_else(String::new, |array| format!(" of {array}"));
        let before =
            before.and_then(|before| each(before)).map_or_else(String::new, |each| format!(", was {}", amount(each)));
        let number = each(access)?;
        let unit = if access.sectors.is_some() { "sector" } else { "pass" };
        Some(format!("{}{array}: {} each{before}", access.access.name(), plural(number, unit)))
    };
    in_parentheses(&new.filter_map(of_access).collect::<Vec<_>>())
}

fn in_parentheses(parts: &[String]) -> String {
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join("; ")) }
}

fn groups_are(groups: u64) -> String {
    if groups == 1 { "1 group is".to_owned() } else { format!("{} groups are", grouped(groups)) }
}

fn plural_of_warp(number: f64, unit: &str) -> String {
    format!("{} per warp", plural(number, unit))
}

fn plural(number: f64, unit: &str) -> String {
    let number = amount(number);
    match (number.as_str(), unit) {
        ("1", _) => format!("1 {unit}"),
        (_, "pass" | "launch") => format!("{number} {unit}es"),
        _ => format!("{number} {unit}s"),
    }
}
