//! The common space of several scenarios, with bounds and native times.

use std::collections::HashMap;

use super::choice::ScenarioTimes;
use super::native::{NativeTimes, ScenarioTimeError};
use super::slowdown::Slowdown;
use crate::proof::Question;
use autotune_base::index::ProgramId;
use autotune_base::limits::Limits;
use autotune_base::ticks::Ticks;
use autotune_lowering::space::{ConfigurationStatus, Rule, SpaceError, Survey, bounds, known_survey};
use autotune_lowering::spec::Configuration;

/// The configurations that are feasible in all scenarios, with the lower bounds of their times. Programs are not held: a
/// configuration is lowered again when its time is asked for.
#[derive(Debug)]
pub struct CommonSpace<'a> {
    times: NativeTimes<'a>,
    /// The configurations in the order of the first scenario's space.
    pub configurations: Vec<Configuration>,
    /// The lower bound of each configuration's time in ticks, by scenario and configuration.
    bounds: Vec<Vec<Ticks>>,
}

impl<'a> CommonSpace<'a> {
    /// Surveys the space of each of one or more questions, and takes what all have in common; `None` if a
    /// limit was reached first.
    ///
    /// # Errors
    /// If a space cannot be lowered, or nothing is known of a configuration.
    pub fn survey(questions: &'a [Question<'a>], limits: &Limits) -> Result<Option<Self>, SpaceError> {
        let mut common = Self::new(questions, limits);
        for question in questions {
            let Some(survey) = surveyed(question, limits)? else { return Ok(None) };
            common.join(&survey);
        }
        Ok(Some(common))
    }

    /// The common space of no question yet: the survey of each is to be joined in their order.
    #[must_use]
    pub fn new(questions: &'a [Question<'a>], limits: &Limits) -> Self {
        Self { times: NativeTimes::new(questions, limits), configurations: Vec::new(), bounds: Vec::new() }
    }

    /// Leaves what the next question's survey has too, and adds its bounds.
    pub fn join(&mut self, survey: &Survey) {
        let of_program = bounds(survey);
        let bound = |program: ProgramId| Ticks::new(of_program[program].ticks);
        let entries = &survey.entries;
        if self.bounds.is_empty() {
            let (configurations, bounds) = survey
                .runnable()
                .map(|(entry, program)| (Configuration(entries.values(entry).to_vec()), bound(program)))
                .unzip();
            (self.configurations, self.bounds) = (configurations, vec![bounds]);
            return;
        }
        let feasible: HashMap<&[i64], ProgramId> =
            survey.runnable().map(|(entry, program)| (entries.values(entry), program)).collect();
        let found: Vec<Option<Ticks>> = self
            .configurations
            .iter()
            .map(|configuration| feasible.get(configuration.0.as_slice()).map(|program| bound(*program)))
            .collect();
        keep(&mut self.configurations, &found);
        self.bounds.iter_mut().for_each(|bounds| keep(bounds, &found));
        self.bounds.push(found.into_iter().flatten().collect());
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

    /// The configurations with these indices.
    #[must_use]
    pub fn chosen(&self, indices: impl IntoIterator<Item = usize>) -> Vec<Configuration> {
        indices.into_iter().map(|index| self.configurations[index].clone()).collect()
    }
}

impl ScenarioTimes for CommonSpace<'_> {
    type Error = ScenarioTimeError;

    fn configurations(&self) -> usize {
        self.configurations.len()
    }

    fn bound(&self, configuration: usize, scenario: usize) -> Ticks {
        self.bounds[scenario][configuration]
    }

    fn time(&mut self, configuration: usize, scenario: usize) -> Result<Ticks, ScenarioTimeError> {
        let asked = std::slice::from_ref(&self.configurations[configuration]);
        Ok(self.times.of(scenario, asked)?.remove(0))
    }
}

/// The configurations that each scenario excludes where no configuration is common to all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Exclusions {
    /// The number of configurations that are feasible in some scenario and not in this one, by scenario.
    pub refused: Vec<usize>,
    /// The rules of each scenario's own space that exclude configurations, with their counts.
    pub rules: Vec<Vec<Rule>>,
    /// The configurations that most scenarios allow, in the order of their values.
    pub nearest: Vec<NearestConfiguration>,
}

/// A configuration that some scenario excludes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearestConfiguration {
    /// The configuration.
    pub configuration: Configuration,
    /// The number of scenarios where it is feasible.
    pub allowed: usize,
    /// The first scenario that excludes it.
    pub scenario: usize,
    /// The rule of that scenario that excludes it.
    pub rule: String,
}

