//! The configurations of a survey, their programs and the rules that exclude them.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};
use typed_index_collections::TiVec;

use super::super::progress::Progress;
use super::programs::Programs;
use crate::gpu::Limit;
use crate::lowering::Infeasible;
use crate::models::predict::LeftOut;
use crate::spec::Configuration;
use autotune_base::index::{EntryId, ProgramId};
use autotune_kernel::source::RefusalRule;
use autotune_machine::machine::Evaluation;

/// Every configuration of a space and its status.
#[derive(Debug, Default)]
pub struct Survey {
    /// The number of configurations in the domains.
    pub all: u128,
    /// The configurations in the space's order: all of a small space, otherwise those that no constraint excludes.
    pub entries: Entries,
    /// The rules that exclude configurations, with their counts, in the order they are tried.
    pub rules: Vec<Rule>,
    /// The different programs of the feasible configurations, in the order of their first configuration.
    pub programs: Programs,
    /// Native evaluations of some promising programs, made while the others were lowered: times that are known if the
    /// work is stopped.
    pub early: Vec<(ProgramId, Evaluation)>,
    /// The work that was done when a limit cut the survey short: the entries end there. `None` if the survey is whole.
    pub cut_short: Option<Progress>,
    /// The configurations that can run, and whose groups at the edges of the launch were not executed though they may do what
    /// no executed group does.
    pub open_edges: BTreeSet<EntryId>,
    /// The terms of the wave model that a configuration needs but the profile lacks.
    pub waves_lack: BTreeSet<LeftOut>,
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
    /// The wave model's time in microseconds; `None` if the model lacks a term for what the configuration does, or the
    /// configuration is infeasible.
    pub waves: Option<f64>,
}

impl Entry {
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "ReasonReport", deny_unknown_fields))]
pub struct Rule {
    /// The text of a constraint of the spec, or the name of a limit of the GPU.
    pub rule: String,
    /// The number of excluded configurations.
    pub count: u128,
}

/// The configurations of a survey, packed: a large space has millions.
#[derive(Debug, Default)]
pub struct Entries {
    /// The number of parameters.
    width: usize,
    /// The values of all configurations, one configuration after the other.
    values: Vec<i64>,
    packed: Vec<Packed>,
    /// The reasons for infeasible configurations, each once.
    infeasible: IndexSet<Arc<Infeasible>>,
    /// The reasons for unknown configurations.
    unknown: Vec<Arc<str>>,
}

/// The status and the limit of a configuration.
#[derive(Debug, Clone, Copy)]
struct Packed {
    status: PackedStatus,
    limit: Option<Limit>,
    waves: Option<f64>,
}

/// A status by its index.
#[derive(Debug, Clone, Copy)]
enum PackedStatus {
    Infeasible(u32),
    Unknown(u32),
    Program(u32),
}

impl Entries {
    /// No entries, of configurations of this many parameters.
    pub(super) fn of_width(width: usize) -> Self {
        Self { width, ..Self::default() }
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.packed.len()
    }

