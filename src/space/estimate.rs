//! The choice of programs worth a search: those whose lower bound does not exceed the best time known.
//!
//! A program with a greater bound is neither the optimum nor a tie. Programs are evaluated natively in the order of
//! their bounds, so evaluation ends at the first bound beyond the best time.

use rayon::prelude::*;
use typed_index_collections::TiVec;

use super::error::SpaceError;
use super::survey::{Survey, UniqueProgram};
use crate::index::ProgramId;
use crate::limits::Limits;
use crate::machine::{Bound, By, Evaluation, evaluate, lower_bound};
use crate::spec::Spec;
use crate::ticks::Ticks;

/// The events of one program beyond which its evaluation is an error.
const MOST_EVENTS: u64 = 100_000_000;
/// The greatest number of programs that are evaluated before the best time is updated; the first chunks are smaller.
const CHUNK: usize = 256;

/// The programs that are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pruning {
    /// No program: all are evaluated and searched.
    None,
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
    pub(crate) fn ticks(&self, program: ProgramId) -> Ticks {
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
    let bounds = survey.programs.raw.par_iter().map(bound).collect::<Vec<Bound>>();
    let bounds = TiVec::<ProgramId, Bound>::from(bounds);
    let mut order: Vec<ProgramId> = bounds.keys().collect();
    order.sort_by_key(|&program| bounds[program].ticks);
    let mut best = Best::new(pruning.most());
    let mut evaluations = TiVec::from(vec![None; bounds.len()]);
    let mut stopped = false;
    let mut left = order.as_slice();
    let mut size = 1;
    while !left.is_empty() {
        let (chunk, others) = left.split_at(size.min(left.len()));
        (left, size) = (others, (2 * size).min(CHUNK));
        if pruning.stops_evaluation() && bounds[chunk[0]].ticks > best.threshold().get() {
            break;
        }
        let worth =
            |program: &&ProgramId| !pruning.stops_evaluation() || bounds[**program].ticks <= best.threshold().get();
        let worth: Vec<ProgramId> = chunk.iter().filter(worth).copied().collect();
        let evaluated: Vec<_> = worth.par_iter().map(|&program| evaluated(spec, survey, program, limits)).collect();
        for (program, evaluation) in worth.into_iter().zip(evaluated) {
            match evaluation? {
                Some(evaluation) => {
                    check_bound(spec, survey, program, bounds[program], evaluation)?;
                    best.add(evaluation.ticks.into());
                    evaluations[program] = Some(evaluation);
                }
                None => stopped = true,
            }
        }
    }
    let is_worth = |program: &ProgramId| bounds[*program].ticks <= best.threshold().get();
    let searched = bounds.keys().filter(is_worth).collect();
    Ok(Estimates { bounds, evaluations, searched, stopped })
}

impl Pruning {
    /// The number of best times to keep; 0 if all programs are searched.
    fn most(self) -> usize {
        match self {
            Self::None => 0,
            Self::Rank(most) | Self::Best(most) => most,
        }
    }

    fn stops_evaluation(self) -> bool {
        matches!(self, Self::Best(_))
    }
}

/// The n least times.
#[derive(Debug, Clone)]
pub(crate) struct Best {
    times: Vec<Ticks>,
    most: usize,
}

impl Best {
    /// The `most` least times, before any time is known.
    pub(crate) fn new(most: usize) -> Self {
        Self { times: Vec::new(), most }
    }

    pub(crate) fn add(&mut self, ticks: Ticks) {
        let place = self.times.partition_point(|&time| time <= ticks);
        if place < self.most {
            self.times.insert(place, ticks);
            self.times.truncate(self.most);
        }
    }

    /// The time beyond which a program is not among the n best, in ticks; [`Ticks::MAX`] while fewer are known.
    pub(crate) fn threshold(&self) -> Ticks {
        if self.most > 0 && self.times.len() == self.most { self.times[self.most - 1] } else { Ticks::MAX }
    }
}

fn bound(distinct: &UniqueProgram) -> Bound {
    if distinct.too_long.is_none() {
        return lower_bound(&distinct.program);
    }
    // Sums of a time beyond 2^60 may exceed 64 bits; the critical path alone is bound enough.
    let program = &distinct.program;
    let (full, rest) = program.waves();
    let waves = u128::from(full) + u128::from(rest > 0);
    let ticks = (u128::from(program.passes) * waves).saturating_mul(program.critical_path());
    Bound { ticks: u64::try_from(ticks).unwrap_or(u64::MAX), by: By::CriticalPath }
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
    let distinct = &survey.programs[program];
    let configuration = || spec.label(&survey.entries[distinct.entry].configuration);
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
    let configuration = spec.label(&survey.entries[survey.programs[program].entry].configuration);
    Err(SpaceError::UnsoundBound { configuration, bound, ticks: evaluation.ticks.into() })
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::gpu::Profile;
    use crate::machine::{Program, ProgramError, Server, Statement};
    use crate::space::survey;

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

    /// As if its time were too long: each wave takes at least the critical path.
    #[test]
    fn the_bound_of_a_time_that_is_too_long_is_the_critical_path_of_all_waves() {
        for (groups, waves) in [(4, 2), (5, 3)] {
            let body = vec![Statement::Use { server: Server::Memory, occupancy: 1, latency: 1000 }];
            let (multiprocessors, dispatchers, resident_groups, warps_per_group) = (1, 1, 2, 1);
            let shape = Program {
                multiprocessors,
                dispatchers,
                groups,
                resident_groups,
                warps_per_group,
                passes: 3,
                launch: 0,
                body,
            };
            let too_long = Some(ProgramError::Zero("groups"));
            let bound = bound(&UniqueProgram { entry: 0.into(), program: shape, work_group: 1, too_long });
            assert_eq!(bound, Bound { ticks: 3 * waves * 1000, by: By::CriticalPath });
        }
    }

    /// No program was evaluated in time, so no program is excluded.
    #[test]
    fn what_no_bound_excludes_is_to_be_searched_when_time_is_up() {
        let spec = Spec::load("tuning-specs/abstract_kernel.yaml".as_ref()).unwrap();
        let profile = Profile::resolve("abstract-tiny").unwrap();
        let survey = survey(&spec, &profile, None, &Limits::default()).unwrap().unwrap();
        let over = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        let estimates = estimate(&spec, &survey, Pruning::Best(1), &over).unwrap();
        assert!(estimates.stopped && !survey.programs.is_empty());
        assert_eq!((estimates.searched.len(), estimates.best()), (survey.programs.len(), None));
    }
}
