//! What stands beside a proved optimum: the configurations that are nearly as fast, what they have in common, the best in true
//! order, and which of those that are as fast is chosen.
//!
//! All times here are the native evaluator's. A program whose lower bound excludes it from all that is asked is not evaluated;
//! of the others as many are as few events allow. Effort is counted in events, not in seconds, and no clock cuts it short: what
//! is told is a function of the inputs.

mod common;
mod order;

use rayon::prelude::*;
use thiserror::Error;

use crate::gpu::Profile;
use crate::lowering::LoweringError;
use crate::machine::evaluate;
use crate::proof::{Answer, Finding, Percent, Question};
use crate::space::{Best, ConfigurationStatus, Estimates, Space, Survey};
use crate::spec::{Spec, SpecError};

pub use common::{Need, ParameterInCommon, in_common};
use order::Order;
pub use order::check_preferences;

/// Near ties are counted for these percentages, whatever is asked.
const ALWAYS: [u32; 2] = [1, 2];
/// So many of the best are told in their true order, if no more are to be proved.
const BEST: usize = 5;
/// Events beyond which no further program is evaluated: about two seconds.
const EVENTS: u64 = 40_000_000;
/// Events of one program beyond which it is left out.
const EVENTS_OF_ONE: u64 = 4_000_000;
/// Programs that are evaluated before events are counted again.
const CHUNK: usize = 16;

/// What stands beside an optimum. Configurations are named by their places among the survey's entries.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    /// The optimum: of those that are exactly as fast, the one that is preferred.
    pub optimum: Pick,
    /// The configuration that the preferences choose within the percentage that was asked for; none if it is the optimum.
    pub chosen: Option<Pick>,
    /// What decided the choice, the most important first; empty if there was nothing to choose from.
    pub chosen_by: Vec<String>,
    /// What put the optimum before those that are exactly as fast, the most important first; empty if there are none.
    pub optimum_by: Vec<String>,
    /// The near ties within each percentage, in ascending order.
    pub within: Vec<Within>,
    /// The best configurations and their ticks, in true order: as many as are to be proved, five at least.
    pub best: Vec<(usize, u64)>,
    /// Configurations without a time that no lower bound excludes from the above.
    pub not_evaluated: usize,
    /// Ticks of the survey's programs, as far as they are known.
    pub times: Vec<Option<u64>>,
}

/// A configuration that is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    /// Its place among the survey's entries.
    pub entry: usize,
    /// Its time.
    pub ticks: u64,
    /// Work items of a group.
    pub work_group: u64,
}

/// The configurations within a percentage of the optimum, itself included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Within {
    /// The percentage.
    pub percent: Percent,
    /// How many there are.
    pub configurations: usize,
    /// Configurations without a time that no lower bound excludes: so many more there may be.
    pub not_evaluated: usize,
    /// What they have in common; a parameter with one value in the space is left out.
    pub parameters: Vec<ParameterInCommon>,
}

/// Why configurations cannot be looked at.
#[derive(Debug, Error)]
pub enum NearError {
    /// The spec cannot be used: a preference may have no value.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A configuration cannot be launched.
    #[error(transparent)]
    Lowering(#[from] LoweringError),
}

impl NearError {
    /// How to mend it.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Spec(error) => error.help(),
            Self::Lowering(error) => error.help(),
        }
    }
}

/// Looks at what stands beside the optimum, or beside the best that is known; `None` if no time is known.
///
/// # Errors
/// When a preference has no value.
pub fn look(question: &Question, answer: &Answer) -> Result<Option<Near>, NearError> {
    let (optimum, is_proved) = match &answer.finding {
        Finding::Proved { proof, .. } => (proof.ticks, true),
        Finding::Open { upper: Some(upper), .. } => (*upper, false),
        _ => return Ok(None),
    };
    let Some(survey) = &answer.survey else { return Ok(None) };
    let mut view = View::new(question, survey, &answer.estimates, optimum);
    if is_proved {
        view.evaluate();
    }
    let ties = view.timed(|time| time == optimum);
    if ties.is_empty() {
        return Ok(None);
    }
    let order = Order::new(question.spec, question.profile, survey);
    let preferred = order.sorted(&ties)?;
    let best = order.best(&view.until(view.best.threshold()), view.most)?;
    let candidates = match question.within.filter(|_| !question.spec.prefer.is_empty()) {
        Some(percent) => order.sorted(&view.within(percent))?,
        None => preferred.clone(),
    };
    let chosen = candidates.first().map(|first| first.pick).filter(|pick| pick.ticks > optimum);
    Ok(Some(Near {
        optimum: preferred[0].pick,
        chosen,
        chosen_by: order.deciding(&candidates),
        optimum_by: order.deciding(&preferred),
        within: view.near_ties()?,
        best,
        not_evaluated: view.not_evaluated(),
        times: view.times,
    }))
}

/// The configuration that is fastest by the native evaluator, as far as it was asked; of several the preferred. `None` if no
/// time is known.
///
/// # Errors
/// When a preference has no value.
pub fn fastest(
    spec: &Spec,
    profile: &Profile,
    survey: &Survey,
    estimates: &Estimates,
) -> Result<Option<Pick>, NearError> {
    let Some(ticks) = estimates.best() else { return Ok(None) };
    let is_best = |program: usize| estimates.evaluations[program].is_some_and(|evaluation| evaluation.ticks == ticks);
    let entries = survey.entries.iter().enumerate();
    let ties =
        entries.filter(|(_, entry)| matches!(entry.fate, ConfigurationStatus::Program(program) if is_best(program)));
    let ties: Vec<(usize, u64)> = ties.map(|(number, _)| (number, ticks)).collect();
    Ok(Order::new(spec, profile, survey).sorted(&ties)?.first().map(|first| first.pick))
}

