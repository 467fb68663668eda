//! What a batch would run (`schemas/plan.json`).

use schemars::JsonSchema;
use serde::Serialize;

use super::{Integers, Values};

/// The result of `autotune batch JOBS.yaml --dry-run --format json`: what would run, and what that is expected to cost.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PlanReport {
    /// The id of this schema.
    #[schemars(extend("const" = PlanReport::SCHEMA))]
    pub schema: &'static str,
    /// Where the jobs would run.
    pub executor: String,
    /// How many jobs run at a time, if that is limited.
    #[schemars(range(min = 1))]
    pub at_a_time: Option<usize>,
    /// The jobs, in the order of the job list.
    pub jobs: Vec<PlannedJob>,
}

/// A job that would run.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PlannedJob {
    /// The spec as the job list names it.
    pub spec: String,
    /// The GPU as the job list names it.
    pub gpu: String,
    /// The problem sizes that the job list sets.
    #[schemars(with = "Integers")]
    pub set: Values,
    /// The configurations of the domains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configurations: Option<u128>,
    /// The configurations that can run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feasible: Option<u128>,
    /// The programs that SPIN would search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searched: Option<usize>,
    /// The expected cost of its searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<PlannedCost>,
    /// Why the job would fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How to mend the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// The expected cost of a job's searches.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PlannedCost {
    /// Stored states of the greatest search.
    pub states: usize,
    /// Events that a search steps through.
    pub events: u64,
    /// Memory of the greatest search, in MiB.
    pub memory_mib: f64,
    /// Time of all searches, in seconds.
    pub search_seconds: f64,
}

impl PlannedJob {
    /// A job of which nothing is known yet.
    #[must_use]
    pub fn new(spec: &str, gpu: &str, set: Values) -> Self {
        let (spec, gpu) = (spec.to_owned(), gpu.to_owned());
        let (configurations, feasible, searched, estimate) = (None, None, None, None);
        Self { spec, gpu, set, configurations, feasible, searched, estimate, error: None, help: None }
    }
}

impl PlanReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.plan/1";

    /// The report of these jobs.
    #[must_use]
    pub fn new(executor: String, at_a_time: Option<usize>, jobs: Vec<PlannedJob>) -> Self {
        Self { schema: Self::SCHEMA, executor, at_a_time, jobs }
    }
}
