//! The words for what a line of a kernel's source executes, as text and page show them.

use crate::result::{ChosenBy, InspectionReport};
use autotune_base::text::words::{amount, counted, grouped};
use autotune_engine::check::InspectionWarning;
use autotune_engine::explain::ExecutedGroups;
use autotune_engine::explain::inspect::{AccessNote, AccessVerb, InspectedBounds, InspectedLine};
use autotune_kernel::source::GroupKind;

/// The least proportion of sectors or passes to the fewest that makes an access bad.
const BAD: f64 = 4.0;
/// The greatest proportion of sectors or passes to the fewest that makes an access good.
const GOOD: f64 = 1.25;

/// The most groups, or kinds of groups, that are named.
const SHOWN_GROUPS: usize = 6;

/// The judgement of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Good,
    Fair,
    Bad,
}

/// The judgement of an access by its sectors or passes.
pub(super) fn tone(access: &AccessNote) -> Tone {
    match access.excess() {
        excess if excess >= BAD => Tone::Bad,
        excess if excess > GOOD || access.on_data => Tone::Fair,
        _ => Tone::Good,
    }
}

/// The words of each inspection's second line.
pub(super) const NUMBERS: &str = "numbers are of a warp, as the mean over";

/// The configuration's origin and the group that is shown.
pub(super) fn subtitle(report: &InspectionReport) -> String {
    let chosen = match report.chosen {
        ChosenBy::Name => "the requested configuration",
        ChosenBy::Fastest => "the fastest configuration by the native evaluator",
        ChosenBy::First => "the first configuration that can run; name another with --config",
    };
    let over = match report.groups.as_ref().filter(|groups| groups.averaged > 0) {
        Some(groups) => groups.mean_in_words(),
        None => format!("group {}", ids(report.launch.group)),
    };
    format!("{chosen}; {NUMBERS} {over}")
}

fn ids([x, y, z]: [u64; 3]) -> String {
    format!("{x},{y},{z}")
}

/// The groups that were executed beside the middle one.
fn executed(report: &InspectionReport, groups: &ExecutedGroups) -> String {
    let lines = groups.lines_in_words();
    let (names, all): (Vec<String>, usize) = if groups.averaged > 0 {
        let one = |kind: &GroupKind| format!("{} like {}", grouped(kind.groups), ids(kind.group));
        (groups.kinds.iter().map(one).collect(), groups.kinds.len() + omitted(groups))
    } else {
        let middle = std::iter::once(report.launch.group);
        (middle.chain(groups.compared.iter().copied()).map(ids).collect(), groups.compared.len() + 1)
    };
    let shown = names.iter().take(SHOWN_GROUPS).cloned().collect::<Vec<_>>().join("; ");
    let more = if all > SHOWN_GROUPS { format!(" and {} more", all - SHOWN_GROUPS) } else { String::new() };
    match groups.averaged {
        0 => format!("groups {shown}{more}, which do the same{lines}"),
        averaged => format!("{} groups, {shown}{more}{lines}", grouped(averaged)),
    }
}

fn omitted(groups: &ExecutedGroups) -> usize {
    usize::try_from(groups.kinds_omitted).unwrap_or(usize::MAX)
}

/// Launch and resources: names and values.
pub(super) fn resources(report: &InspectionReport) -> Vec<(&'static str, String)> {
    let (launch, resources) = (&report.launch, &report.resources);
    let registers = resources.registers_from.shown(resources.registers, "");
    let spilled = match resources.spilled {
        0 => "none spills".to_owned(),
        spilled if resources.registers_from.is_assigned() => format!("{} spilled", counted(spilled, "word")),
        spilled => format!("{spilled} of them spill"),
    };
    let private = match resources.private_bytes {
        0 => String::new(),
        private => format!("; {} of private arrays", bytes(private)),
    };
    let bounds = launch.bounds.map(|bounds| ("bounds", allowed(bounds)));
    let mut lines = vec![
        ("kernel", report.function.clone()),
        (
            "group",
            format!(
                "{} work items, {} of {}",
                sizes(launch.work_group),
                counted(launch.warps, "warp"),
                launch.warp_size
            ),
        ),
        ("groups", sizes(launch.groups)),
        ("registers", format!("{registers}, {spilled}{private}")),
        ("local", format!("{} of local memory", bytes(resources.local_memory))),
    ];
    let executed = report.groups.as_ref().map(|groups| ("executed", executed(report, groups)));
    lines.splice(3..3, executed);
    lines.splice(2..2, bounds);
    lines
}