/// A survey with the times of its programs.
struct View<'a> {
    question: &'a Question<'a>,
    survey: &'a Survey,
    estimates: &'a Estimates,
    optimum: u64,
    percents: Vec<Percent>,
    /// How many of the best are to be told, and their times as far as they are known.
    most: usize,
    best: Best,
    /// Configurations that can run, and their programs.
    feasible: Vec<(usize, usize)>,
    /// How many configurations each program has.
    shared: Vec<usize>,
    times: Vec<Option<u64>>,
}

impl<'a> View<'a> {
    fn new(question: &'a Question<'a>, survey: &'a Survey, estimates: &'a Estimates, optimum: u64) -> Self {
        let mut percents: Vec<Percent> = ALWAYS.into_iter().map(Percent::of).chain(question.within).collect();
        percents.sort_unstable();
        percents.dedup();
        let entries = survey.entries.iter().enumerate();
        let feasible: Vec<(usize, usize)> = entries
            .filter_map(|(number, entry)| match entry.fate {
                ConfigurationStatus::Program(program) => Some((number, program)),
                ConfigurationStatus::Infeasible(_) => None,
            })
            .collect();
        let most = BEST.max(question.top);
        let times = vec![None; survey.programs.len()];
        let mut view = Self {
            question,
            survey,
            estimates,
            optimum,
            percents,
            most,
            best: Best::new(most),
            feasible,
            shared: survey.shared(),
            times,
        };
        for (program, evaluation) in estimates.evaluations.iter().enumerate() {
            view.learn(program, evaluation.map(|one| one.ticks));
        }
        view
    }

    /// Evaluates the programs that no bound excludes, those with the least bounds first, as far as the events last.
    fn evaluate(&mut self) {
        let bound = |program: &usize| self.estimates.bounds[*program].ticks;
        let mut open: Vec<usize> = (0..self.times.len()).filter(|&program| self.times[program].is_none()).collect();
        open.sort_by_key(bound);
        let mut events = 0;
        for chunk in open.chunks(CHUNK) {
            let chunk: Vec<usize> = chunk.iter().copied().filter(|&program| self.is_worth(bound(&program))).collect();
            if chunk.is_empty() || events >= EVENTS {
                break;
            }
            let evaluated: Vec<_> = chunk.par_iter().map(|&program| self.evaluated(program)).collect();
            for (program, evaluated) in chunk.into_iter().zip(evaluated) {
                events += evaluated.map_or(EVENTS_OF_ONE, |(_, stepped)| stepped);
                self.learn(program, evaluated.map(|(ticks, _)| ticks));
            }
        }
    }

    /// A program's ticks and the events that they took, if these are few enough.
    fn evaluated(&self, program: usize) -> Option<(u64, u64)> {
        let distinct = &self.survey.programs[program];
        let evaluation =
            distinct.too_long.is_none().then(|| evaluate(&distinct.program, EVENTS_OF_ONE).ok()).flatten()?;
        Some((evaluation.ticks, evaluation.stepped))
    }

    fn learn(&mut self, program: usize, time: Option<u64>) {
        self.times[program] = time;
        if let Some(ticks) = time {
            (0..self.shared[program].min(self.most)).for_each(|_| self.best.add(ticks));
        }
    }

    /// Whether a lower bound leaves it open that a program is a near tie or among the best.
    fn is_worth(&self, bound: u64) -> bool {
        let widest = self.percents[self.percents.len() - 1];
        bound <= self.best.threshold() || widest.holds(bound, self.optimum)
    }

    /// Configurations that take at most so many ticks, as far as times are known.
    fn until(&self, ticks: u64) -> Vec<(usize, u64)> {
        self.timed(|time| time <= ticks)
    }

    fn within(&self, percent: Percent) -> Vec<(usize, u64)> {
        self.timed(|time| percent.holds(time, self.optimum))
    }

    fn timed(&self, is_wanted: impl Fn(u64) -> bool) -> Vec<(usize, u64)> {
        let timed = self.feasible.iter().filter_map(|(entry, program)| Some((*entry, self.times[*program]?)));
        timed.filter(|(_, time)| is_wanted(*time)).collect()
    }

    fn near_ties(&self) -> Result<Vec<Within>, NearError> {
        let Question { spec, profile, only, .. } = self.question;
        let domains = if let Some(only) = only {
            only.0.iter().map(|value| vec![*value]).collect()
        } else {
            Space::new(spec, &profile.names(spec.resources.dynamic))?.domains().to_vec()
        };
        let value = |(entry, _): &(usize, usize)| self.survey.entries[*entry].configuration.0.as_slice();
        let feasible: Vec<&[i64]> = self.feasible.iter().map(value).collect();
        let within = |percent: &Percent| {
            let is_near = |(_, program): &(usize, usize)| {
                self.times[*program].is_some_and(|time| percent.holds(time, self.optimum))
            };
            let near: Vec<bool> = self.feasible.iter().map(is_near).collect();
            Within {
                percent: *percent,
                configurations: near.iter().filter(|near| **near).count(),
                not_evaluated: self.without_time(|bound| percent.holds(bound, self.optimum)),
                parameters: in_common(&domains, &feasible, &near),
            }
        };
        Ok(self.percents.iter().map(within).collect())
    }

    fn not_evaluated(&self) -> usize {
        self.without_time(|bound| self.is_worth(bound))
    }

    /// Configurations without a time whose bounds are so.
    fn without_time(&self, is_open: impl Fn(u64) -> bool) -> usize {
        let programs = self.times.iter().zip(&self.estimates.bounds).zip(&self.shared);
        programs.filter(|((time, bound), _)| time.is_none() && is_open(bound.ticks)).map(|(_, shared)| shared).sum()
    }
}

#[cfg(test)]
mod tests;
