//! The common space of several scenarios, with bounds and native times.

use std::collections::HashMap;

use thiserror::Error;
use typed_index_collections::TiVec;

use super::choice::Times;
use super::slowdown::Slowdown;
use crate::index::{EntryId, ProgramId};
use crate::limits::{Limits, Stop};
use crate::machine::{Bound, Evaluation};
use crate::proof::Question;
use crate::space::{ConfigurationStatus, Rule, SpaceError, Survey, bounds, known_survey, native_time};
use crate::spec::{Configuration, Spec};
use crate::ticks::Ticks;

/// A reason why a time is missing.
#[derive(Debug, Error)]
pub enum TimeError {
    /// A program that cannot be evaluated.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// A limit that was reached.
    #[error("{0}")]
    Stopped(Stop),
}

/// The survey of a scenario's own space, with its bounds and the times that were computed so far.
#[derive(Debug)]
pub struct ScenarioSpace<'a> {
    spec: &'a Spec,
    survey: Survey,
    bounds: TiVec<ProgramId, Bound>,
    times: TiVec<ProgramId, Option<Evaluation>>,
}

impl<'a> ScenarioSpace<'a> {
    /// Bounds the programs of a survey of this spec.
    #[must_use]
    pub fn new(spec: &'a Spec, survey: Survey) -> Self {
        let bounds = bounds(&survey);
        let times = TiVec::from(vec![None; bounds.len()]);
        Self { spec, survey, bounds, times }
    }

    /// The programs of the feasible configurations.
    fn feasible(&self) -> HashMap<&[i64], ProgramId> {
        let entries = &self.survey.entries;
        self.survey.runnable().map(|(entry, program)| (entries.values(entry), program)).collect()
    }

    /// The rule that excludes a configuration.
    fn rule(&self, configuration: &Configuration) -> String {
        let entries = &self.survey.entries;
        let found = entries.keys().find(|&entry| entries.values(entry) == configuration.0);
        match found.map(|entry: EntryId| entries.get(entry).status) {
            Some(ConfigurationStatus::Infeasible(reason)) => reason.to_string(),
            Some(ConfigurationStatus::Unknown(reason)) => reason.to_string(),
            Some(ConfigurationStatus::Program(_)) => String::new(),
            None => "it is not in the space, or a constraint excludes it".to_owned(),
        }
    }
}

/// A configuration that some scenario excludes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excluded {
    /// The configuration.
    pub configuration: Configuration,
    /// The number of scenarios in which it is feasible.
    pub allowed: usize,
    /// A scenario that excludes it.
    pub scenario: usize,
    /// The rule by which that scenario excludes it.
    pub rule: String,
}

/// The configurations that are feasible in all scenarios.
#[derive(Debug)]
pub struct CommonSpace<'a> {
    scenarios: Vec<ScenarioSpace<'a>>,
    limits: Limits,
    /// The configurations in the order of the first scenario's space.
    pub configurations: Vec<Configuration>,
    /// The program of each configuration in each scenario.
    programs: Vec<Vec<ProgramId>>,
    /// The number of configurations that are feasible in some scenario, and not in this one.
    pub refused: Vec<usize>,
}

