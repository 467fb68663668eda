//! The picks of a ranking that each run corrects, and where predictions are wrong.

use serde::Serialize;

use super::assessment::Assessment;
use super::picks::mean;
use crate::compare::measured::MeasuredRun;
use autotune_lowering::gpu::Profile;
use autotune_lowering::space::Space;
use autotune_lowering::spec::{Spec, SpecError};
use autotune_machine::correction::{Positions, Residuals, Suggester};

/// The number of runs before a ranking is compared.
const RUNS: usize = 10;

/// The best fraction of the first 5 and 10 picks, if each run corrects the ranking before the next one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[expect(missing_docs, reason = "the names say it")]
pub struct CorrectedPicks {
    #[cfg_attr(feature = "schemas", schemars(range(min = 0.0, max = 1.000_001)))]
    #[serde(rename = "5")]
    pub five: f64,
    #[cfg_attr(feature = "schemas", schemars(range(min = 0.0, max = 1.000_001)))]
    #[serde(rename = "10")]
    pub ten: f64,
}

impl CorrectedPicks {
    /// The means; `None` without picks.
    pub(super) fn mean(picks: &[Self]) -> Option<Self> {
        let of = |value: fn(&Self) -> f64| mean(picks.iter().map(value));
        Some(Self { five: of(|picks| picks.five)?, ten: of(|picks| picks.ten)? })
    }
}

/// The positions of the configurations that were run.
pub(super) fn positions(spec: &Spec, profile: &Profile, runs: &[MeasuredRun]) -> Result<Positions, SpecError> {
    let space = Space::new(spec, &profile.names(spec.has_dynamic_local_memory()))?;
    let rows: Vec<&[i64]> = runs.iter().map(|run| run.configuration.0.as_slice()).collect();
    Ok(Positions::of(&rows, space.domains()))
}

/// Measures the runs that a ranking by these costs suggests, one at a time. Returns its picks, and the ranking as the
/// runs have corrected it. `fractions` are the best time divided by that of each run.
pub(super) fn simulated(
    costs: &[Option<f64>],
    positions: &Positions,
    times: &[Option<f64>],
    fractions: &[f64],
) -> (CorrectedPicks, Suggester) {
    let costs: Vec<f64> = costs.iter().map(|cost| cost.unwrap_or(f64::NAN)).collect();
    let mut suggester = Suggester::new(&costs, positions.clone());
    let mut best = [0.0; RUNS];
    let mut so_far = 0.0;
    for best in &mut best {
        if let Some(next) = suggester.next(1).first() {
            so_far = f64::max(so_far, fractions[next.row]);
            suggester.tell(next.row, times[next.row]);
        }
        *best = so_far;
    }
    (CorrectedPicks { five: best[4], ten: best[9] }, suggester)
}

/// The runs that a predictor predicts and that succeeded: their values, and the logarithm of measured divided by
/// predicted time above the median of this problem size.
pub(super) fn residuals(place: usize, assessments: &[Assessment], runs: &[MeasuredRun]) -> Vec<(Vec<i64>, f64)> {
    let residual = |(assessment, run): (&Assessment, &MeasuredRun)| {
        let cost = assessment.cost(place).filter(|cost| cost.is_finite() && *cost > 0.0)?;
        Some((run.configuration.0.clone(), (run.milliseconds? / cost).ln()))
    };
    let mut residuals: Vec<(Vec<i64>, f64)> = assessments.iter().zip(runs).filter_map(residual).collect();
    let rows: Vec<(&[i64], f64)> = residuals.iter().map(|(values, residual)| (values.as_slice(), *residual)).collect();
    let level = Residuals::of(&rows).map_or(0.0, |all| all.scale.ln());
    for (_, residual) in &mut residuals {
        *residual -= level;
    }
    residuals
}
