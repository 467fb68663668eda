//! The neighbourhood of a proved optimum: the configurations that are nearly as fast, their common values, the best in
//! true order, and the choice among equally fast ones.
//!
//! All times here are the native evaluator's. Programs that a lower bound excludes from every question here are not
//! evaluated; of the others, as many are evaluated as 40 million events allow. The work is limited by events, not by
//! seconds, and a time limit does not cut it: a result depends only on its inputs.

mod order;
mod pick;
mod recommended;
mod shared_values;

use rayon::prelude::*;
use typed_index_collections::TiVec;

use crate::proof::{Answer, Finding, Percent, Proof, Question};
use autotune_base::index::{EntryId, ProgramId};
use autotune_base::ticks::Ticks;
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::space::{Best, Estimates, Space, Survey, UniqueProgram};
use autotune_lowering::spec::Spec;
use autotune_machine::machine::evaluate;
use order::Order;

pub use order::check_preferences;
pub use recommended::Recommended;
pub use shared_values::{Need, ParameterInCommon, in_common};

/// The percentages whose near ties are always counted.
const ALWAYS: [u32; 2] = [1, 2];
/// The number of best configurations that are listed, if the question does not ask for more.
const BEST: usize = 5;
/// The budget of events: once it is spent, no further program is evaluated. It is about 2 seconds.
const EVENTS: u64 = 40_000_000;
/// The most events of one program; a longer one is left out.
const EVENTS_OF_ONE: u64 = 4_000_000;
/// The number of programs that are evaluated before events are counted again.
const CHUNK: usize = 16;

/// The neighbourhood of an optimum. Configurations are entries of the survey.
#[derive(Debug, Clone, PartialEq)]
pub struct Near {
    /// The optimum: of the fastest configurations the preferred one.
    pub optimum: Pick,
    /// The configuration that the preferences choose within the percentage asked for; `None` if it is the optimum.
    pub chosen: Option<Pick>,
    /// The criteria that decided the choice, the most important first; empty if the choice had one candidate.
    pub chosen_by: Vec<String>,
    /// The criteria that put the optimum before equally fast configurations, the most important first; empty if it is
    /// the only one.
    pub optimum_by: Vec<String>,
    /// The near ties within each percentage, in ascending order of percentages.
    pub within: Vec<Within>,
    /// The best configurations and their ticks, in true order: as many as the question asks for, and at least 5.
    pub best: Vec<(EntryId, Ticks)>,
    /// The number of configurations without a time that no lower bound excludes from the lists above.
    pub not_evaluated: usize,
    /// The second opinion. `None` without a proof, where the wave model does not apply, or if it takes too many events.
    pub recommended: Option<Recommended>,
    /// The ticks of the survey's programs; `None` if they are not known.
    pub times: TiVec<ProgramId, Option<Ticks>>,
}

/// The configurations within a percentage of the optimum, the optimum included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Within {
    /// The percentage.
    pub percent: Percent,
    /// The number of configurations known to be within it.
    pub configurations: usize,
    /// The number of configurations without a time that no lower bound excludes: at most this many more are within it.
    pub not_evaluated: usize,
    /// The values that they have in common; parameters with a single value in the space are left out.
    pub parameters: Vec<ParameterInCommon>,
}

/// Describes the neighbourhood of the optimum, or of the best time known; `None` if no time is known.
///
/// # Errors
/// If a preference cannot be evaluated.
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
    let order = Order::new(question.spec, question.profile, question.reader, survey);
    let preferred = order.sorted(&ties)?;
    let best = order.best(&view.until(view.best.threshold()), view.most)?;
    let candidates = match question.within.filter(|_| !question.spec.prefer.is_empty()) {
        Some(percent) => order.sorted(&view.within(percent))?,
        None => preferred.clone(),
    };
    let chosen = candidates.first().map(|first| first.pick).filter(|pick| pick.ticks > optimum);
    let (within, not_evaluated) = (view.near_ties()?, view.not_evaluated());
    let recommended = if is_proved { view.recommended() } else { None };
    Ok(Some(Near {
        optimum: preferred[0].pick,
        chosen,
        chosen_by: order.deciding(&candidates),
        optimum_by: order.deciding(&preferred),
        within,
        best,
        not_evaluated,
        recommended,
        times: view.times,
    }))
}

/// The optimum of a proof: of the fastest configurations the one that `near` prefers, and without a neighbourhood the
/// first.
#[must_use]
pub fn optimum(survey: &Survey, proof: &Proof, near: Option<&Near>) -> Pick {
    near.map_or_else(|| first(survey, proof), |near| near.optimum)
}

/// The first configuration of the optimum's programs.
fn first(survey: &Survey, proof: &Proof) -> Pick {
    let program = proof.ties.first().map_or(proof.program, |program| *program);
    let UniqueProgram { entry, work_group, .. } = survey.programs.get(program);
    Pick { entry, ticks: proof.ticks, work_group }
}

