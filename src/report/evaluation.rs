//! The native evaluator's times, without a model checker (`schemas/evaluation.json`).

use serde::Serialize;
use serde_json::{Map, Value};

use crate::spec::Spec;
use crate::tuning::{Fate, Survey};

/// The times of configurations.
#[derive(Debug, Serialize)]
pub struct EvaluationReport {
    schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The configurations, in the space's order.
    pub configurations: Vec<Evaluated>,
}

/// The time of one configuration.
#[derive(Debug, Serialize)]
pub struct Evaluated {
    /// Its parameters.
    pub parameters: Map<String, Value>,
    /// Its time; none if it cannot run.
    pub ticks: Option<u64>,
    /// Why it cannot run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl EvaluationReport {
    /// The times of all entries of a survey; `ticks` are those of its programs.
    #[must_use]
    pub fn new(spec: &Spec, gpu: &str, survey: &Survey, ticks: &[Option<u64>]) -> Self {
        let configurations = survey.entries.iter().map(|entry| {
            let parameters = super::build::values(spec, &entry.configuration);
            match &entry.fate {
                Fate::Program(program) => Evaluated { parameters, ticks: ticks[*program], reason: None },
                Fate::Infeasible(reason) => Evaluated { parameters, ticks: None, reason: Some(reason.to_string()) },
            }
        });
        Self {
            schema: "autotune.evaluation/1",
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            configurations: configurations.collect(),
        }
    }
}
