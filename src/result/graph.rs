//! A configuration's kernel graph (`schemas/graph.json`).

use serde::Serialize;

use super::values::{Values, values};
use crate::explain::statements::NamedStatement;
use crate::models::maxplus::{GraphPicture, Kernel, Node, NodeKind, PictureArc, PicturedKernel, Repeat, Times};
use crate::spec::{Configuration, Spec};
use crate::ticks::Ticks;

/// The result of `autotune graph SPEC --gpu GPU --format json`: a configuration's kernel graph under the max-plus
/// model `operations`. Times are in ticks; nodes and loops are named by their indices, counted from 0.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct GraphReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = GraphReport::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
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
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub nodes: Vec<GraphNode>,
    /// The arcs between data states.
    pub arcs: Vec<GraphArc>,
    /// The loops; the nodes contain each loop's body once. An outer loop goes before the loops in it.
    pub loops: Vec<Repeat>,
}

/// The configuration that a graph shows, with its names, its native time and its statements.
#[derive(Debug)]
pub struct GraphSubject<'a> {
    /// The kernel.
    pub spec: &'a Spec,
    /// The GPU's name.
    pub gpu: &'a str,
    /// The configuration.
    pub configuration: &'a Configuration,
    /// The native time, in ticks.
    pub ticks: Ticks,
    /// The statements of the spec.
    pub statements: Vec<NamedStatement>,
    /// The statements behind each use and each barrier of the configuration's program.
    pub uses: Vec<Vec<NamedStatement>>,
}

impl GraphReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.graph/1";

    /// The graph of a configuration's kernel.
    #[must_use]
    pub fn new(subject: &GraphSubject, kernel: &Kernel, pictured: PicturedKernel) -> Self {
        let PicturedKernel { times, picture: GraphPicture { nodes, arcs, repeats }, serialized } = pictured;
        let arc = |(arc, serialized): (PictureArc, u128)| {
            let PictureArc { from, to, ticks, critical } = arc;
            GraphArc { from, to, ticks, serialized, critical }
        };
        Self {
            schema: Self::SCHEMA,
            kernel: subject.spec.kernel.clone(),
            gpu: subject.gpu.to_owned(),
            parameters: values(subject.spec, subject.configuration),
            ticks: subject.ticks,
            launch: kernel.launch,
            repetitions: kernel.repetitions,
            executors: kernel.executors,
            max_plus: times,
            nodes: nodes.into_iter().map(|node| GraphNode::new(node, subject)).collect(),
            arcs: arcs.into_iter().zip(serialized).map(arc).collect(),
            loops: repeats,
        }
    }
}

/// A data state.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct GraphNode {
    /// The kind of state.
    pub kind: NodeKind,
    /// The name of the array or the operation; absent for states that belong to the graph alone.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The statement's line in the spec, counted from 1; absent if the state does not come from a line.
    #[cfg_attr(test, schemars(range(min = 1)))]
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
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
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

impl GraphNode {
    /// A node with the statement of its line, and the statements of the uses that it stands for.
    fn new(node: Node, subject: &GraphSubject) -> Self {
        let Node { kind, name, line, accesses, ticks, uses, inside, critical } = node;
        let of_line = subject.statements.iter().filter(|statement| line.is_some() && statement.line == line).take(1);
        let mut statements: Vec<NamedStatement> = of_line.cloned().collect();
        for statement in uses.iter().filter_map(|place| subject.uses.get(*place)).flatten() {
            if !statements.contains(statement) {
                statements.push(statement.clone());
            }
        }
        statements.sort_by_key(|statement| statement.line.unwrap_or(u32::MAX));
        Self { kind, name, line, accesses, statements, ticks, inside, critical }
    }
}

fn is_zero(number: &u128) -> bool {
    *number == 0
}
