//! The survey of a space: every configuration lowered, and equal programs joined.

mod builder;

use std::sync::Arc;

use typed_index_collections::TiVec;

use super::error::SpaceError;
use super::progress::{Observe, Progress};
use crate::gpu::{Limit, Profile};
use crate::index::{EntryId, ProgramId};
use crate::limits::Limits;
use crate::lowering::{Infeasible, Lowering};
use crate::machine::{Evaluation, Program, ProgramError};
use crate::spec::{Configuration, Spec};
use builder::Builder;

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
    let survey = survey_observed(spec, profile, only, limits, &mut |_| {})?;
    Ok(Some(survey).filter(|survey| survey.cut_short.is_none()))
}

/// Lowers every configuration, or only the one that is named, and shows the progress to an observer. A limit cuts the
/// survey short; the first configurations are lowered all the same.
///
/// # Errors
/// As [`survey`].
pub fn survey_observed(
    spec: &Spec,
    profile: &Profile,
    only: Option<&Configuration>,
    limits: &Limits,
    observe: Observe,
) -> Result<Survey, SpaceError> {
    let lowering = Lowering::new(spec, profile);
    let mut builder = match only {
        Some(configuration) => Builder::of_one(spec, configuration),
        None => Builder::of_all(spec, lowering.names(), limits, observe)?,
    };
    builder.lower(&lowering, limits, observe)?;
    Ok(builder.finish())
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

    /// 20,000 configurations; the last of them are the fastest.
    const WIDE: &str = "
kernel: wide
parameters: { A: { range: { from: 1, to: 200 } }, B: { range: { from: 1, to: 100 } } }
launch: { work_items: 64, work_group: 4 }
body: [ compute: { per_item: (201 - A) * 100 - B } ]
";

    fn surveyed(limits: &Limits) -> (Survey, Vec<Progress>) {
        let spec = Spec::parse(WIDE, "wide").unwrap();
        let profile = Profile::resolve("abstract-tiny").unwrap();
        let mut seen = Vec::new();
        let survey = survey_observed(&spec, &profile, None, limits, &mut |progress| seen.push(progress)).unwrap();
        assert_eq!(super::survey(&spec, &profile, None, limits).unwrap().is_some(), survey.cut_short.is_none());
        (survey, seen)
    }

    #[test]
    fn the_progress_is_the_share_of_the_space_and_then_of_the_configurations() {
        let (survey, seen) = surveyed(&Limits::default());
        let shares = |enumerating: bool| {
            let share = move |progress: &Progress| match progress {
                Progress::Enumerating(share) => enumerating.then_some(*share),
                Progress::Lowering(share) => (!enumerating).then_some(*share),
                Progress::Evaluating(_) => panic!("nothing is evaluated here"),
            };
            seen.iter().filter_map(share).collect::<Vec<_>>()
        };
        for shares in [shares(true), shares(false)] {
            assert!(shares.len() >= 4 && shares.is_sorted_by(|one, two| one.done < two.done), "{shares:?}");
            assert!(shares.iter().all(|share| share.of == 20_000 && share.done < 20_000));
            assert!(shares.last().unwrap().percent() > 40, "{shares:?}");
        }
        assert_eq!((survey.entries.len(), survey.cut_short), (20_000, None));
    }

    /// What is known are the first configurations, and a time of one of them.
    #[test]
    fn a_limit_leaves_the_configurations_that_were_lowered_and_a_time() {
        let whole = surveyed(&Limits::default()).0;
        let over = Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() };
        let (survey, _) = surveyed(&over);
        let Some(Progress::Enumerating(share)) = survey.cut_short else { panic!("{:?}", survey.cut_short) };
        assert!(share.done < 5_000, "{share:?}");
        assert_eq!((survey.entries.len(), survey.programs.len(), survey.early.len()), (256, 256, 1));
        let (program, early) = survey.early[0];
        let best = &survey.entries[survey.programs[program].entry].configuration;
        assert_eq!(best.0, [3, 56], "of the first 256, the last one computes least");
        assert_eq!(early, crate::machine::evaluate(&survey.programs[program].program, u64::MAX).unwrap());
        let known: Vec<u64> = whole.early.iter().map(|(_, evaluation)| evaluation.ticks).collect();
        assert!(known.len() > 4 && known.is_sorted_by(|one, two| one > two), "{known:?}");
    }

    #[test]
    fn a_second_request_to_stop_lowers_nothing() {
        let limits = Limits::default();
        limits.interrupt.raise();
        limits.interrupt.raise();
        let (survey, _) = surveyed(&limits);
        assert_eq!((survey.entries.len(), survey.programs.len(), survey.early.len()), (0, 0, 0));
        assert!(survey.cut_short.is_some());
    }
}
