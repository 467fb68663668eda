//! A few configurations of a survey: the fastest ones, or fast ones that differ from each other.

use typed_index_collections::TiSlice;

use autotune_base::index::{EntryId, ProgramId};
use autotune_base::ticks::Ticks;
use autotune_lowering::gpu::Profile;
use autotune_lowering::space::{Space, SpaceError, Survey};
use autotune_lowering::spec::Spec;
use autotune_machine::correction::{Positions, Suggester};

/// The fastest configurations, at most `count`, the fastest first; of equal ones the first in the space's order. Those
/// without a time come last.
#[must_use]
pub fn fastest_ones(survey: &Survey, ticks: &TiSlice<ProgramId, Option<Ticks>>, count: usize) -> Vec<EntryId> {
    let mut entries: Vec<EntryId> = survey.entries.keys().collect();
    let time = |entry: EntryId| survey.entries.program(entry).and_then(|program| ticks[program]);
    entries.sort_by_key(|&entry| (time(entry).is_none(), time(entry)));
    entries.truncate(count);
    entries
}

/// The fastest configuration and others that are nearly as fast and differ from it and from each other in parameters that
/// matter, at most `count`. Configurations without a time are left out.
///
/// # Errors
/// If the space cannot be enumerated.
pub fn different(
    spec: &Spec,
    profile: &Profile,
    survey: &Survey,
    ticks: &TiSlice<ProgramId, Option<Ticks>>,
    count: usize,
) -> Result<Vec<EntryId>, SpaceError> {
    let space = Space::new(spec, &profile.names(spec.has_dynamic_local_memory()))?;
    let known = survey.runnable().filter_map(|(entry, program)| Some((entry, ticks[program]?)));
    let (entries, times): (Vec<EntryId>, Vec<f64>) = known.map(|(entry, ticks)| (entry, ticks.to_f64())).unzip();
    let values: Vec<&[i64]> = entries.iter().map(|&entry| survey.entries.values(entry)).collect();
    let suggester = Suggester::new(&times, Positions::of(&values, space.domains()));
    Ok(suggester.shortlist(count).into_iter().map(|row| entries[row]).collect())
}
