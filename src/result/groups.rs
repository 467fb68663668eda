//! The groups of a launch that stand for all.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::words::{counted, grouped};

/// The groups that were executed beside the middle one, because the ids of the group decide what it executes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupsReport {
    /// The number of groups of the launch.
    pub all: u64,
    /// The number of groups over which the work is the mean; 0 if the middle one stands for all.
    pub averaged: u64,
    /// The ids of the groups that were compared with the middle one, along x, y and z.
    pub compared: Vec<[u64; 3]>,
    /// The most frequent kinds of groups of the mean.
    pub kinds: Vec<GroupKindReport>,
    /// The number of kinds that are not listed.
    pub kinds_omitted: u64,
    /// The lines at which the ids of the group decide.
    pub lines: Vec<GroupLine>,
}

/// Groups that execute the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupKindReport {
    /// The ids of one of them along x, y and z.
    pub group: [u64; 3],
    /// The number of them that were executed.
    pub groups: u64,
    /// The instructions that the work items of one of them execute.
    pub instructions: u64,
}

/// A line at which the ids of the group decide.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GroupLine {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: u32,
}

impl GroupsReport {
    /// Returns the number of groups of the mean and of their kinds in words.
    #[must_use]
    pub fn mean_in_words(&self) -> String {
        let kinds = self.kinds.len() as u64 + self.kinds_omitted;
        format!("{} of {} groups, of {}", grouped(self.averaged), grouped(self.all), counted(kinds, "kind"))
    }

    /// Returns the lines at which the ids decide, as the end of a sentence; empty if none is known.
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
