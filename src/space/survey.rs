//! The survey of a space: every configuration lowered, and equal programs joined.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use indexmap::IndexMap;
use rayon::prelude::*;
use typed_index_collections::TiVec;

use super::enumerate::{LISTED, MOST_CONFIGURATIONS, Space, Visit};
use super::error::SpaceError;
use crate::gpu::{Limit, Profile};
use crate::index::{EntryId, ProgramId};
use crate::limits::Limits;
use crate::lowering::{Feasibility, Infeasible, Lowered, Lowering};
use crate::machine::{Program, ProgramError};
use crate::spec::{Configuration, Spec};

/// The number of configurations that are lowered before equal programs among them are joined.
const BATCH: usize = 1 << 15;

/// Every configuration of a space and its status.
#[derive(Debug, Default)]
pub struct Survey {
    /// The number of configurations in the domains.
    pub all: u128,
    /// The configurations in the space's order: all of a small space, otherwise those that no constraint excludes.
    pub entries: TiVec<EntryId, Entry>,
    /// The rules that exclude configurations, with their counts, in the order in which they are tried.
    pub rules: Vec<Rule>,
    /// The different programs of the feasible configurations, in the order of their first configuration.
    pub programs: TiVec<ProgramId, UniqueProgram>,
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
    fn new(configuration: Configuration) -> Self {
        Self { configuration, status: ConfigurationStatus::Program(ProgramId::from(0)), limit: None }
    }

    /// Returns the configuration's program; `None` if the configuration is infeasible.
    #[must_use]
    pub fn program(&self) -> Option<ProgramId> {
        match self.status {
            ConfigurationStatus::Program(program) => Some(program),
            ConfigurationStatus::Infeasible(_) => None,
        }
    }
}

/// The status of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigurationStatus {
    /// The configuration cannot run, for this reason.
    Infeasible(Arc<Infeasible>),
    /// The configuration has this program of the survey.
    Program(ProgramId),
}

/// A rule that makes configurations infeasible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The text of the spec's constraint, or the name of the GPU's limit.
    pub rule: String,
    /// The number of configurations that the rule excludes.
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

    /// The reason for which the only configuration cannot run, or the rules with the number that each excludes.
    #[must_use]
    pub fn why_nothing_runs(&self) -> String {
        match self.entries.raw.as_slice() {
            [only] => match &only.status {
                ConfigurationStatus::Infeasible(reason) => reason.to_string(),
                ConfigurationStatus::Program(_) => String::new(),
            },
            _ => self.rules.iter().map(|rule| format!("{} ({})", rule.rule, rule.count)).collect::<Vec<_>>().join("; "),
        }
    }

    /// The number of feasible configurations.
    #[must_use]
    pub fn feasible(&self) -> u128 {
        self.all - self.infeasible()
    }
}

/// Lowers every configuration, or only the one that is named; `None` if a limit was reached first.
///
/// # Errors
/// If a configuration cannot be lowered: the error names the first in the space's order. Or if the space is too large.
pub fn survey(
    spec: &Spec,
    profile: &Profile,
    only: Option<&Configuration>,
    limits: &Limits,
) -> Result<Option<Survey>, SpaceError> {
    let lowering = Lowering::new(spec, profile);
    let mut builder = match only {
        Some(configuration) => Builder::of_one(spec, configuration),
        None => match Builder::of_all(spec, &Space::new(spec, lowering.names())?, limits)? {
            Some(builder) => builder,
            None => return Ok(None),
        },
    };
    Ok(builder.lower(&lowering, limits)?.then(|| builder.finish()))
}

/// A survey under construction.
struct Builder<'a> {
    spec: &'a Spec,
    all: u128,
    entries: TiVec<EntryId, Entry>,
    /// The entries that no constraint excludes.
    allowed: Vec<EntryId>,
    excluded: Vec<u128>,
    limits: Vec<Rule>,
    /// The reasons for infeasible configurations, each once.
    reasons: HashSet<Arc<Infeasible>>,
    distinct: IndexMap<Program, First>,
}

/// The first configuration that has a program.
struct First {
    entry: EntryId,
    work_group: u64,
}

impl<'a> Builder<'a> {
    fn new(spec: &'a Spec, all: u128) -> Self {
        let excluded = vec![0; spec.constraints.len()];
        Self {
            spec,
            all,
            entries: TiVec::new(),
            allowed: Vec::new(),
            excluded,
            limits: Vec::new(),
            reasons: HashSet::new(),
            distinct: IndexMap::new(),
        }
    }

    /// A survey of one configuration. If a constraint excludes it, lowering refuses it.
    fn of_one(spec: &'a Spec, configuration: &Configuration) -> Self {
        let mut builder = Self::new(spec, 1);
        builder.allowed.push(builder.entries.push_and_get_key(Entry::new(configuration.clone())));
        builder
    }

    /// A survey of the whole space; `None` if a limit was reached first.
    fn of_all(spec: &'a Spec, space: &Space, limits: &Limits) -> Result<Option<Self>, SpaceError> {
        let mut builder = Self::new(spec, space.size());
        let within_limits = builder.enumerate(space, limits)?;
        if builder.allowed.len() > MOST_CONFIGURATIONS {
            return Err(SpaceError::TooManyConfigurations { most: MOST_CONFIGURATIONS });
        }
        Ok(within_limits.then_some(builder))
    }

