//! The part of a space that a measuring tuner need not try (`schemas/restrictions.json`): conditions that exclude
//! configurations which cannot run, in the form of Kernel Tuner's `restrictions`, and the promising configurations.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{ConfigurationReport, Integers, ListedStatus, Report, Values};
use crate::ticks::Ticks;

/// The greatest number of promising configurations in a result.
const PROMISING: usize = 20;

/// The result of `autotune SPEC --gpu GPU --format restrictions`: the part of a space that a measuring tuner should
/// try. `kernel_tuner.tune_kernel` takes `tune_params` and `restrictions`, and its `strategy_options` take `x0`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RestrictionsReport {
    /// The id of this schema.
    #[schemars(extend("const" = RestrictionsReport::SCHEMA))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The problem sizes.
    #[schemars(with = "Integers")]
    pub problem: Values,
    /// The values of each parameter.
    #[schemars(with = "BTreeMap<String, Vec<i64>>")]
    pub tune_params: Values,
    /// Python conditions over the parameters. All of them hold for each configuration that can run.
    pub restrictions: Vec<String>,
    /// The origin of each restriction: a constraint of the spec, or a limit of the GPU.
    pub rules: Vec<String>,
    /// True if the restrictions exclude every configuration that cannot run.
    pub complete: bool,
    /// The number of configurations of the space.
    pub all: u64,
    /// The number of configurations that can run.
    pub feasible: u64,
    /// The fastest configurations on the abstract machine, the best first, at most 20.
    #[schemars(length(max = 20))]
    pub promising: Vec<PromisingReport>,
    /// The start of a search, as values in the order of the parameters: the proved optimum or the configuration
    /// preferred to it, without a proof the first of `promising`. Null if neither exists.
    #[schemars(with = "Option<Vec<i64>>")]
    pub x0: Option<Vec<Value>>,
}

/// A configuration that is fast on the abstract machine.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PromisingReport {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The time on the abstract machine, in ticks.
    pub ticks: Ticks,
    /// This time in microseconds; null on a lockstep GPU, which does not have a clock, and without a proved optimum.
    pub microseconds: Option<f64>,
    /// True if it is proved that no configuration is faster.
    pub proved: bool,
}

impl RestrictionsReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.restrictions/1";

    /// A report without restrictions. `counts` are the numbers of all configurations and of those that can run.
    #[must_use]
    pub fn new(report: &Report, tune_params: Values, counts: [u128; 2]) -> Self {
        let promising = promising(report);
        let first = promising.first().map(|first| &first.parameters);
        let [all, feasible] = counts.map(|count| u64::try_from(count).unwrap_or(u64::MAX));
        Self {
            schema: Self::SCHEMA,
            kernel: report.kernel.clone(),
            gpu: report.gpu.clone(),
            problem: report.problem.clone(),
            tune_params,
            restrictions: Vec::new(),
            rules: Vec::new(),
            complete: false,
            all,
            feasible,
            x0: report.chosen().or(first).map(|first| first.values().cloned().collect()),
            promising,
        }
    }
}

/// The fastest configurations with a time. Of equal times the optimum goes first, then the order of the result.
fn promising(report: &Report) -> Vec<PromisingReport> {
    let mut timed: Vec<_> = report.configurations.iter().filter_map(|one| Some((one.ticks?, one))).collect();
    let optimum = report.optimum.as_ref().map(|optimum| &optimum.parameters);
    timed.sort_by_key(|(ticks, one)| (*ticks, Some(&one.parameters) != optimum));
    let promising = |(ticks, one): (Ticks, &ConfigurationReport)| PromisingReport {
        parameters: one.parameters.clone(),
        ticks,
        microseconds: report.microseconds(ticks),
        proved: one.status == ListedStatus::Optimum,
    };
    timed.into_iter().take(PROMISING).map(promising).collect()
}
