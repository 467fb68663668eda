//! Predictions against measurements (`schemas/validation.json`).

use serde::Serialize;

use super::ResidualReport;
use super::values::Values;
use autotune_engine::compare::validation::{Findings, Validation};
use autotune_lowering::spec::Spec;

/// The result of `autotune validate SPEC --gpu GPU --measured FILE --format json`: predictions against measurements.
/// The machine is the model to use; the formulas are from the literature, for comparison.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ValidationReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = ValidationReport::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The findings over all problem sizes: counts are added, and other values are averaged.
    #[serde(flatten)]
    pub overall: Findings,
    /// The findings of each problem size; empty if the file has a single one.
    pub scenarios: Vec<ScenarioReport>,
    /// The machine's residuals by values of parameters, the greatest first. A parameter with a single value in the runs
    /// is left out.
    pub residuals: Vec<ResidualReport>,
}

impl ValidationReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.validation/1";

    /// The report of a validation of a kernel on a GPU.
    #[must_use]
    pub fn new(spec: &Spec, gpu: &str, validation: Validation) -> Self {
        let scenario = |(problem, findings): (Vec<(String, i64)>, Findings)| ScenarioReport {
            problem: problem.into_iter().map(|(name, value)| (name, value.into())).collect(),
            findings,
        };
        Self {
            schema: Self::SCHEMA,
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            overall: validation.overall,
            residuals: ResidualReport::by_value(spec, &validation.residuals),
            scenarios: validation.scenarios.into_iter().map(scenario).collect(),
        }
    }
}

/// The findings of one problem size.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ScenarioReport {
    /// The problem sizes.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub problem: Values,
    /// The findings of this problem size.
    #[serde(flatten)]
    pub findings: Findings,
}
