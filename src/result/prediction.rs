//! Times by the wave model (`schemas/prediction.json`).

use schemars::JsonSchema;
use serde::Serialize;

use super::{Integers, LeftOut, Values, WavePrediction};

/// The result of `autotune predict SPEC --gpu GPU --format json`: times by the wave model. Cycles are of the core clock. The
/// model to use is the machine; the formulas are the literature's, for comparison.
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
    /// The terms of the formula that the profile lacks, of what any of the configurations needs.
    pub left_out: Vec<LeftOut>,
    /// With `--config`: the terms of the time. microseconds = launches * (launch + sum over waves).
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
    /// Its time.
    #[schemars(range(min = 0))]
    pub microseconds: f64,
    /// The same in cycles of the core clock.
    #[schemars(range(min = 0))]
    pub cycles: f64,
    /// What decides the wave that takes longest.
    #[schemars(extend("enum" = ["latency", "delay", "l1", "l2", "dram", "uncoalesced"]))]
    pub bound: &'static str,
}
