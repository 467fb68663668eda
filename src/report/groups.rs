//! The groups that stand for all, as a result states them.

use std::collections::BTreeSet;

use crate::result::{GroupKindReport, GroupLine, GroupsReport};
use crate::source::{GroupKind, GroupSample};

/// The most kinds of groups that a result lists.
const MOST_KINDS: usize = 16;

/// The groups that were executed for a launch of `grid` groups; `None` if the middle one alone was.
pub(super) fn groups(sample: &GroupSample, grid: [u64; 3]) -> Option<GroupsReport> {
    if sample.compared.is_empty() {
        return None;
    }
    let kinds = sample.kinds.iter().take(MOST_KINDS);
    let kind =
        |kind: &GroupKind| GroupKindReport { group: kind.group, groups: kind.groups, instructions: kind.instructions };
    let kinds: Vec<_> = kinds.map(kind).collect();
    let lines = sample.places.iter().map(|place| GroupLine { file: place.file.to_string(), line: place.line });
    let lines: BTreeSet<GroupLine> = lines.collect();
    Some(GroupsReport {
        all: grid.into_iter().fold(1, u64::saturating_mul),
        averaged: sample.averaged(),
        compared: sample.compared.clone(),
        kinds_omitted: (sample.kinds.len() - kinds.len()) as u64,
        kinds,
        lines: lines.into_iter().collect(),
    })
}
