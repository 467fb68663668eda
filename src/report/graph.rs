//! A configuration's kernel graph (`schemas/graph.json`), and what draws it.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::compare::statements::Named;
use crate::models::maxplus::{GraphPicture, Kernel, Node, NodeKind, Overflow, PictureArc, Repeat, Times, Variant};

/// A kernel graph under the model `operations`, with the serialized arcs beside.
#[derive(Debug, Serialize)]
pub struct GraphReport {
    schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The configuration.
    pub parameters: Map<String, Value>,
    /// Its native time.
    pub ticks: u64,
    /// Before the first executor begins.
    pub launch: u64,
    /// How often executors run one after the other.
    pub repetitions: u64,
    /// How many run at a time.
    pub executors: u128,
    /// What the three models say of the whole.
    pub max_plus: Times,
    /// Data states.
    pub nodes: Vec<GraphNode>,
    /// Ways between them.
    pub arcs: Vec<GraphArc>,
    /// Loops, an outer one before those in it.
    pub loops: Vec<GraphLoop>,
}

/// A data state.
#[derive(Debug, Serialize)]
pub struct GraphNode {
    /// What it is.
    pub kind: NodeKind,
    /// The array or the operation.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Where the spec says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// How many accesses it stands for.
    #[serde(skip_serializing_if = "is_zero")]
    pub accesses: u128,
    /// The statements of the spec that it stands for, which pictures name.
    #[serde(skip)]
    pub statements: Vec<Named>,
    /// Of its operation.
    pub ticks: u128,
    /// The innermost loop that it belongs to, by its place in `loops`.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    pub inside: Option<usize>,
    /// Whether a longest way goes through it.
    pub critical: bool,
}

/// A way from one data state to another, each by its place in `nodes`.
#[derive(Debug, Serialize)]
pub struct GraphArc {
    /// Its source.
    pub from: usize,
    /// Its target.
    pub to: usize,
    /// One executor alone.
    pub ticks: u128,
    /// The last of the executors that share memory.
    pub serialized: u128,
    /// Whether a longest way takes it.
    pub critical: bool,
}

/// A loop.
#[derive(Debug, Serialize)]
pub struct GraphLoop {
    /// Iterations.
    pub count: u64,
    /// The node where one begins.
    pub begin: usize,
    /// The node where it ends.
    pub end: usize,
    /// The loop around it, by its place in `loops`.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    pub inside: Option<usize>,
}

/// What a graph is of.
#[derive(Debug)]
pub struct GraphSubject {
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The configuration.
    pub parameters: Map<String, Value>,
    /// Its native time.
    pub ticks: u64,
    /// The statements of the spec.
    pub statements: Vec<Named>,
    /// The statements behind each use and barrier of its program.
    pub uses: Vec<Vec<Named>>,
}

impl GraphReport {
    /// The graph of a configuration.
    ///
    /// # Errors
    /// If a time is no number.
    pub fn new(subject: GraphSubject, kernel: &Kernel) -> Result<Self, Overflow> {
        let GraphPicture { nodes, arcs, repeats } = GraphPicture::new(kernel, Variant::Operations)?;
        let serialized = GraphPicture::new(kernel, Variant::Serialized)?.arcs;
        let GraphSubject { kernel: name, gpu, parameters, ticks, statements, uses } = subject;
        Ok(Self {
            schema: "autotune.graph/1",
            kernel: name,
            gpu,
            parameters,
            ticks,
            launch: kernel.launch,
            repetitions: kernel.repetitions,
            executors: kernel.executors,
            max_plus: kernel.times()?,
            nodes: nodes.into_iter().map(|one| node(one, &statements, &uses)).collect(),
            arcs: arcs.iter().zip(&serialized).map(arc).collect(),
            loops: repeats.into_iter().map(repeat).collect(),
        })
    }
}

/// A node with the statements of its line, or of the uses that it stands for.
fn node(node: Node, statements: &[Named], of_uses: &[Vec<Named>]) -> GraphNode {
    let Node { kind, name, line, accesses, ticks, uses, inside, critical } = node;
    let of_line = statements.iter().filter(|one| line.is_some() && one.line == line).take(1);
    let mut statements: Vec<Named> = of_line.cloned().collect();
    for one in uses.iter().filter_map(|place| of_uses.get(*place)).flatten() {
        if !statements.contains(one) {
            statements.push(one.clone());
        }
    }
    statements.sort_by_key(|one| one.line.unwrap_or(u32::MAX));
    GraphNode { kind, name, line, accesses, statements, ticks, inside, critical }
}

fn arc((arc, serialized): (&PictureArc, &PictureArc)) -> GraphArc {
    let PictureArc { from, to, ticks, critical } = *arc;
    GraphArc { from, to, ticks, serialized: serialized.ticks, critical }
}

fn repeat(repeat: Repeat) -> GraphLoop {
    let Repeat { count, begin, end, inside } = repeat;
    GraphLoop { count, begin, end, inside }
}

fn is_zero(number: &u128) -> bool {
    *number == 0
}
