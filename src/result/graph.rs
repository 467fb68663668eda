//! A configuration's kernel graph (`schemas/graph.json`).

use schemars::JsonSchema;
use serde::Serialize;

use super::{Integers, NamedStatement, NodeKind, Values};
use crate::result::Times;

/// The result of `autotune graph SPEC --gpu GPU --format json`: a configuration's kernel graph under the max-plus model
/// `operations`. Times are ticks; nodes, arcs and loops are named by their places, from 0.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GraphReport {
    /// The id of this schema.
    #[schemars(extend("const" = GraphReport::SCHEMA))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// Its time by the native evaluator.
    pub ticks: u64,
    /// The ticks before the first executor begins.
    pub launch: u64,
    /// How often executors run one after the other.
    pub repetitions: u64,
    /// The number of executors that run at a time and share memory.
    pub executors: u128,
    /// launch + repetitions * one executor's time, under each model.
    pub max_plus: Times,
    /// The data states, numbered along the arcs.
    #[schemars(length(min = 1))]
    pub nodes: Vec<GraphNode>,
    /// The ways between data states.
    pub arcs: Vec<GraphArc>,
    /// The loops; their bodies stand once among the nodes. An outer loop comes before those in it.
    pub loops: Vec<GraphLoop>,
}

impl GraphReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.graph/1";
}

/// A data state.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GraphNode {
    /// What the state is.
    pub kind: NodeKind,
    /// The array or the operation.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The statement's line in the spec.
    #[schemars(range(min = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The number of accesses that it stands for.
    #[serde(skip_serializing_if = "is_zero")]
    pub accesses: u128,
    /// The statements of the spec that it stands for, which pictures name; no JSON holds them.
    #[serde(skip)]
    pub statements: Vec<NamedStatement>,
    /// The ticks of its operation.
    pub ticks: u128,
    /// The innermost loop that it belongs to, by its place in `loops`.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    pub inside: Option<usize>,
    /// Whether a longest way goes through it.
    pub critical: bool,
}

/// A way from one data state to another, each by its place in `nodes`.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GraphArc {
    /// The source.
    pub from: usize,
    /// The target.
    pub to: usize,
    /// The ticks of one executor alone.
    pub ticks: u128,
    /// The ticks of the last of the executors that share memory.
    pub serialized: u128,
    /// Whether a longest way takes it.
    pub critical: bool,
}

/// A loop.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GraphLoop {
    /// The number of iterations.
    pub count: u64,
    /// The node where an iteration begins.
    pub begin: usize,
    /// The node where it ends.
    pub end: usize,
    /// The loop around it, by its place in `loops`.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    pub inside: Option<usize>,
}

fn is_zero(number: &u128) -> bool {
    *number == 0
}