/// The sizes of a launch or a group along the axes that it has: `32 x 8`.
fn sizes(sizes: [u64; 3]) -> String {
    let used = 3 - sizes.iter().rev().take_while(|size| **size == 1).count().min(2);
    sizes.iter().take(used).map(|size| grouped(*size)).collect::<Vec<_>>().join(" x ")
}

/// The launches that a kernel is compiled for.
fn allowed(bounds: InspectedBounds) -> String {
    let InspectedBounds { required, most_work_items, least_groups } = bounds;
    let items = match (required, most_work_items) {
        (Some(required), _) => Some(format!("groups of {} work items", sizes(required))),
        (None, Some(most)) => Some(format!("groups of at most {}", counted(most, "work item"))),
        (None, None) => None,
    };
    let groups = least_groups.map(|least| format!("at least {} on a multiprocessor", counted(least, "group")));
    format!("compiled for {}", items.into_iter().chain(groups).collect::<Vec<_>>().join(", "))
}

/// The totals of a line: empty if nothing of it is executed.
pub(super) fn line_totals(line: &InspectedLine) -> String {
    let part = |count: f64, name: &str| (count > 0.0).then(|| format!("{} {name}", amount(count)));
    let noun = |count: f64, name: &str| (count > 0.0).then(|| plural(count, name));
    let parts = [
        noun(line.instructions, "instruction"),
        part(line.fp32, "fp32"),
        noun(line.loads, "load"),
        noun(line.stores, "store"),
        part(line.local, "local"),
        noun(line.copies, "copy"),
        part(line.matrix, "matrix"),
        noun(line.waits, "wait"),
        noun(line.barriers, "barrier"),
        line.branches_on_data.then(|| "branches on data".to_owned()),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// An access in words.
pub(super) fn note(access: &AccessNote) -> String {
    let name = access.array.as_ref().map_or(String::new(), |array| format!(" {array}"));
    let width = match access.elements {
        0 | 1 => bytes(access.bytes),
        elements => format!("{elements} x {}", bytes(access.bytes / elements)),
    };
    let stride = match access.lane_stride {
        _ if access.access == AccessVerb::Shuffle => String::new(),
        _ if access.on_data => ", its address depends on data".to_owned(),
        Some(0) => ", one address for all lanes".to_owned(),
        Some(apart) => format!(", lanes {} apart", distance(apart)),
        None => ", lanes unevenly apart".to_owned(),
    };
    let mut parts = vec![format!("{}{name}, {}: {width}{stride}", access.access.name(), access.memory.name())];
    if let Some((sectors, least)) = access.sectors.zip(access.least_sectors) {
        parts.push(format!("{} ({} at least)", plural(sectors, "sector"), amount(least)));
    }
    if let Some((passes, least)) = access.passes.zip(access.least_passes) {
        parts.push(format!("{} ({} at least)", plural(passes, "pass"), amount(least)));
    }
    parts.push(match amount(access.executions).as_str() {
        "1" => "once".to_owned(),
        times => format!("{times} times"),
    });
    let classes = access.classes.as_ref().map(|classes| {
        let names: Vec<&str> = classes.iter().map(|class| class.name()).collect();
        if names.is_empty() { "no class".to_owned() } else { names.join(", ") }
    });
    [Some(parts.join(", ")), classes].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn distance(distance: i64) -> String {
    let sign = if distance < 0 { "-" } else { "" };
    format!("{sign}{}", bytes(distance.unsigned_abs()))
}

/// A warning with its place, in words.
pub(super) fn warning(warning: &InspectionWarning) -> String {
    format!("{}:{}: {}", warning.file, warning.line, warning.message)
}

/// A number of bytes.
fn bytes(number: u64) -> String {
    format!("{} byte{}", grouped(number), if number == 1 { "" } else { "s" })
}

fn plural(count: f64, noun: &str) -> String {
    let noun = match (amount(count).as_str(), noun.strip_suffix('y')) {
        ("1", _) => noun.to_owned(),
        (_, Some(stem)) => format!("{stem}ies"),
        (_, None) if noun.ends_with('s') => format!("{noun}es"),
        _ => format!("{noun}s"),
    };
    format!("{} {noun}", amount(count))
}