    fn enumerate(&mut self, space: &Space, limits: &Limits) -> Result<bool, SpaceError> {
        let list = space.size() <= LISTED;
        let (mut visits, mut within_limits) = (0_u64, true);
        space.visit(&mut |visit| {
            visits += 1;
            if visits % 4096 == 0 && limits.exceeded().is_some() {
                within_limits = false;
                return ControlFlow::Break(());
            }
            match visit {
                Visit::Feasible(values) => {
                    // The program's index is set when the configuration is lowered.
                    let entry = Entry::new(Configuration(values.to_vec()));
                    self.allowed.push(self.entries.push_and_get_key(entry));
                }
                Visit::Excluded { chosen, next, constraint, configurations } => {
                    self.excluded[constraint] += configurations;
                    if list {
                        let excluding = Infeasible::Constraint(self.spec.constraints[constraint].text().to_owned());
                        let reason = interned(&mut self.reasons, excluding);
                        let entries = &mut self.entries;
                        space.each_completion(chosen, next, &mut |configuration| {
                            let status = ConfigurationStatus::Infeasible(Arc::clone(&reason));
                            entries.push(Entry { status, ..Entry::new(configuration) });
                        });
                    }
                }
            }
            if self.allowed.len() > MOST_CONFIGURATIONS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(within_limits)
    }

    /// Lowers all allowed configurations; returns false if a limit was reached first.
    fn lower(&mut self, lowering: &Lowering, limits: &Limits) -> Result<bool, SpaceError> {
        let allowed = std::mem::take(&mut self.allowed);
        for batch in allowed.chunks(BATCH) {
            let entries = &self.entries;
            let lower = |&entry: &EntryId| match limits.exceeded() {
                Some(_) => None,
                None => Some(lowering.lower(&entries[entry].configuration)),
            };
            let Some(lowered) = batch.par_iter().map(lower).collect::<Option<Vec<_>>>() else { return Ok(false) };
            for (&entry, outcome) in batch.iter().zip(lowered) {
                let outcome = outcome.map_err(|why| SpaceError::Lowering {
                    configuration: self.spec.label(&self.entries[entry].configuration),
                    why: Box::new(why),
                })?;
                self.entries[entry].status = self.status(entry, outcome);
            }
        }
        Ok(true)
    }

    fn status(&mut self, entry: EntryId, outcome: Feasibility<Lowered>) -> ConfigurationStatus {
        match outcome {
            Feasibility::Infeasible(infeasible) => {
                self.count(&infeasible);
                ConfigurationStatus::Infeasible(interned(&mut self.reasons, infeasible))
            }
            Feasibility::Feasible(Lowered { program, work_group, occupancy, .. }) => {
                self.entries[entry].limit = occupancy.map(|occupancy| occupancy.limit);
                let slot = self.distinct.entry(program);
                let program = slot.index().into();
                slot.or_insert(First { entry, work_group });
                ConfigurationStatus::Program(program)
            }
        }
    }

    fn count(&mut self, infeasible: &Infeasible) {
        match self.limits.iter_mut().find(|rule| rule.rule == infeasible.rule()) {
            Some(rule) => rule.count += 1,
            None => self.limits.push(Rule { rule: infeasible.rule().to_owned(), count: 1 }),
        }
    }

    fn finish(self) -> Survey {
        let constraints = self.spec.constraints.iter().zip(self.excluded);
        let constraints = constraints.map(|(constraint, count)| Rule { rule: constraint.text().to_owned(), count });
        let rules = constraints.chain(self.limits).filter(|rule| rule.count > 0).collect();
        let programs = self.distinct.into_iter().map(|(program, First { entry, work_group })| {
            let too_long = program.check_length().err();
            UniqueProgram { entry, program, work_group, too_long }
        });
        Survey { all: self.all, entries: self.entries, rules, programs: programs.collect() }
    }
}

fn interned(reasons: &mut HashSet<Arc<Infeasible>>, reason: Infeasible) -> Arc<Infeasible> {
    if let Some(known) = reasons.get(&reason) {
        return Arc::clone(known);
    }
    let new = Arc::new(reason);
    reasons.insert(Arc::clone(&new));
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "
kernel: counted
parameters: { A: { range: { from: 1, to: 10 } }, B: { values: [1, 2] } }
constraints: [ A > 3 ]
launch: { work_items: 64, work_group: 4 }
body: [ barrier ]
";

    #[test]
    fn what_a_constraint_excludes_is_counted() {
        let spec = Spec::parse(SPEC, "counted").unwrap();
        let profile = Profile::resolve("abstract-tiny").unwrap();
        let survey = survey(&spec, &profile, None, &Limits::default()).unwrap().unwrap();
        assert_eq!((survey.all, survey.infeasible(), survey.feasible()), (20, 6, 14));
        assert_eq!(survey.rules, [Rule { rule: "A > 3".to_owned(), count: 6 }]);
    }
}
