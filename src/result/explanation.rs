//! One configuration explained (`schemas/explanation.json`).

use schemars::JsonSchema;
use serde::Serialize;

use super::{Integers, Limit, Values, WaitCause};

/// The result of `autotune explain SPEC --gpu GPU --config A=1,B=2 --format json`: why a configuration cannot run, or where its
/// time goes. All times are native ticks.
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
    /// Why the configuration cannot run; null if it can.
    pub refused: Option<RefusalReport>,
    /// Where its time goes; null if it cannot run.
    pub time: Option<TimeReport>,
    /// The natively fastest configuration; null if none can run.
    pub fastest: Option<FastestReport>,
    /// The best other value of each parameter that has another value with which the configuration runs, the fastest first.
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
    /// A constraint of the spec, or a limit of the GPU.
    pub rule: String,
    /// For a limit, what is needed and what there is; else the constraint.
    pub reason: String,
    /// The constraint's line in the spec.
    pub line: Option<u32>,
    /// The names in the constraint and their values.
    #[schemars(with = "Integers")]
    pub values: Values,
}

/// Where a time goes.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TimeReport {
    /// The whole time, by the native evaluator.
    pub ticks: u64,
    /// The same in microseconds; null on a lockstep GPU.
    pub microseconds: Option<f64>,
    /// The launch's part of the ticks.
    pub launch: u64,
    /// The number of work groups that fit a multiprocessor at a time.
    #[schemars(range(min = 1))]
    pub resident_groups: u64,
    /// The warps of all groups that fit.
    #[schemars(range(min = 1))]
    pub warps: u64,
    /// The limit that keeps more groups away; null on a lockstep GPU.
    pub limit: Option<Limit>,
    /// The work groups of the largest wave: fewer than fit, if the launch has no more for a multiprocessor.
    #[schemars(range(min = 1))]
    pub wave_groups: u64,
    /// The warps of all groups of the largest wave.
    #[schemars(range(min = 1))]
    pub wave_warps: u64,
    /// How long each server is busy, of the ticks behind the launch (of the dispatchers the one with the most warps); they work
    /// side by side.
    pub servers: Vec<ServerReport>,
    /// The critical path, the most first; its ticks and `launch` add up to `ticks`. Null if it has too many events.
    pub path: Option<Vec<PathReport>>,
    /// Why there is no critical path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_path: Option<String>,
}

/// How long a server is busy.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ServerReport {
    /// The server.
    #[schemars(extend("enum" = ["memory", "local", "dispatcher"]))]
    pub server: &'static str,
    /// Its busy ticks, over all waves.
    pub busy: u128,
    /// Its utilisation: the share of the ticks behind the launch in which it serves.
    #[schemars(range(min = 0.0, max = 1.000_001))]
    pub share: f64,
}

/// What the critical path waits for because of one statement.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct PathReport {
    /// The statement's line in the spec; null for registers that spill.
    pub line: Option<u32>,
    /// The statement's keyword, and its array.
    pub statement: String,
    /// What the path waits for.
    pub waits_for: WaitCause,
    /// How long, in ticks; a fraction where statements share one service.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub ticks: f64,
    /// The share of all ticks: with the launch's these add up to 1.
    #[schemars(range(min = 0.0, max = 1.000_001))]
    pub share: f64,
}

/// The fastest configuration.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FastestReport {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// Its time.
    pub ticks: u64,
    /// The explained configuration's time over it.
    #[schemars(range(min = 0))]
    pub relative: Option<f64>,
}

/// Another value of one parameter.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ChangeReport {
    /// The parameter's name.
    pub parameter: String,
    /// Its other value.
    pub value: i64,
    /// The time with it.
    pub ticks: u64,
    /// That time over the explained configuration's.
    #[schemars(range(min = 0))]
    pub relative: Option<f64>,
}
