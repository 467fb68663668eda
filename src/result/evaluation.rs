//! The native evaluator's times, without a model checker (`schemas/evaluation.json`).

use schemars::JsonSchema;
use serde::Serialize;

use super::{Integers, Limit, Values};

/// The result of `autotune evaluate SPEC --gpu GPU --format json`: the native evaluator's times, in ticks.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EvaluationReport {
    /// The id of this schema.
    #[schemars(extend("const" = EvaluationReport::SCHEMA))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The configurations in the space's order; with `--top N` the N fastest, the fastest first.
    pub configurations: Vec<EvaluatedReport>,
    /// With `--top`: the number of configurations that are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted: Option<usize>,
}

impl EvaluationReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.evaluation/1";
}

/// The time of one configuration.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EvaluatedReport {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The time in ticks; null if the configuration cannot run.
    pub ticks: Option<u64>,
    /// The ticks on the GPU's clock; null if the configuration cannot run, or on an abstract processor, which has no clock.
    #[schemars(range(min = 0))]
    pub microseconds: Option<f64>,
    /// What is resident on a multiprocessor at a time; null if the configuration cannot run, or on a lockstep GPU, which runs
    /// group after group.
    pub occupancy: Option<OccupancyReport>,
    /// Why the configuration cannot run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What is resident on a multiprocessor at a time.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct OccupancyReport {
    /// The number of work groups that fit.
    #[schemars(range(min = 1))]
    pub resident_groups: u64,
    /// The warps of all groups that fit.
    #[schemars(range(min = 1))]
    pub warps: u64,
    /// The limit that keeps more groups away.
    pub limit: Limit,
    /// The work groups of the largest wave: fewer than fit, if the launch has no more for a multiprocessor.
    #[schemars(range(min = 1))]
    pub wave_groups: u64,
    /// The warps of all groups of the largest wave.
    #[schemars(range(min = 1))]
    pub wave_warps: u64,
}

impl EvaluatedReport {
    /// A key by which the fastest configuration is least and one that cannot run is last.
    pub(crate) fn rank(&self) -> (bool, Option<u64>) {
        (self.ticks.is_none(), self.ticks)
    }
}
