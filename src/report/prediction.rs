//! Times by the wave model, as a result states them.

use super::values::values;
use crate::models::predict::WavePrediction;
use crate::result::{PredictedReport, PredictionReport};
use crate::spec::{Configuration, Spec};

/// The report of the times of configurations, the fastest first. With `terms` it includes the parts of the fastest
/// one's time.
#[must_use]
pub fn prediction(
    spec: &Spec,
    gpu: &str,
    mut predictions: Vec<(Configuration, WavePrediction)>,
    terms: bool,
) -> PredictionReport {
    predictions.sort_by(|(_, one), (_, two)| one.microseconds.total_cmp(&two.microseconds));
    let mut left_out = Vec::new();
    for term in predictions.iter().flat_map(|(_, prediction)| &prediction.left_out) {
        if !left_out.contains(term) {
            left_out.push(*term);
        }
    }
    let configurations = predictions.iter().map(|(configuration, prediction)| PredictedReport {
        parameters: values(spec, configuration),
        microseconds: prediction.microseconds,
        cycles: prediction.cycles,
        bound: bound(prediction),
    });
    PredictionReport {
        schema: PredictionReport::SCHEMA,
        kernel: spec.kernel.clone(),
        gpu: gpu.to_owned(),
        configurations: configurations.collect(),
        left_out,
        terms: predictions.into_iter().next().filter(|_| terms).map(|(_, prediction)| prediction),
    }
}

/// The bottleneck of the longest wave of a launch; empty without a wave.
fn bound(prediction: &WavePrediction) -> &'static str {
    let longest = prediction.waves.iter().max_by(|one, two| one.cycles.total_cmp(&two.cycles));
    longest.map_or("", |wave| wave.bound.name())
}
