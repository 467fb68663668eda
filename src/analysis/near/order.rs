//! The order among configurations that are as fast, or nearly: the spec's preferences, then less time, then a work group that
//! is a multiple of the warp, then the larger one, then fewer registers, then the order of the space.

use rayon::prelude::*;

use super::NearError;
use crate::lowering::{Geometry, Launched, Lowering};
use crate::spec::{GpuNames, SpecError};
use crate::tuning::{Question, Survey};

/// What decides where the preferences leave it open.
const USUAL: [&str; 4] =
    ["the least time", "a work group that is a multiple of the warp", "the larger work group", "fewer registers"];
/// What decides last.
const LAST: &str = "the order of the space";

/// The order of a question's configurations.
pub(super) struct Order<'a> {
    question: &'a Question<'a>,
    survey: &'a Survey,
    lowering: Lowering<'a>,
}

/// A configuration that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    /// Its place among the survey's entries.
    pub(super) entry: usize,
    pub(super) ticks: u64,
    /// Its rank by each criterion in turn; of two candidates the one with the lesser ranks goes first.
    ranks: Vec<i128>,
}

impl<'a> Order<'a> {
    pub(super) fn new(question: &'a Question<'a>, survey: &'a Survey) -> Self {
        Self { question, survey, lowering: Lowering::new(question.spec, question.profile) }
    }

    /// The candidates, the preferred first.
    pub(super) fn sorted(&self, candidates: &[(usize, u64)]) -> Result<Vec<Candidate>, NearError> {
        let mut candidates = self.candidates(candidates)?;
        candidates.sort_by(|one, other| (&one.ranks, one.entry).cmp(&(&other.ranks, other.entry)));
        Ok(candidates)
    }

    /// The `most` fastest; those that are as fast in the order of preference.
    pub(super) fn best(&self, candidates: &[(usize, u64)], most: usize) -> Result<Vec<(usize, u64)>, NearError> {
        let mut candidates = self.sorted(candidates)?;
        candidates.sort_by_key(|candidate| candidate.ticks);
        Ok(candidates.into_iter().take(most).map(|candidate| (candidate.entry, candidate.ticks)).collect())
    }

    /// The criteria that distinguish the first of sorted candidates from the others.
    pub(super) fn deciding(&self, sorted: &[Candidate]) -> Vec<String> {
        let Some(first) = sorted.first() else { return Vec::new() };
        let preferences = self.question.spec.prefer.iter().map(|preference| preference.text());
        let criteria = preferences.chain(USUAL.map(str::to_owned));
        let mut left: Vec<&Candidate> = sorted.iter().collect();
        let mut deciding = Vec::new();
        for (place, criterion) in criteria.enumerate() {
            let before = left.len();
            left.retain(|candidate| candidate.ranks[place] == first.ranks[place]);
            if left.len() < before {
                deciding.push(criterion);
            }
        }
        if left.len() > 1 {
            deciding.push(LAST.to_owned());
        }
        deciding
    }

    fn candidates(&self, candidates: &[(usize, u64)]) -> Result<Vec<Candidate>, NearError> {
        let candidate = |&(entry, ticks): &(usize, u64)| {
            let ranks = self.ranks(entry, ticks)?;
            Ok(Candidate { entry, ticks, ranks })
        };
        candidates.par_iter().map(candidate).collect::<Vec<_>>().into_iter().collect()
    }

    fn ranks(&self, entry: usize, ticks: u64) -> Result<Vec<i128>, NearError> {
        let launched = self.lowering.launch(&self.survey.entries[entry].configuration)?;
        // What has a program can be launched.
        let Ok(Launched { scope, geometry: Geometry { work_group, registers, local_memory, .. } }) = launched else {
            return Ok(Vec::new());
        };
        let value = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let scope = scope.with_resources(value(work_group), value(registers), value(local_memory));
        let preferred = self.question.spec.prefer.iter().map(|preference| preference.rank(&scope));
        let preferred: Vec<i128> = preferred.collect::<Result<_, _>>().map_err(SpecError::from)?;
        let GpuNames { warp_size, .. } = self.lowering.names();
        let is_broken = !work_group.is_multiple_of(warp_size.unsigned_abs().max(1));
        let usual = [i128::from(ticks), i128::from(is_broken), -i128::from(work_group), i128::from(registers)];
        Ok(preferred.into_iter().chain(usual).collect())
    }
}