    /// True if there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.packed.is_empty()
    }

    /// An entry.
    ///
    /// # Panics
    /// If there is no such entry.
    #[must_use]
    pub fn get(&self, entry: EntryId) -> Entry {
        let Packed { status, limit, waves } = self.packed[usize::from(entry)];
        let status = match status {
            PackedStatus::Infeasible(reason) => {
                ConfigurationStatus::Infeasible(Arc::clone(&self.infeasible[reason as usize]))
            }
            PackedStatus::Unknown(reason) => ConfigurationStatus::Unknown(Arc::clone(&self.unknown[reason as usize])),
            PackedStatus::Program(program) => ConfigurationStatus::Program((program as usize).into()),
        };
        Entry { configuration: Configuration(self.values(entry).to_vec()), status, limit, waves }
    }

    /// The wave model's time of an entry in microseconds; `None` if the model lacks a term for what the entry does, or the
    /// entry is infeasible.
    #[must_use]
    pub fn waves(&self, entry: EntryId) -> Option<f64> {
        self.packed[usize::from(entry)].waves
    }

    /// The values of an entry's configuration.
    #[must_use]
    pub fn values(&self, entry: EntryId) -> &[i64] {
        &self.values[usize::from(entry) * self.width..][..self.width]
    }

    /// The program of an entry; `None` if the entry is infeasible, or nothing is known of it.
    #[must_use]
    pub fn program(&self, entry: EntryId) -> Option<ProgramId> {
        match self.packed[usize::from(entry)].status {
            PackedStatus::Program(program) => Some((program as usize).into()),
            PackedStatus::Infeasible(_) | PackedStatus::Unknown(_) => None,
        }
    }

    /// The indices of all entries.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = EntryId> + use<> {
        (0..self.len()).map(EntryId::from)
    }

    /// All entries.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Entry> {
        self.keys().map(|entry| self.get(entry))
    }

    /// Adds an entry whose program is set when it is lowered.
    pub(super) fn push(&mut self, values: &[i64]) -> EntryId {
        self.values.extend(values);
        self.packed.push(Packed { status: PackedStatus::Program(0), limit: None, waves: None });
        EntryId::from(self.len() - 1)
    }

    /// Sets the status of an entry.
    pub(crate) fn set_status(&mut self, entry: EntryId, status: ConfigurationStatus) {
        self.packed[usize::from(entry)].status = match status {
            ConfigurationStatus::Infeasible(reason) => {
                PackedStatus::Infeasible(index(self.infeasible.insert_full(reason).0))
            }
            ConfigurationStatus::Unknown(reason) => {
                self.unknown.push(reason);
                PackedStatus::Unknown(index(self.unknown.len() - 1))
            }
            ConfigurationStatus::Program(program) => PackedStatus::Program(index(program.into())),
        };
    }

    /// Sets the limit of an entry, and its time by the wave model in microseconds.
    pub(super) fn set_load(&mut self, entry: EntryId, limit: Option<Limit>, waves: Option<f64>) {
        let packed = &mut self.packed[usize::from(entry)];
        (packed.limit, packed.waves) = (limit, waves);
    }

    /// Removes an entry and those behind it.
    pub(super) fn cut_before(&mut self, entry: EntryId) {
        self.packed.truncate(entry.into());
        self.values.truncate(usize::from(entry) * self.width);
    }
}

/// Packs entries whose configurations have equally many values.
impl FromIterator<Entry> for Entries {
    fn from_iter<I: IntoIterator<Item = Entry>>(all: I) -> Self {
        let mut entries = Self::default();
        for Entry { configuration: Configuration(values), status, limit, waves } in all {
            entries.width = values.len();
            let entry = entries.push(&values);
            entries.set_status(entry, status);
            entries.set_load(entry, limit, waves);
        }
        entries
    }
}

/// An index of an entry, a program or a reason, of which a survey has fewer than 2^32.
fn index(place: usize) -> u32 {
    u32::try_from(place).expect("a survey has at most 4,000,000 entries")
}

impl Survey {
    /// The number of infeasible configurations.
    #[must_use]
    pub fn infeasible(&self) -> u128 {
        self.rules.iter().map(|rule| rule.count).sum()
    }

    /// The unknown configurations, and the reasons, in the space's order.
    pub fn unknown(&self) -> impl Iterator<Item = (EntryId, &Arc<str>)> + Clone {
        let Entries { packed, unknown, .. } = &self.entries;
        packed.iter().enumerate().filter_map(|(number, packed)| match packed.status {
            PackedStatus::Unknown(reason) => Some((number.into(), &unknown[reason as usize])),
            PackedStatus::Program(_) | PackedStatus::Infeasible(_) => None,
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
        self.entries.keys().filter_map(|entry| Some((entry, self.entries.program(entry)?)))
    }

    /// The reason why the only configuration cannot run, or the rules with the number that each excludes.
    #[must_use]
    pub fn why_nothing_runs(&self) -> String {
        match self.entries.len() {
            1 => match self.entries.get(EntryId::from(0)).status {
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
