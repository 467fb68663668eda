//! Times of single launches, made comparable with predictions of all launches.

use super::ValidationError;
use crate::compare::measured::Measurements;
use autotune_lowering::gpu::Profile;
use autotune_lowering::spec::{Spec, SpecError};

/// Multiplies each measured time by the launches of its configuration.
///
/// # Errors
/// If `launch.times` of a configuration cannot be evaluated.
pub fn of_all_launches(
    spec: &Spec,
    profile: &Profile,
    mut measured: Measurements,
) -> Result<Measurements, ValidationError> {
    for scenario in &mut measured.scenarios {
        let spec = scenario.sized(spec)?;
        let names = profile.names(spec.has_dynamic_local_memory());
        for run in &mut scenario.runs {
            let scope = spec.scope(&names, &run.configuration)?;
            let launches = spec.launch.times.positive(&scope).map_err(SpecError::from)?;
            #[expect(clippy::cast_precision_loss, reason = "a measured time has far fewer digits")]
            let launches = launches as f64;
            run.milliseconds = run.milliseconds.map(|time| time * launches);
        }
    }
    Ok(measured)
}
