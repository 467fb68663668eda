//! The order among configurations that are equally or nearly as fast: the spec's preferences, then less time, then a work
//! group that is a multiple of the warp, then the larger work group, then fewer registers, then the order of the space.

use rayon::prelude::*;

use super::pick::{NearError, Pick};
use crate::proof::Question;
use autotune_base::index::EntryId;
use autotune_base::limits::Limits;
use autotune_base::ticks::Ticks;
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::lowering::{Feasibility, Geometry, Launched, Lowering};
use autotune_lowering::space::{Survey, allowed};
use autotune_lowering::spec::{Configuration, GpuNames, Preference, Spec, SpecError};

/// The criteria that decide after the preferences.
const USUAL: [&str; 4] =
    ["the least time", "a work group that is a multiple of the warp", "the larger work group", "fewer registers"];
/// The criterion that decides last.
const LAST: &str = "the order of the space";

/// The order of a survey's configurations.
pub(super) struct Order<'a> {
    spec: &'a Spec,
    survey: &'a Survey,
    lowering: Lowering<'a>,
}

/// A configuration that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) pick: Pick,
    /// The ranks by each criterion in turn; the candidate with the lexicographically lesser ranks goes first.
    ranks: Vec<i128>,
}

/// Checks, before a proof, that the preferences can be evaluated for every feasible configuration. After a limit the
/// others are not checked.
///
/// # Errors
/// If a preference cannot be evaluated for a configuration.
pub fn check_preferences(question: &Question, limits: &Limits) -> Result<(), NearError> {
    let Question { spec, profile, reader, only, .. } = question;
    if spec.prefer.is_empty() {
        return Ok(());
    }
    let lowering = Lowering::new(spec, profile, reader);
    // Errors of the space itself are reported by the tuning.
    let configurations = only.map_or_else(|| allowed(spec, profile), |only| Ok(vec![only.clone()])).unwrap_or_default();
    let check = |configuration| match ranks(spec, &lowering, configuration) {
        // Nothing is known of the configuration, and the tuning says so.
        Err(NearError::Lowering(why)) if why.unfinished().is_some() => Ok(()),
        outcome => outcome.map(|_| ()),
    };
    let check = |configuration| if limits.exceeded().is_some() { Ok(()) } else { check(configuration) };
    configurations.par_iter().map(check).collect::<Vec<_>>().into_iter().collect()
}

impl<'a> Order<'a> {
    pub(super) fn new(spec: &'a Spec, profile: &'a Profile, reader: &'a SourceReader, survey: &'a Survey) -> Self {
        Self { spec, survey, lowering: Lowering::new(spec, profile, reader) }
    }

    /// The candidates, the preferred first.
    pub(super) fn sorted(&self, candidates: &[(EntryId, Ticks)]) -> Result<Vec<Candidate>, NearError> {
        let mut candidates = self.candidates(candidates)?;
        candidates.sort_by(|candidate, other| {
            (&candidate.ranks, candidate.pick.entry).cmp(&(&other.ranks, other.pick.entry))
        });
        Ok(candidates)
    }

    /// The `most` fastest candidates; equally fast ones in the order of preference.
    pub(super) fn best(
        &self,
        candidates: &[(EntryId, Ticks)],
        most: usize,
    ) -> Result<Vec<(EntryId, Ticks)>, NearError> {
        let mut candidates = self.sorted(candidates)?;
        candidates.sort_by_key(|candidate| candidate.pick.ticks);
        Ok(candidates.into_iter().take(most).map(|Candidate { pick, .. }| (pick.entry, pick.ticks)).collect())
    }

    /// The criteria that distinguish the first of sorted candidates from the others.
    pub(super) fn deciding(&self, sorted: &[Candidate]) -> Vec<String> {
        let Some(first) = sorted.first() else { return Vec::new() };
        let preferences = self.spec.prefer.iter().map(Preference::text);
        let criteria = preferences.chain(USUAL.map(str::to_owned));
        let mut left: Vec<&Candidate> = sorted.iter().collect();
        let mut deciding = Vec::new();
        for (place, criterion) in criteria.enumerate() {
            let before = left.len();
            left.retain(|candidate| candidate.ranks.get(place) == first.ranks.get(place));
            if left.len() < before {
                deciding.push(criterion);
            }
        }
        if left.len() > 1 {
            deciding.push(LAST.to_owned());
        }
        deciding
    }

    fn candidates(&self, candidates: &[(EntryId, Ticks)]) -> Result<Vec<Candidate>, NearError> {
        candidates
            .par_iter()
            .map(|&(entry, ticks)| self.candidate(entry, ticks))
            .collect::<Vec<_>>()
            .into_iter()
            .collect()
    }

    fn candidate(&self, entry: EntryId, ticks: Ticks) -> Result<Candidate, NearError> {
        let configuration = &self.survey.entries.get(entry).configuration;
        let Ranks { mut preferred, work_group, registers } = ranks(self.spec, &self.lowering, configuration)?;
        let GpuNames { warp_size, .. } = self.lowering.names();
        let is_broken = !work_group.is_multiple_of(warp_size.unsigned_abs().max(1));
        preferred.extend([i128::from(ticks.get()), is_broken.into(), -i128::from(work_group), registers.into()]);
        Ok(Candidate { pick: Pick { entry, ticks, work_group }, ranks: preferred })
    }
}

/// The ranks of a configuration without its time.
#[derive(Default)]
struct Ranks {
    /// The ranks by each of the preferences.
    preferred: Vec<i128>,
    work_group: u64,
    registers: u64,
}

/// The ranks of a configuration; empty if it cannot be launched.
fn ranks(spec: &Spec, lowering: &Lowering, configuration: &Configuration) -> Result<Ranks, NearError> {
    let Feasibility::Feasible(Launched { scope, geometry, registers, .. }) = lowering.launch(configuration)? else {
        return Ok(Ranks::default());
    };
    let (Geometry { work_group, local_memory, .. }, registers) = (geometry, registers.number);
    let value = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let scope = scope.with_resources(value(work_group), value(registers), value(local_memory));
    let preferred = spec.prefer.iter().map(|preference| preference.rank(&scope)).collect::<Result<_, _>>();
    Ok(Ranks { preferred: preferred.map_err(SpecError::from)?, work_group, registers })
}
