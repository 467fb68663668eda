//! The lines of both kernels with their counts, side by side.

use std::collections::BTreeMap;

use serde::Serialize;

use super::counts::{AccessCounts, KernelCounts, LineAmounts, LineCounts};
use super::texts::{ComparedTexts, LinePlace};
use autotune_base::text::SourceLine;

/// The greatest part of a count that rounding may have made.
const ROUNDING: f64 = 1e-9;

/// A line of the kernel before and after the change.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct ChangedLine {
    /// The line of the new text; of a removed line the nearest one before that is still there. Null for what comes from no
    /// line.
    pub place: Option<LinePlace>,
    /// The line of the old text; null for an added line.
    pub old_place: Option<LinePlace>,
    /// True if the old line was removed.
    pub removed: bool,
    /// The amounts of the old kernel.
    pub old: LineAmounts,
    /// The amounts of the new kernel.
    pub new: LineAmounts,
    /// The accesses of the old line.
    pub old_accesses: Vec<AccessCounts>,
    /// The accesses of the new line.
    pub new_accesses: Vec<AccessCounts>,
    /// True if an address or a branch of the line depends on data in one of the two kernels and not in the other.
    pub data_differs: bool,
    /// True if a branch of the line depends on data in one of the two kernels and not in the other.
    #[serde(skip)]
    pub(super) branch_differs: bool,
    /// True if the work of a removed line is done by a line that the old text does not have.
    #[serde(skip)]
    pub(super) moved: bool,
}

impl ChangedLine {
    /// True if a count differs.
    pub(super) fn differs(&self) -> bool {
        self.data_differs || LineAmounts::ALL.iter().any(|amount| differs(amount(&self.old), amount(&self.new)))
    }
}

impl LineAmounts {
    /// The functions that return each amount.
    pub(super) const ALL: [fn(&Self) -> f64; 10] = [
        |of| of.instructions,
        |of| of.fp32,
        |of| of.int32,
        |of| of.fp64,
        |of| of.fp16,
        |of| of.special,
        |of| of.sectors,
        |of| of.global_bytes,
        |of| of.passes,
        |of| of.barriers,
    ];
}

impl LineAmounts {
    /// True if a line does the work of another one: all but the instructions that lead to it.
    fn does_as(&self, other: &Self) -> bool {
        let work: [fn(&Self) -> f64; 8] = [
            |of| of.fp32,
            |of| of.fp64,
            |of| of.fp16,
            |of| of.special,
            |of| of.sectors,
            |of| of.global_bytes,
            |of| of.passes,
            |of| of.barriers,
        ];
        work.iter().any(|of| of(other) > 0.0) && work.iter().all(|of| !differs(of(self), of(other)))
    }
}

/// True if two counts are not the same but for rounding.
pub(super) fn differs(one: f64, other: f64) -> bool {
    (one - other).abs() > ROUNDING * one.abs().max(other.abs())
}

/// True if a count is above another one, and not by rounding.
pub(super) fn is_above(one: f64, other: f64) -> bool {
    one > other && differs(one, other)
}

/// All lines that one of the kernels executes, in the order of the new text. Removed lines follow the line before them.
pub(super) fn lines(old: &KernelCounts, new: &KernelCounts, texts: &ComparedTexts) -> Vec<ChangedLine> {
    let by_line = |counts: &KernelCounts| -> BTreeMap<SourceLine, LineCounts> {
        counts.lines.iter().map(|line| (line.source_line(), line.clone())).collect()
    };
    let mut open = by_line(old);
    let mut lines: Vec<((SourceLine, bool), ChangedLine)> = Vec::new();
    for (at, counts) in by_line(new) {
        let from = texts.old_of(at).or((at.line == 0).then_some(at));
        let before = from.and_then(|from| open.remove(&from));
        lines.push(((at, false), line(texts, (from, before.as_ref()), (Some(at), Some(&counts)))));
    }
    for (from, counts) in open {
        let is_same = |line: &ChangedLine| line.old_place.is_none() && line.new.does_as(&counts.amounts);
        let gained = lines.iter_mut().find(|((_, is_removed), line)| !is_removed && is_same(line));
        if let Some(((at, _), gained)) = gained.filter(|_| texts.new_of(from).is_none()) {
            let new = LineCounts { accesses: gained.new_accesses.clone(), amounts: gained.new, ..counts.clone() };
            *gained = ChangedLine {
                moved: true,
                data_differs: gained.data_differs != counts.is_on_data(),
                branch_differs: gained.branch_differs != counts.branches_on_data,
                ..line(texts, (Some(from), Some(&counts)), (Some(*at), Some(&new)))
            };
            continue;
        }
        let at = texts.new_of(from);
        let near = at.or_else(|| texts.near_new(from)).unwrap_or(from);
        lines.push(((near, true), line(texts, (Some(from), Some(&counts)), (at, None))));
    }
    lines.sort_by_key(|(at, _)| *at);
    lines.into_iter().map(|(_, line)| line).collect()
}

type Known<'a> = (Option<SourceLine>, Option<&'a LineCounts>);

fn line(texts: &ComparedTexts, (from, old): Known<'_>, (at, new): Known<'_>) -> ChangedLine {
    let amounts = |counts: Option<&LineCounts>| counts.map_or_else(LineAmounts::default, |counts| counts.amounts);
    let accesses = |counts: Option<&LineCounts>| counts.map_or_else(Vec::new, |counts| counts.accesses.clone());
    let near = at.or_else(|| from.and_then(|from| texts.near_new(from)));
    let on_data = |counts: Option<&LineCounts>| counts.is_some_and(LineCounts::is_on_data);
    let branches = |counts: Option<&LineCounts>| counts.is_some_and(|counts| counts.branches_on_data);
    ChangedLine {
        place: near.and_then(|at| texts.new.place(at)),
        old_place: from.and_then(|from| texts.old.place(from)),
        removed: at.is_none() && from.is_some_and(|from| from.line > 0),
        old: amounts(old),
        new: amounts(new),
        old_accesses: accesses(old),
        new_accesses: accesses(new),
        data_differs: on_data(old) != on_data(new),
        branch_differs: branches(old) != branches(new),
        moved: false,
    }
}
