//! The configurations of a survey, their programs and the rules that exclude them.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use typed_index_collections::TiVec;

use super::super::progress::Progress;
use crate::gpu::Limit;
use crate::index::{EntryId, ProgramId};
use crate::lowering::Infeasible;
use crate::machine::{Evaluation, Program, ProgramError};
use crate::source::RefusalRule;
use crate::spec::Configuration;

/// Every configuration of a space and its status.
#[derive(Debug, Default)]
pub struct Survey {
    /// The number of configurations in the domains.
    pub all: u128,
    /// The configurations in the space's order: all of a small space, otherwise those that no constraint excludes.
    pub entries: TiVec<EntryId, Entry>,
    /// The rules that exclude configurations, with their counts, in the order they are tried.
    pub rules: Vec<Rule>,
    /// The different programs of the feasible configurations, in the order of their first configuration.
    pub programs: TiVec<ProgramId, UniqueProgram>,
    /// Native evaluations of some promising programs, made while the others were lowered: times that are known if the
    /// work is stopped.
    pub early: Vec<(ProgramId, Evaluation)>,
    /// The work that was done when a limit cut the survey short: the entries end there. `None` if the survey is whole.
    pub cut_short: Option<Progress>,
}

/// A configuration of the survey.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The configuration's values.
    pub configuration: Configuration,
    /// The configuration's status.
    pub status: ConfigurationStatus,
    /// The limit that keeps more groups from being resident; `None` if the GPU is a lockstep GPU or the configuration
    /// is infeasible.
    pub limit: Option<Limit>,
}

impl Entry {
    /// A configuration whose program is set when it is lowered.
    pub(super) fn new(configuration: Configuration) -> Self {
        Self { configuration, status: ConfigurationStatus::Program(ProgramId::from(0)), limit: None }
    }

    /// Returns the configuration's program; `None` if the configuration is infeasible, or nothing is known of it.
    #[must_use]
    pub fn program(&self) -> Option<ProgramId> {
        match self.status {
            ConfigurationStatus::Program(program) => Some(program),
            ConfigurationStatus::Infeasible(_) | ConfigurationStatus::Unknown(_) => None,
        }
    }
}

impl Entry {
    /// The rule that refuses the configuration for what its kernel does, with place and reason in a line; `None` if it
    /// is not.
    #[must_use]
    pub fn refusal(&self) -> Option<(RefusalRule, &str)> {
        match &self.status {
            ConfigurationStatus::Infeasible(reason) => reason.refusal(),
            ConfigurationStatus::Program(_) | ConfigurationStatus::Unknown(_) => None,
        }
    }
}

/// The status of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigurationStatus {
    /// The configuration cannot run, for this reason.
    Infeasible(Arc<Infeasible>),
    /// Nothing is known of the configuration, for this reason: the analysis of its source did not finish.
    Unknown(Arc<str>),
    /// The configuration has this program of the survey.
    Program(ProgramId),
}

/// A rule that excludes configurations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ReasonReport", deny_unknown_fields)]
pub struct Rule {
    /// The text of a constraint of the spec, or the name of a limit of the GPU.
    pub rule: String,
    /// The number of excluded configurations.
    pub count: u128,
}

/// A program and the first configuration that has it.
#[derive(Debug)]
pub struct UniqueProgram {
    /// The first entry with this program.
    pub entry: EntryId,
    /// The program.
    pub program: Program,
    /// The number of work items of a group.
    pub work_group: u64,
    /// The upper bound that makes the program's time too long to compute; `None` if the time can be computed.
    pub too_long: Option<ProgramError>,
}

impl Survey {
    /// The number of infeasible configurations.
    #[must_use]
    pub fn infeasible(&self) -> u128 {
        self.rules.iter().map(|rule| rule.count).sum()
    }

    /// The unknown configurations, and the reasons, in the space's order.
    pub fn unknown(&self) -> impl Iterator<Item = (EntryId, &Arc<str>)> + Clone {
        self.entries.iter_enumerated().filter_map(|(number, entry)| match &entry.status {
            ConfigurationStatus::Unknown(reason) => Some((number, reason)),
            ConfigurationStatus::Program(_) | ConfigurationStatus::Infeasible(_) => None,
        })
    }

    /// The number of configurations of each program.
    #[must_use]
    pub fn shared(&self) -> TiVec<ProgramId, usize> {
        let mut shared = TiVec::from(vec![0; self.programs.len()]);
        for (_, program) in self.runnable() {
            shared[program] += 1;
        }
        shared
    }

    /// The feasible entries and their programs, in the space's order.
    pub fn runnable(&self) -> impl Iterator<Item = (EntryId, ProgramId)> {
        self.entries.iter_enumerated().filter_map(|(number, entry)| Some((number, entry.program()?)))
    }

    /// The reason why the only configuration cannot run, or the rules with the number that each excludes.
    #[must_use]
    pub fn why_nothing_runs(&self) -> String {
        match self.entries.raw.as_slice() {
            [only] => match &only.status {
                ConfigurationStatus::Infeasible(reason) => reason.to_string(),
                ConfigurationStatus::Unknown(reason) => reason.to_string(),
                ConfigurationStatus::Program(_) => String::new(),
            },
            _ => self.rules.iter().map(|rule| format!("{} ({})", rule.rule, rule.count)).collect::<Vec<_>>().join("; "),
        }
    }

    /// The number of configurations that are known to be feasible.
    #[must_use]
    pub fn feasible(&self) -> u128 {
        self.all - self.infeasible() - self.unknown().count() as u128
    }
}
