//! The choice of programs worth a search: those whose lower bound does not exceed the best time known.
//!
//! A program with a greater bound is neither the optimum nor a tie. Programs are evaluated natively in the order of
//! their bounds, so evaluation ends at the first bound beyond the best time.

use rayon::prelude::*;
use typed_index_collections::TiVec;

use super::bound::bound;
use super::error::SpaceError;
use super::progress::{Observe, Progress, Share};
use super::survey::{Survey, UniqueProgram};
use crate::spec::Spec;
use autotune_base::index::ProgramId;
use autotune_base::limits::Limits;
use autotune_base::ticks::Ticks;
use autotune_machine::machine::{Bound, Evaluation, evaluate};

/// The most events of one program; the time of a longer one is not computed.
pub const MOST_EVENTS: u64 = 100_000_000;
/// The greatest number of programs that are evaluated before the best time is updated; the first chunks are smaller.
const CHUNK: usize = 256;

/// The programs that are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pruning {
    /// No program: all are evaluated and searched.
    None,
    /// Programs whose time may reach 2^60 ticks, unless all do; and those that cannot be among this many best, where 0
    /// stands for all.
    Uncomputable(usize),
    /// All programs are evaluated; those that can be among this many best are searched.
    Rank(usize),
    /// Only the programs that can be among this many best are evaluated and searched.
    Best(usize),
}

/// The knowledge of a survey's programs without a model checker.
#[derive(Debug, Default)]
pub struct Estimates {
    /// The lower bound of each program's time.
    pub bounds: TiVec<ProgramId, Bound>,
    /// The native evaluation of each program; `None` if it was not evaluated.
    pub evaluations: TiVec<ProgramId, Option<Evaluation>>,
    /// The programs to search; after a limit was reached, also those not evaluated by then.
    pub searched: Vec<ProgramId>,
    /// True if a limit was reached before all evaluations were done.
    pub stopped: bool,
}

impl Estimates {
    /// The native time of a program that is to be searched, in ticks; [`Ticks::MAX`] if it was not evaluated.
    #[must_use]
    pub fn ticks(&self, program: ProgramId) -> Ticks {
        self.evaluations[program].map_or(Ticks::MAX, |evaluation| evaluation.ticks.into())
    }

    /// The least native time, in ticks; `None` if no program was evaluated.
    #[must_use]
    pub fn best(&self) -> Option<Ticks> {
        self.evaluations.iter().flatten().map(|evaluation| evaluation.ticks.into()).min()
    }
}

/// Bounds all programs, and evaluates those that are worth it.
///
/// # Errors
/// If a program that must be evaluated has too many events or a time of 2^60 ticks or more.
pub fn estimate(spec: &Spec, survey: &Survey, pruning: Pruning, limits: &Limits) -> Result<Estimates, SpaceError> {
    estimate_observed(spec, survey, pruning, limits, &mut |_| {})
}

/// Bounds all programs, evaluates those that are worth it, and shows the progress to an observer. If a limit was reached,
/// the times are those known by then.
///
/// # Errors
/// As [`estimate`].
pub fn estimate_observed(
    spec: &Spec,
    survey: &Survey,
    pruning: Pruning,
    limits: &Limits,
    observe: Observe,
) -> Result<Estimates, SpaceError> {
    let bounds = bounds(survey);
    let evaluations = TiVec::from(vec![None; bounds.len()]);
    let (best, stopped) = (Best::new(pruning.most()), survey.cut_short.is_some());
    let mut evaluator = Evaluator { spec, survey, limits, bounds, best, evaluations, stopped };
    let mut order: Vec<ProgramId> = evaluator.bounds.keys().collect();
    order.sort_by_key(|&program| evaluator.bounds[program].ticks);
    if matches!(pruning, Pruning::Uncomputable(_)) && survey.programs.too_long() < survey.programs.len() {
        order.retain(|&program| !survey.programs.is_too_long(program));
    }
    let (mut left, mut size) = (order.as_slice(), 1);
    while !evaluator.stopped {
        let worth = match pruning {
            Pruning::Best(_) | Pruning::Uncomputable(_) => left.partition_point(|&program| evaluator.is_worth(program)),
            Pruning::None | Pruning::Rank(_) => left.len(),
        };
        let (chunk, others) = left.split_at(size.min(worth));
        if chunk.is_empty() {
            break;
        }
        let done = order.len() - left.len();
        observe(Progress::Evaluating(Share::new(done, done + worth)));
        evaluator.evaluate(chunk)?;
        (left, size) = (others, (2 * size).min(CHUNK));
    }
    Ok(evaluator.finish())
}

/// The lower bound of the time of each program of a survey.
#[must_use]
pub fn bounds(survey: &Survey) -> TiVec<ProgramId, Bound> {
    let of_program = |program: usize| {
        let UniqueProgram { program, too_long, .. } = survey.programs.get(program.into());
        bound(&program, too_long.is_some())
    };
    (0..survey.programs.len()).into_par_iter().map(of_program).collect::<Vec<Bound>>().into()
}

/// An evaluation of a survey's programs, the most promising first.
struct Evaluator<'a> {
    spec: &'a Spec,
    survey: &'a Survey,
    limits: &'a Limits,
    bounds: TiVec<ProgramId, Bound>,
    best: Best,
    evaluations: TiVec<ProgramId, Option<Evaluation>>,
    stopped: bool,
}

