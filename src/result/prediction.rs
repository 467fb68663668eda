//! Times by the wave model (`schemas/prediction.json`).

use serde::Serialize;

use super::values::{Values, values};
use autotune_lowering::models::predict::{Bottleneck, LeftOut, WavePrediction};
use autotune_lowering::spec::{Configuration, Spec};

/// The result of `autotune predict SPEC --gpu GPU --format json`: times by the wave model. The machine is the model to
/// use; the formulas are from the literature, for comparison.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct PredictionReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = PredictionReport::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The feasible configurations, the fastest first.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub configurations: Vec<PredictedReport>,
    /// The terms of the formula that a configuration needs but the profile lacks.
    pub left_out: Vec<LeftOut>,
    /// The parts of the time: microseconds = launches * (launch + sum over waves). Absent without `--config`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<WavePrediction>,
}

impl PredictionReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.prediction/1";

    /// The report of the times of configurations, the fastest first. With `terms` it includes the parts of the fastest
    /// one's time.
    #[must_use]
    pub fn new(spec: &Spec, gpu: &str, mut predictions: Vec<(Configuration, WavePrediction)>, terms: bool) -> Self {
        predictions.sort_by(|(_, left), (_, right)| left.microseconds.total_cmp(&right.microseconds));
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
            bound: prediction.bottleneck(),
        });
        Self {
            schema: Self::SCHEMA,
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            configurations: configurations.collect(),
            left_out,
            terms: predictions.into_iter().next().filter(|_| terms).map(|(_, prediction)| prediction),
        }
    }
}

/// The terms that a profile lacks, in words; `None` if there are none.
pub(super) fn lacking(terms: &[LeftOut]) -> Option<String> {
    let names: Vec<&str> = terms.iter().map(|term| term.term()).collect();
    (!names.is_empty()).then(|| format!("without {}: this GPU's profile lacks them", names.join(", ")))
}

/// The time of one configuration.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct PredictedReport {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The time of the whole program, in microseconds.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub microseconds: f64,
    /// The time of the whole program, in cycles of the core clock.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub cycles: f64,
    /// The bottleneck of the longest wave of a launch; null without a wave.
    pub bound: Option<Bottleneck>,
}
