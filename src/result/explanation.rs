//! One configuration explained (`schemas/explanation.json`).

use schemars::JsonSchema;
use serde::Serialize;

use super::{Integers, Values};
use crate::explain::WaitCause;
use crate::gpu::Limit;
use crate::ticks::Ticks;

/// The result of `autotune explain SPEC --gpu GPU --config A=1,B=2 --format json`: the rule that a configuration
/// breaks, or the split of its time. All times are in native ticks.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ExplanationReport {
    /// The id of this schema.
    #[schemars(extend("const" = ExplanationReport::SCHEMA))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The rule that the configuration breaks; null if it can run.
    pub refused: Option<RefusalReport>,
    /// The split of the configuration's time; null if it cannot run.
    pub time: Option<TimeReport>,
    /// The natively fastest configuration; null if no configuration can run.
    pub fastest: Option<FastestReport>,
    /// The best other value of each parameter that has another value with which the configuration can run. The fastest
    /// change goes first.
    pub changes: Vec<ChangeReport>,
}

impl ExplanationReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.explanation/1";
}

/// A rule that a configuration breaks.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RefusalReport {
    /// The text of a constraint of the spec, or the name of a limit of the GPU.
    pub rule: String,
    /// For a limit, the amount needed and the amount available; for a constraint, its text.
    pub reason: String,
    /// The constraint's line in the spec, counted from 1; null for a limit.
    pub line: Option<u32>,
    /// The names in the constraint and their values; empty for a limit.
    #[schemars(with = "Integers")]
    pub values: Values,
}

/// The split of a configuration's time.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TimeReport {
    /// The whole time by the native evaluator, in ticks.
    pub ticks: Ticks,
    /// The whole time in microseconds; null on a lockstep GPU, which does not have a clock.
    pub microseconds: Option<f64>,
    /// The ticks before the first group starts.
    pub launch: u64,
    /// The number of work groups that fit a multiprocessor at a time.
    #[schemars(range(min = 1))]
    pub resident_groups: u64,
    /// The number of warps of all groups that fit.
    #[schemars(range(min = 1))]
    pub warps: u64,
    /// The limit that keeps further groups from fitting; null on a lockstep GPU.
    pub limit: Option<Limit>,
    /// The number of work groups of the largest wave. It is less than the number that fit if the launch does not have
    /// more for a multiprocessor.
    #[schemars(range(min = 1))]
    pub wave_groups: u64,
    /// The number of warps of all groups of the largest wave.
    #[schemars(range(min = 1))]
    pub wave_warps: u64,
    /// The busy time of each server after launch; of the dispatchers, the one with the most warps. Servers work in
    /// parallel.
    pub servers: Vec<ServerReport>,
    /// The critical path after launch by cause, the largest share first; its ticks and `launch` add up to `ticks`.
    /// Null if the path cannot be computed.
    pub path: Option<Vec<PathReport>>,
    /// The reason for which there is no critical path; absent if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_path: Option<String>,
}

/// The busy time of a server.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ServerReport {
    /// The server's name.
    #[schemars(extend("enum" = ["memory", "local", "dispatcher"]))]
    pub server: &'static str,
    /// The ticks over all waves in which the server serves at least one warp.
    pub busy: u128,
    /// The server's utilisation: the share of the ticks after launch in which it serves at least one warp.
    #[schemars(range(min = 0.0, max = 1.000_001))]
    pub share: f64,
}

/// The time that the critical path spends on one cause at one statement.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PathReport {
    /// The file of the kernel's source; absent for a statement of the spec.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The statement's line in the spec or in `file`, counted from 1; null for spilled registers, and for instructions
    /// that come from no line.
    pub line: Option<u32>,
    /// The statement's keyword, and its array if it has one; of a file, the text of the line.
    pub statement: String,
    /// The cause of the wait.
    pub waits_for: WaitCause,
    /// The time in ticks; a fraction if statements share one service.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub ticks: f64,
    /// The share of the whole time, from 0 to 1. With the share of `launch`, all shares add up to 1.
    #[schemars(range(min = 0.0, max = 1.000_001))]
    pub share: f64,
}

/// The natively fastest configuration of the space.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FastestReport {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The native time, in ticks.
    pub ticks: Ticks,
    /// The time of the explained configuration divided by this time; null if the explained configuration cannot run.
    #[schemars(range(min = 0))]
    pub relative: Option<f64>,
}

/// A change of one parameter's value.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ChangeReport {
    /// The parameter's name.
    pub parameter: String,
    /// The other value.
    pub value: i64,
    /// The native time with the other value, in ticks.
    pub ticks: Ticks,
    /// This time divided by that of the explained configuration; null if the explained configuration cannot run.
    #[schemars(range(min = 0))]
    pub relative: Option<f64>,
}