/// The fastest configuration by the native evaluator; of several the preferred one. `None` if no time is known.
///
/// # Errors
/// If a preference cannot be evaluated.
pub(super) fn preferred(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    survey: &Survey,
    estimates: &Estimates,
) -> Result<Option<Pick>, NearError> {
    let Some(ticks) = estimates.best() else { return Ok(None) };
    let is_best = |program: ProgramId| {
        estimates.evaluations[program].is_some_and(|evaluation| Ticks::from(evaluation.ticks) == ticks)
    };
    let ties = survey.runnable().filter(|(_, program)| is_best(*program));
    let ties: Vec<(EntryId, Ticks)> = ties.map(|(entry, _)| (entry, ticks)).collect();
    Ok(Order::new(spec, profile, reader, survey).sorted(&ties)?.first().map(|first| first.pick))
}

/// A survey with the times of its programs.
struct View<'a> {
    question: &'a Question<'a>,
    survey: &'a Survey,
    estimates: &'a Estimates,
    optimum: Ticks,
    percents: Vec<Percent>,
    /// The number of best configurations to list.
    most: usize,
    best: Best,
    /// The feasible configurations, each with its program.
    feasible: Vec<(EntryId, ProgramId)>,
    /// The number of configurations of each program.
    shared: TiVec<ProgramId, usize>,
    times: TiVec<ProgramId, Option<Ticks>>,
}

impl<'a> View<'a> {
    fn new(question: &'a Question<'a>, survey: &'a Survey, estimates: &'a Estimates, optimum: Ticks) -> Self {
        let mut percents: Vec<Percent> = ALWAYS.into_iter().map(Percent::whole).chain(question.within).collect();
        percents.sort_unstable();
        percents.dedup();
        let most = BEST.max(question.top);
        let times = TiVec::from(vec![None; survey.programs.len()]);
        let mut view = Self {
            question,
            survey,
            estimates,
            optimum,
            percents,
            most,
            best: Best::new(most),
            feasible: survey.runnable().collect(),
            shared: survey.shared(),
            times,
        };
        for (program, evaluation) in estimates.evaluations.iter_enumerated() {
            view.learn(program, evaluation.map(|found| found.ticks.into()));
        }
        view
    }

    /// Evaluates the programs that no bound excludes, those with the least bounds first, within [`EVENTS`] events.
    fn evaluate(&mut self) {
        let bound = |program: &ProgramId| Ticks::from(self.estimates.bounds[*program].ticks);
        let mut open: Vec<ProgramId> = self.times.keys().filter(|&program| self.times[program].is_none()).collect();
        open.sort_by_key(bound);
        let mut events = 0;
        for chunk in open.chunks(CHUNK) {
            let chunk: Vec<ProgramId> =
                chunk.iter().copied().filter(|&program| self.is_worth(bound(&program))).collect();
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

    /// The time of a program in ticks and its number of events; `None` if it takes too many.
    fn evaluated(&self, program: ProgramId) -> Option<(Ticks, u64)> {
        let distinct = &self.survey.programs.get(program);
        let evaluation =
            distinct.too_long.is_none().then(|| evaluate(&distinct.program, EVENTS_OF_ONE).ok()).flatten()?;
        Some((evaluation.ticks.into(), evaluation.stepped))
    }

    fn learn(&mut self, program: ProgramId, time: Option<Ticks>) {
        self.times[program] = time;
        if let Some(ticks) = time {
            (0..self.shared[program].min(self.most)).for_each(|_| self.best.add(ticks));
        }
    }

    /// Returns true if a program with this lower bound may be a near tie or among the best.
    fn is_worth(&self, bound: Ticks) -> bool {
        let widest = self.percents[self.percents.len() - 1];
        bound <= self.best.threshold() || widest.holds(bound, self.optimum)
    }

    /// The configurations known to take at most `ticks`.
    fn until(&self, ticks: Ticks) -> Vec<(EntryId, Ticks)> {
        self.timed(|time| time <= ticks)
    }

    fn within(&self, percent: Percent) -> Vec<(EntryId, Ticks)> {
        self.timed(|time| percent.holds(time, self.optimum))
    }

    fn timed(&self, is_wanted: impl Fn(Ticks) -> bool) -> Vec<(EntryId, Ticks)> {
        let timed = self.feasible.iter().filter_map(|(entry, program)| Some((*entry, self.times[*program]?)));
        timed.filter(|(_, time)| is_wanted(*time)).collect()
    }

    fn near_ties(&self) -> Result<Vec<Within>, NearError> {
        let Question { spec, profile, only, .. } = self.question;
        let domains = if let Some(only) = only {
            only.0.iter().map(|value| vec![*value]).collect()
        } else {
            Space::new(spec, &profile.names(spec.has_dynamic_local_memory()))?.domains().to_vec()
        };
        let value = |(entry, _): &(EntryId, ProgramId)| self.survey.entries.values(*entry);
        let feasible: Vec<&[i64]> = self.feasible.iter().map(value).collect();
        let within = |percent: &Percent| {
            let is_near = |(_, program): &(EntryId, ProgramId)| {
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

    /// The number of configurations without a time whose bound satisfies `is_open`.
    fn without_time(&self, is_open: impl Fn(Ticks) -> bool) -> usize {
        let programs = self.times.iter().zip(&self.estimates.bounds).zip(&self.shared);
        programs
            .filter(|((time, bound), _)| time.is_none() && is_open(bound.ticks.into()))
            .map(|(_, shared)| shared)
            .sum()
    }
}

#[cfg(test)]
mod tests;
pub use pick::{NearError, Pick};
