//! The groups of a launch that stand for all.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use autotune_base::text::words::{counted, grouped};
use autotune_kernel::source::{GroupKind, GroupSample};

/// The most kinds of groups that are listed.
const MOST_KINDS: usize = 16;

/// The groups that were executed beside the middle one, because the ids of the group decide what it executes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schemas", schemars(rename = "GroupsReport"))]
pub struct ExecutedGroups {
    /// The number of groups of the launch.
    pub all: u64,
    /// The number of groups that the work is the mean of; 0 if the middle one stands for all.
    pub averaged: u64,
    /// The ids of the groups that were compared with the middle one, along x, y and z.
    pub compared: Vec<[u64; 3]>,
    /// The most frequent kinds of groups of the mean.
    pub kinds: Vec<GroupKind>,
    /// The number of kinds that are not listed.
    pub kinds_omitted: u64,
    /// The lines where the ids of the group decide.
    pub lines: Vec<GroupLine>,
}

/// A line where the ids of the group decide.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GroupLine {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
}

impl ExecutedGroups {
    /// The groups that were executed for a launch of `grid` groups; `None` if the middle one alone was.
    pub(super) fn new(sample: &GroupSample, grid: [u64; 3]) -> Option<Self> {
        if sample.compared.is_empty() {
            return None;
        }
        let kinds: Vec<GroupKind> = sample.kinds.iter().take(MOST_KINDS).copied().collect();
        let lines = sample.places.iter().map(|place| GroupLine { file: place.file.to_string(), line: place.line });
        let lines: BTreeSet<GroupLine> = lines.collect();
        Some(Self {
            all: grid.into_iter().fold(1, u64::saturating_mul),
            averaged: sample.averaged(),
            compared: sample.compared.clone(),
            kinds_omitted: (sample.kinds.len() - kinds.len()) as u64,
            kinds,
            lines: lines.into_iter().collect(),
        })
    }

    /// Returns the number of groups of the mean and of their kinds in words.
    #[must_use]
    pub fn mean_in_words(&self) -> String {
        let kinds = self.kinds.len() as u64 + self.kinds_omitted;
        format!("{} of {} groups, of {}", grouped(self.averaged), grouped(self.all), counted(kinds, "kind"))
    }

    /// Returns the lines where the ids decide, as the end of a sentence; empty if none is known.
    #[must_use]
    pub fn lines_in_words(&self) -> String {
        let lines: Vec<String> = self.lines.iter().map(|line| line.line.to_string()).collect();
        match &lines[..] {
            [] => String::new(),
            [line] => format!(": their ids decide at line {line}"),
            [lines @ .., last] => format!(": their ids decide at lines {} and {last}", lines.join(", ")),
        }
    }
}
