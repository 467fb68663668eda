//! The efficiency of each configuration (`schemas/efficiency.json`).

use serde::Serialize;

use super::values::{Values, values};
use autotune_lowering::models::efficiency::{Efficiency, Weights};
use autotune_lowering::spec::{Configuration, Spec};

/// The result of `autotune efficiency SPEC --gpu GPU --format json`: the efficiency R is the product of `K_i` ^ `w_i`.
/// The machine is the model to use; the formulas are from the literature, for comparison.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct EfficiencyReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = EfficiencyReport::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The exponents `w_1` to `w_6`.
    pub weights: Weights,
    /// The feasible configurations, the most efficient first.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub configurations: Vec<RatedReport>,
}

impl EfficiencyReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.efficiency/1";

    /// The report of the efficiencies of configurations, the most efficient first.
    #[must_use]
    pub fn new(spec: &Spec, gpu: &str, weights: Weights, mut rated: Vec<(Configuration, Efficiency)>) -> Self {
        rated.sort_by(|(_, left), (_, right)| right.r.total_cmp(&left.r));
        let configurations = rated
            .into_iter()
            .map(|(configuration, efficiency)| RatedReport { parameters: values(spec, &configuration), efficiency });
        Self {
            schema: Self::SCHEMA,
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            weights,
            configurations: configurations.collect(),
        }
    }
}

/// The efficiency of one configuration.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct RatedReport {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The efficiency R and its factors.
    #[serde(flatten)]
    pub efficiency: Efficiency,
}