impl<'a> CommonSpace<'a> {
    /// Surveys the space of each question, of which there is at least one, and takes what all have in common; `None` if a
    /// limit was reached first.
    ///
    /// # Errors
    /// If a space cannot be lowered, or nothing is known of a configuration.
    pub fn survey(questions: &[Question<'a>], limits: &Limits) -> Result<Option<Self>, SpaceError> {
        let mut scenarios = Vec::with_capacity(questions.len());
        for Question { spec, profile, reader, only, .. } in questions {
            let Some(survey) = known_survey(spec, profile, reader, *only, limits)? else { return Ok(None) };
            scenarios.push(ScenarioSpace::new(spec, survey));
        }
        Ok(Some(Self::new(scenarios, limits.clone())))
    }

    /// The rules of a scenario's own space that exclude configurations, with their counts.
    #[must_use]
    pub fn rules(&self, scenario: usize) -> &[Rule] {
        &self.scenarios[scenario].survey.rules
    }

    /// A lower bound of the least worst slowdown over these upper ends of the scenarios' optima; `None` without a common
    /// configuration.
    #[must_use]
    pub fn least_by_bounds(&self, optima: &[Ticks]) -> Option<Slowdown> {
        let worst = |configuration| {
            let slowdowns = optima.iter().enumerate();
            slowdowns.map(|(s, optimum)| Slowdown::new(self.bound(configuration, s), *optimum)).max()
        };
        (0..self.configurations.len()).filter_map(worst).min()
    }

    /// The common space of scenarios, of which there is at least one.
    #[must_use]
    pub fn new(scenarios: Vec<ScenarioSpace<'a>>, limits: Limits) -> Self {
        let feasible: Vec<HashMap<&[i64], ProgramId>> = scenarios.iter().map(ScenarioSpace::feasible).collect();
        let (mut configurations, mut programs) = (Vec::new(), Vec::new());
        let first = &scenarios[0].survey;
        for (entry, _) in first.runnable() {
            let values = first.entries.values(entry);
            if let Some(of_all) = feasible.iter().map(|own| own.get(values).copied()).collect::<Option<Vec<_>>>() {
                configurations.push(Configuration(values.to_vec()));
                programs.push(of_all);
            }
        }
        let any = counts(&feasible).len();
        let refused = feasible.iter().map(|own| any - own.len()).collect();
        Self { scenarios, limits, configurations, programs, refused }
    }

    /// The configurations that most scenarios allow, in the order of their values, at most `most`; for a common space
    /// without configurations.
    #[must_use]
    pub fn most_allowed(&self, most: usize) -> Vec<Excluded> {
        let feasible: Vec<HashMap<&[i64], ProgramId>> = self.scenarios.iter().map(ScenarioSpace::feasible).collect();
        let any = counts(&feasible);
        let allowed = any.values().copied().max().unwrap_or(0);
        let mut best: Vec<&[i64]> = any.into_iter().filter(|(_, count)| *count == allowed).map(|(one, _)| one).collect();
        best.sort_unstable();
        best.truncate(most);
        let excluded = |values: &[i64]| {
            let scenario = feasible.iter().position(|own| !own.contains_key(values))?;
            let configuration = Configuration(values.to_vec());
            let rule = self.scenarios[scenario].rule(&configuration);
            Some(Excluded { configuration, allowed, scenario, rule })
        };
        best.into_iter().filter_map(excluded).collect()
    }

    /// The configurations with these indices.
    #[must_use]
    pub fn chosen(&self, indices: impl IntoIterator<Item = usize>) -> Vec<Configuration> {
        indices.into_iter().map(|index| self.configurations[index].clone()).collect()
    }

    /// The evaluation of a scenario's program, computed once.
    fn evaluate(&mut self, scenario: usize, program: ProgramId) -> Result<Evaluation, TimeError> {
        let own = &mut self.scenarios[scenario];
        if let Some(known) = own.times[program] {
            return Ok(known);
        }
        let found = native_time(own.spec, &own.survey, program, own.bounds[program], &self.limits)?;
        let found = found.ok_or_else(|| TimeError::Stopped(self.limits.exceeded().unwrap_or(Stop::Time)))?;
        own.times[program] = Some(found);
        Ok(found)
    }
}

impl Times for CommonSpace<'_> {
    type Error = TimeError;

    fn configurations(&self) -> usize {
        self.configurations.len()
    }

    fn bound(&self, configuration: usize, scenario: usize) -> Ticks {
        let program = self.programs[configuration][scenario];
        Ticks::new(self.scenarios[scenario].bounds[program].ticks)
    }

    fn time(&mut self, configuration: usize, scenario: usize) -> Result<Ticks, TimeError> {
        let program = self.programs[configuration][scenario];
        self.evaluate(scenario, program).map(|evaluation| evaluation.ticks.into())
    }
}

/// The number of scenarios in which each configuration is feasible, for those that are in some.
fn counts<'v>(feasible: &[HashMap<&'v [i64], ProgramId>]) -> HashMap<&'v [i64], usize> {
    let mut counts = HashMap::new();
    for &values in feasible.iter().flat_map(HashMap::keys) {
        *counts.entry(values).or_default() += 1;
    }
    counts
}
