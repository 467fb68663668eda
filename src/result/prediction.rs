//! Times by the wave model (`schemas/prediction.json`).

use schemars::JsonSchema;
use serde::Serialize;

use super::{Integers, Values};
use crate::models::predict::{LeftOut, WavePrediction};

/// The result of `autotune predict SPEC --gpu GPU --format json`: times by the wave model. The machine is the model to
/// use; the formulas are from the literature, for comparison.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PredictionReport {
    /// The id of this schema.
    #[schemars(extend("const" = PredictionReport::SCHEMA))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The feasible configurations, the fastest first.
    #[schemars(length(min = 1))]
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
}

/// The time of one configuration.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PredictedReport {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The time of the whole program, in microseconds.
    #[schemars(range(min = 0))]
    pub microseconds: f64,
    /// The time of the whole program, in cycles of the core clock.
    #[schemars(range(min = 0))]
    pub cycles: f64,
    /// The bottleneck of the longest wave of a launch.
    #[schemars(extend("enum" = ["latency", "delay", "l1", "l2", "dram", "uncoalesced"]))]
    pub bound: &'static str,
}