impl Evaluator<'_> {
    /// True if a program may be among the best.
    fn is_worth(&self, program: ProgramId) -> bool {
        self.bounds[program].ticks <= self.best.threshold().get()
    }

    fn evaluate(&mut self, programs: &[ProgramId]) -> Result<(), SpaceError> {
        let Self { spec, survey, limits, .. } = *self;
        let evaluated = programs.par_iter().map(|&program| evaluated(spec, survey, program, limits));
        for (&program, evaluation) in programs.iter().zip(evaluated.collect::<Vec<_>>()) {
            match evaluation? {
                Some(evaluation) => {
                    check_bound(spec, survey, program, self.bounds[program], evaluation)?;
                    self.know(program, evaluation);
                }
                None => self.stopped = true,
            }
        }
        Ok(())
    }

    fn know(&mut self, program: ProgramId, evaluation: Evaluation) {
        self.best.add(evaluation.ticks.into());
        self.evaluations[program] = Some(evaluation);
    }

    fn finish(mut self) -> Estimates {
        // A result that was not stopped does not depend on the order of the lowering.
        if self.stopped {
            for &(program, evaluation) in &self.survey.early {
                if self.evaluations[program].is_none() {
                    self.know(program, evaluation);
                }
            }
        }
        let searched = self.bounds.keys().filter(|&program| self.is_worth(program)).collect();
        Estimates { bounds: self.bounds, evaluations: self.evaluations, searched, stopped: self.stopped }
    }
}

impl Pruning {
    /// The number of best times to keep; 0 if all programs are searched.
    fn most(self) -> usize {
        match self {
            Self::None => 0,
            Self::Uncomputable(most) | Self::Rank(most) | Self::Best(most) => most,
        }
    }
}

/// The n least times.
#[derive(Debug, Clone)]
pub struct Best {
    times: Vec<Ticks>,
    most: usize,
}

impl Best {
    /// The `most` least times, before any time is known.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { times: Vec::new(), most }
    }

    /// Adds the time of one more program.
    pub fn add(&mut self, ticks: Ticks) {
        let place = self.times.partition_point(|&time| time <= ticks);
        if place < self.most {
            self.times.insert(place, ticks);
            self.times.truncate(self.most);
        }
    }

    /// The greatest time of a program among the n best, in ticks; [`Ticks::MAX`] while fewer are known.
    #[must_use]
    pub fn threshold(&self) -> Ticks {
        if self.most > 0 && self.times.len() == self.most { self.times[self.most - 1] } else { Ticks::MAX }
    }
}

fn evaluated(
    spec: &Spec,
    survey: &Survey,
    program: ProgramId,
    limits: &Limits,
) -> Result<Option<Evaluation>, SpaceError> {
    if limits.exceeded().is_some() {
        return Ok(None);
    }
    let distinct = survey.programs.get(program);
    let configuration = || spec.label(&survey.entries.get(distinct.entry).configuration);
    if let Some(why) = &distinct.too_long {
        return Err(SpaceError::TooLong { configuration: configuration(), why: why.clone() });
    }
    let evaluation = evaluate(&distinct.program, MOST_EVENTS);
    evaluation.map(Some).map_err(|why| SpaceError::TooManyEvents { configuration: configuration(), why })
}

/// Checks that the bound does not exceed the time: otherwise one of the two is wrong.
fn check_bound(
    spec: &Spec,
    survey: &Survey,
    program: ProgramId,
    bound: Bound,
    evaluation: Evaluation,
) -> Result<(), SpaceError> {
    if bound.ticks <= evaluation.ticks {
        return Ok(());
    }
    let configuration = spec.label(&survey.entries.get(survey.programs.entry(program)).configuration);
    Err(SpaceError::UnsoundBound { configuration, bound, ticks: evaluation.ticks.into() })
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::gpu::Profile;
    use crate::space::survey;
    use autotune_kernel::source::SourceReader;

    #[test]
    fn the_threshold_is_the_nth_best_time() {
        let mut best = Best::new(2);
        let mut thresholds = Vec::new();
        for ticks in [50, 70, 40, 90, 40] {
            best.add(Ticks::new(ticks));
            thresholds.push(best.threshold().get());
        }
        assert_eq!(thresholds, [u64::MAX, 70, 50, 50, 40]);
        assert_eq!(Best::new(0).threshold(), Ticks::MAX);
    }

    /// The time that is known since the lowering is the only one that excludes programs; without it, none is excluded.
    #[test]
    fn what_no_bound_excludes_is_to_be_searched_when_time_is_up() {
        let spec = Spec::load("../../tuning-specs/abstract_kernel.yaml".as_ref()).unwrap();
        let profile = Profile::resolve("abstract-tiny").unwrap();
        let mut survey = survey(&spec, &profile, &SourceReader::default(), None, &Limits::default()).unwrap().unwrap();
        let over = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        let estimates = estimate(&spec, &survey, Pruning::Best(1), &over).unwrap();
        let (program, early) = *survey.early.last().unwrap();
        assert!(estimates.stopped && estimates.searched.contains(&program));
        assert_eq!((survey.early.len(), estimates.best()), (1, Some(early.ticks.into())));
        assert!(estimates.searched.iter().all(|program| estimates.bounds[*program].ticks <= early.ticks));
        survey.early.clear();
        let estimates = estimate(&spec, &survey, Pruning::Best(1), &over).unwrap();
        assert_eq!((estimates.searched.len(), estimates.best()), (survey.programs.len(), None));
    }
}