/// Finds what each scenario excludes, and names at most `most` configurations that most scenarios allow; `None` if a limit
/// was reached first.
///
/// # Errors
/// As [`CommonSpace::survey`].
pub fn exclusions(questions: &[Question], most: usize, limits: &Limits) -> Result<Option<Exclusions>, SpaceError> {
    let mut allowed: HashMap<Vec<i64>, usize> = HashMap::new();
    let (mut feasible, mut rules) = (Vec::new(), Vec::new());
    for question in questions {
        let Some(survey) = survey_or_refusal(question, limits)? else { return Ok(None) };
        let runnable = survey
            .as_ref()
            .ok()
            .into_iter()
            .flat_map(|survey| survey.runnable().map(|(entry, _)| survey.entries.values(entry).to_vec()));
        let before = feasible.len();
        feasible.push(0);
        for values in runnable {
            *allowed.entry(values).or_default() += 1;
            feasible[before] += 1;
        }
        rules.push(survey.map(|survey| survey.rules));
    }
    let refused = feasible.iter().map(|own| allowed.len() - own).collect();
    let all = allowed.len() as u128;
    let rules = rules.into_iter().map(|rules| rules.unwrap_or_else(|rule| vec![Rule { rule, count: all }])).collect();
    let best = allowed.values().copied().max().unwrap_or(0);
    let mut named: Vec<Configuration> =
        allowed.into_iter().filter(|(_, count)| *count == best).map(|(values, _)| Configuration(values)).collect();
    named.sort_unstable();
    named.truncate(most);
    let mut nearest: Vec<Option<NearestConfiguration>> = vec![None; named.len()];
    for (scenario, question) in questions.iter().enumerate() {
        let Some(survey) = survey_or_refusal(question, limits)? else { return Ok(None) };
        for (configuration, found) in named.iter().zip(&mut nearest).filter(|(_, found)| found.is_none()) {
            let refused = survey.as_ref().map_or_else(|why| Some(why.clone()), |survey| rule(survey, configuration));
            *found = refused.map(|rule| NearestConfiguration {
                configuration: configuration.clone(),
                allowed: best,
                scenario,
                rule,
            });
        }
    }
    Ok(Some(Exclusions { refused, rules, nearest: nearest.into_iter().flatten().collect() }))
}

/// The rule that excludes a configuration; `None` if it is feasible.
fn rule(survey: &Survey, configuration: &Configuration) -> Option<String> {
    let entries = &survey.entries;
    let found = entries.keys().find(|&entry| entries.values(entry) == configuration.0);
    match found.map(|entry| entries.get(entry).status) {
        Some(ConfigurationStatus::Infeasible(reason)) => Some(reason.to_string()),
        Some(ConfigurationStatus::Unknown(reason)) => Some(reason.to_string()),
        Some(ConfigurationStatus::Program(_)) => None,
        None => Some("it is not in the space, or a constraint excludes it".to_owned()),
    }
}

/// True if a configuration of a question's space is feasible; `None` if a limit was reached first. A space whose
/// configurations are all refused, since the GPU lacks what the kernel needs, is an error unless the GPU is of a group.
///
/// # Errors
/// As [`CommonSpace::survey`].
pub fn is_anything_feasible(question: &Question, of_group: bool, limits: &Limits) -> Result<Option<bool>, SpaceError> {
    let survey = if of_group { survey_or_refusal(question, limits)? } else { surveyed(question, limits)?.map(Ok) };
    Ok(survey.map(|survey| survey.is_ok_and(|survey| survey.runnable().next().is_some())))
}

/// The survey of a question, or the reason why the GPU refuses each configuration; `None` if a limit was reached first.
///
/// # Errors
/// As [`CommonSpace::survey`], but for refusals.
pub(super) fn survey_or_refusal(
    question: &Question,
    limits: &Limits,
) -> Result<Option<Result<Survey, String>>, SpaceError> {
    match surveyed(question, limits) {
        Ok(survey) => Ok(survey.map(Ok)),
        Err(error) => match error.refusal() {
            Some(why) => Ok(Some(Err(why))),
            None => Err(error),
        },
    }
}

/// The survey of a question's space; `None` if a limit was reached first.
///
/// # Errors
/// As [`CommonSpace::survey`].
pub fn surveyed(question: &Question, limits: &Limits) -> Result<Option<Survey>, SpaceError> {
    known_survey(question.spec, question.profile, question.reader, question.only, limits)
}

/// Leaves the elements that were found.
fn keep<T>(elements: &mut Vec<T>, found: &[Option<Ticks>]) {
    let mut places = found.iter();
    elements.retain(|_| places.next().is_some_and(Option::is_some));
}
