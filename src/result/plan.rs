//! The plan of a batch (`schemas/plan.json`).

use serde::Serialize;

use super::values::Values;
use autotune_engine::proof::{CostEstimate, Plan};

/// The result of `autotune batch JOBS.yaml --dry-run --format json`: the jobs that would run, and their expected cost.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct PlanReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = PlanReport::SCHEMA)))]
    pub schema: &'static str,
    /// The executor that would run the jobs: `local` or `slurm`.
    pub executor: String,
    /// The number of jobs that run at a time; null if it is not limited.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub at_a_time: Option<usize>,
    /// The jobs, in the order of the job list.
    pub jobs: Vec<PlannedJob>,
}

/// A job that would run.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct PlannedJob {
    /// The spec as the job list names it.
    pub spec: String,
    /// The GPU as the job list names it; the GPUs or the file of the scenarios, of a job about several.
    pub gpu: String,
    /// The problem sizes that the job list sets, without those that differ between scenarios.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub set: Values,
    /// The number of scenarios; absent if the job is about one. The numbers below are sums over the proofs of the scenarios'
    /// own optima, from which the further searches follow.
    #[cfg_attr(test, schemars(range(min = 2)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scenarios: Option<usize>,
    /// The number of configurations of the domains; absent if the job cannot be planned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configurations: Option<u128>,
    /// The number of configurations that can run; absent if the job cannot be planned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feasible: Option<u128>,
    /// The number of programs that SPIN would search; absent if the job cannot be planned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searched: Option<usize>,
    /// The expected cost of the job's searches; absent if the job cannot be planned, or would not search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<CostEstimate>,
    /// The error that would make the job fail; absent if it can be planned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Advice that corrects the error; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl PlannedJob {
    /// A job without a plan: all its optional fields are `None`.
    #[must_use]
    pub fn new(spec: &str, gpu: &str, set: Values, scenarios: Option<usize>) -> Self {
        let (spec, gpu) = (spec.to_owned(), gpu.to_owned());
        let (configurations, feasible, searched, estimate) = (None, None, None, None);
        Self { spec, gpu, set, scenarios, configurations, feasible, searched, estimate, error: None, help: None }
    }

    /// The job with the numbers of its plan.
    #[must_use]
    pub fn with_plan(self, plan: &Plan) -> Self {
        let (configurations, feasible) = (Some(plan.all), Some(plan.feasible));
        Self { configurations, feasible, searched: Some(plan.searched), estimate: plan.expected_cost, ..self }
    }
}

impl PlanReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.plan/1";

    /// The report of these jobs; `at_a_time` is `None` if their number at a time is not limited.
    #[must_use]
    pub fn new(executor: String, at_a_time: Option<usize>, jobs: Vec<PlannedJob>) -> Self {
        Self { schema: Self::SCHEMA, executor, at_a_time, jobs }
    }
}
