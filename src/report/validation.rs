//! Predictions against measurements, as a result states them.

use super::suggestion::residuals;
use crate::compare::validation::{Findings, Validation};
use crate::result::{ScenarioReport, ValidationReport};
use crate::spec::Spec;

/// The report of a validation of a kernel on a GPU.
#[must_use]
pub fn validation(spec: &Spec, gpu: &str, validation: Validation) -> ValidationReport {
    let scenario = |(problem, findings): (Vec<(String, i64)>, Findings)| ScenarioReport {
        problem: problem.into_iter().map(|(name, value)| (name, value.into())).collect(),
        findings,
    };
    ValidationReport {
        schema: ValidationReport::SCHEMA,
        kernel: spec.kernel.clone(),
        gpu: gpu.to_owned(),
        overall: validation.overall,
        residuals: residuals(spec, &validation.residuals),
        scenarios: validation.scenarios.into_iter().map(scenario).collect(),
    }
}
