//! The second opinion: the configuration that neither the machine nor the wave model finds slow.

use std::collections::BTreeSet;

use rayon::prelude::*;
use typed_index_collections::TiVec;

use super::pick::Pick;
use super::{EVENTS, EVENTS_OF_ONE, View};
use crate::compare::opinion::opinion;
use autotune_base::index::{EntryId, ProgramId};
use autotune_base::ticks::Ticks;

/// The number of programs that are evaluated before their times are looked at.
const CHUNK: usize = 16;

/// The recommended configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recommended {
    /// The configuration.
    pub pick: Pick,
    /// The wave model's time of the configuration, divided by the least such time in the space; at least 1.
    pub by_waves: f64,
}

/// A configuration that may be recommended.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    entry: EntryId,
    program: ProgramId,
    by_waves: f64,
    /// The time by the machine, or the lower bound of an unknown one.
    least: Ticks,
}

impl View<'_> {
    /// The configuration with the least opinion; of equal ones the least time by the machine, then the order of the space.
    /// `None` where the wave model does not apply, or if too many programs could still be the one: they are evaluated
    /// only within [`EVENTS`] events.
    pub(super) fn recommended(&self) -> Option<Recommended> {
        let candidates = self.candidates()?;
        let mut times = self.times.clone();
        let (mut left, mut events) = (candidates.as_slice(), 0);
        let mut best: Option<Candidate> = None;
        let can_win = |candidate: &Candidate, best: &Option<Candidate>| {
            best.is_none_or(|best| self.opinion(candidate) <= self.opinion(&best))
        };
        while left.first().is_some_and(|first| can_win(first, &best)) {
            if events >= EVENTS {
                return None;
            }
            let (chunk, others) = left.split_at(CHUNK.min(left.len()));
            events += self.learn_all(chunk, &mut times);
            for &candidate in chunk {
                // A program that takes too many events could be the one.
                let known = Candidate { least: times[candidate.program]?, ..candidate };
                if best.is_none_or(|best| self.key(&known) < self.key(&best)) {
                    best = Some(known);
                }
            }
            left = others;
        }
        let Candidate { entry, program, by_waves, least } = best?;
        let work_group = self.survey.programs.get(program).work_group;
        Some(Recommended { pick: Pick { entry, ticks: least, work_group }, by_waves })
    }

    /// Evaluates the candidates whose times are not known, and returns the number of events.
    fn learn_all(&self, candidates: &[Candidate], times: &mut TiVec<ProgramId, Option<Ticks>>) -> u64 {
        let unknown = candidates.iter().map(|candidate| candidate.program).filter(|program| times[*program].is_none());
        let unknown: BTreeSet<ProgramId> = unknown.collect();
        let unknown: Vec<ProgramId> = unknown.into_iter().collect();
        let evaluated: Vec<_> = unknown.par_iter().map(|&program| self.evaluated(program)).collect();
        for (program, evaluated) in unknown.into_iter().zip(&evaluated) {
            times[program] = evaluated.map(|(ticks, _)| ticks);
        }
        evaluated.iter().map(|evaluated| evaluated.map_or(EVENTS_OF_ONE, |(_, stepped)| stepped)).sum()
    }

    /// The order of candidates: the less is recommended.
    fn key(&self, candidate: &Candidate) -> (f64, Ticks, EntryId) {
        (self.opinion(candidate), candidate.least, candidate.entry)
    }

    /// The value of a candidate if it takes its least time.
    fn opinion(&self, candidate: &Candidate) -> f64 {
        opinion(candidate.least.to_f64() / self.optimum.to_f64(), candidate.by_waves)
    }

    /// The configurations that could be recommended, the most promising first. `None` if the wave model does not apply to
    /// all of the space.
    fn candidates(&self) -> Option<Vec<Candidate>> {
        let waves: Vec<f64> =
            self.feasible.iter().map(|(entry, _)| self.survey.entries.waves(*entry)).collect::<Option<_>>()?;
        let least = waves.iter().copied().fold(f64::INFINITY, f64::min);
        let candidate = |(&(entry, program), waves): (&(EntryId, ProgramId), &f64)| {
            let bound = || self.estimates.bounds[program].ticks.into();
            Candidate { entry, program, by_waves: waves / least, least: self.times[program].unwrap_or_else(bound) }
        };
        let mut candidates: Vec<Candidate> = self.feasible.iter().zip(&waves).map(candidate).collect();
        let known = |candidate: &&Candidate| self.times[candidate.program].is_some();
        let most = candidates.iter().filter(known).map(|known| self.opinion(known)).fold(f64::INFINITY, f64::min);
        candidates.retain(|candidate| self.opinion(candidate) <= most);
        candidates.sort_by(|one, other| self.opinion(one).total_cmp(&self.opinion(other)));
        Some(candidates)
    }
}
