//! A configuration's kernel graph (`schemas/graph.json`).

use schemars::JsonSchema;
use serde::Serialize;

use super::{Integers, Values};
use crate::explain::statements::NamedStatement;
use crate::models::maxplus::{NodeKind, Times};
use crate::ticks::Ticks;

/// The result of `autotune graph SPEC --gpu GPU --format json`: a configuration's kernel graph under the max-plus
/// model `operations`. Times are in ticks; nodes and loops are named by their indices, counted from 0.
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
    /// The configuration's time by the native evaluator, in ticks.
    pub ticks: Ticks,
    /// The ticks before the first executor begins.
    pub launch: u64,
    /// The number of times that executors run, one after the other.
    pub repetitions: u64,
    /// The number of executors that run at a time and share global memory.
    pub executors: u128,
    /// The time by each model in ticks: launch + repetitions * the time of one executor.
    pub max_plus: Times,
    /// The data states, numbered along the arcs.
    #[schemars(length(min = 1))]
    pub nodes: Vec<GraphNode>,
    /// The arcs between data states.
    pub arcs: Vec<GraphArc>,
    /// The loops; the nodes contain each loop's body once. An outer loop goes before the loops in it.
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
    /// The kind of state.
    pub kind: NodeKind,
    /// The name of the array or the operation; absent for states that belong to the graph alone.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The statement's line in the spec, counted from 1; absent if the state does not come from a line.
    #[schemars(range(min = 1))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The number of accesses to the array; absent if it is 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub accesses: u128,
    /// The statements of the spec behind the state, which pictures name. The JSON does not contain them.
    #[serde(skip)]
    pub statements: Vec<NamedStatement>,
    /// The time of the state's operation in ticks; 0 without an operation.
    pub ticks: u128,
    /// The innermost loop around the state, as an index of `loops`; absent outside of loops.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    pub inside: Option<usize>,
    /// True if a longest way goes through the state.
    pub critical: bool,
}

/// An arc from one data state to another.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GraphArc {
    /// The source, as an index of `nodes`.
    pub from: usize,
    /// The target, as an index of `nodes`.
    pub to: usize,
    /// The time of the arc in ticks, for one executor alone.
    pub ticks: u128,
    /// The time of the arc in ticks for the last of the executors that share global memory.
    pub serialized: u128,
    /// True if a longest way takes the arc.
    pub critical: bool,
}

/// A loop.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GraphLoop {
    /// The number of iterations.
    pub count: u64,
    /// The node at which an iteration begins, as an index of `nodes`.
    pub begin: usize,
    /// The node at which an iteration ends, as an index of `nodes`.
    pub end: usize,
    /// The loop around this loop, as an index of `loops`; absent for an outermost loop.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    pub inside: Option<usize>,
}

fn is_zero(number: &u128) -> bool {
    *number == 0
}
