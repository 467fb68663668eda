//! Efficiencies, as a result states them.

use super::values::values;
use crate::models::efficiency::{Efficiency, Weights};
use crate::result::{EfficiencyReport, RatedReport};
use crate::spec::{Configuration, Spec};

/// The report of the efficiencies of configurations, the most efficient first.
#[must_use]
pub fn efficiency(
    spec: &Spec,
    gpu: &str,
    weights: Weights,
    mut rated: Vec<(Configuration, Efficiency)>,
) -> EfficiencyReport {
    rated.sort_by(|(_, one), (_, two)| two.r.total_cmp(&one.r));
    let configurations = rated
        .into_iter()
        .map(|(configuration, efficiency)| RatedReport { parameters: values(spec, &configuration), efficiency });
    EfficiencyReport {
        schema: EfficiencyReport::SCHEMA,
        kernel: spec.kernel.clone(),
        gpu: gpu.to_owned(),
        weights,
        configurations: configurations.collect(),
    }
}
