//! The native evaluator's times, without a model checker (`schemas/evaluation.json`).

use serde::Serialize;
use serde_json::{Map, Value};

use crate::gpu::Limit;
use crate::machine::Program;
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
    /// What of it is resident on a multiprocessor; none if it cannot run, or on a lockstep GPU, which runs group after group.
    pub occupancy: Option<OccupancyReport>,
    /// Why it cannot run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What is resident on a multiprocessor at a time.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct OccupancyReport {
    /// Work groups.
    pub resident_groups: u64,
    /// Their warps, all together.
    pub warps: u64,
    /// Which limit keeps more away.
    pub limit: Limit,
}

impl OccupancyReport {
    fn new(program: &Program, limit: Limit) -> Self {
        let resident_groups = program.resident_groups;
        Self { resident_groups, warps: resident_groups.saturating_mul(program.warps_per_group), limit }
    }
}

impl EvaluationReport {
    /// The times of all entries of a survey; `ticks` are those of its programs.
    #[must_use]
    pub fn new(spec: &Spec, gpu: &str, survey: &Survey, ticks: &[Option<u64>]) -> Self {
        let configurations = survey.entries.iter().map(|entry| {
            let parameters = super::build::values(spec, &entry.configuration);
            match &entry.fate {
                Fate::Program(number) => {
                    let program = &survey.programs[*number].program;
                    let occupancy = entry.limit.map(|limit| OccupancyReport::new(program, limit));
                    Evaluated { parameters, ticks: ticks[*number], occupancy, reason: None }
                }
                Fate::Infeasible(reason) => {
                    Evaluated { parameters, ticks: None, occupancy: None, reason: Some(reason.to_string()) }
                }
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
