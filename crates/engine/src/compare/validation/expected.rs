//! The worth of the machine's first pick among runs, as an answer expects it.

use super::assessment::Assessment;
use super::load::MachineLoad;
use crate::compare::expected::Expected;
use autotune_lowering::gpu::Profile;

/// The expectation for the runs that were not refused. `None` where an answer has none, and without a predicted time.
pub(super) fn expected(profile: &Profile, assessments: &[Assessment]) -> Option<Expected> {
    let loads: Vec<&MachineLoad> = assessments.iter().filter_map(Assessment::load).collect();
    let ticks = |load: &&&MachineLoad| load.ticks.as_ref().ok().copied();
    let first = loads.iter().filter(|load| ticks(load).is_some()).min_by_key(ticks)?;
    let waves: Vec<Option<f64>> = loads.iter().map(|load| load.waves).collect();
    Expected::of_space(profile, &waves, first.groups)
}
