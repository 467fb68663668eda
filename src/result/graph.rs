//! A configuration's kernel graph (`schemas/graph.json`).

use serde::Serialize;

use super::values::{Values, values};
use autotune_base::ticks::Ticks;
use autotune_engine::explain::statements::{NamedStatement, UseStatements};
use autotune_lowering::models::maxplus::{
    Algebra, ClosedForm, GraphPicture, Kernel, Matrix, Node, NodeKind, PictureArc, PicturedKernel, Powers, Repeat,
    Times,
};
use autotune_lowering::spec::{Configuration, Spec};

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
    /// The number of work items of all launches, N; absent on a real GPU, where an executor is a warp.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_items: Option<u128>,
    /// The paper's ceil(N / n); `repetitions` may be more, since rounding happens per group. Absent on a real GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u128>,
    /// The time by each model in ticks: launch + repetitions * the time of one executor.
    pub max_plus: Times,
    /// The data states, numbered along the arcs.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub nodes: Vec<GraphNode>,
    /// The arcs between data states.
    pub arcs: Vec<GraphArc>,
    /// The algebra of one executor under the models `naive`, `operations` and `serialized`.
    pub algebra: Vec<GraphAlgebra>,
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
    pub uses: Vec<UseStatements>,
}

impl GraphReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.graph/1";

    /// The graph of a configuration's kernel.
    #[must_use]
    pub fn new(subject: &GraphSubject, kernel: &Kernel, pictured: PicturedKernel, algebra: Vec<Algebra>) -> Self {
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
            work_items: kernel.work_items,
            rounds: kernel.rounds(),
            max_plus: times,
            nodes: nodes.into_iter().map(|node| GraphNode::new(node, subject)).collect(),
            arcs: arcs.into_iter().zip(serialized).map(arc).collect(),
            algebra: algebra.into_iter().map(|algebra| GraphAlgebra::new(algebra, kernel)).collect(),
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

/// The algebra of one executor under one model.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct GraphAlgebra {
    /// The model: `naive`, `operations` or `serialized`.
    pub model: &'static str,
    /// The closed form of the time in symbols: t and T of reads and writes, tau of operations, b of barriers, dt and dT
    /// between the executors' accesses, w for another wait, r for repetitions that are not ceil(N / n).
    pub formula: String,
    /// The closed form with its values.
    pub values: String,
    /// k: the height of the graph, and the power of Z.
    pub height: u64,
    /// The inputs, as indices of `nodes`: 0 in the vector of inputs.
    pub inputs: Vec<usize>,
    /// The outputs, as indices of `nodes`: 0 in the vector of outputs.
    pub outputs: Vec<usize>,
    /// Z: row i, column j is the time of the arc from node j to node i, null without one; iterations of loops are in the
    /// times. Absent for a graph of more than 8 states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix: Option<Vec<Vec<Option<u128>>>>,
    /// The power k of Z; absent with `matrix`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power: Option<Vec<Vec<Option<u128>>>>,
    /// The product of the outputs and the power applied to the inputs, in ticks of one executor; absent with `matrix`, and
    /// if no way has k arcs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power_ticks: Option<u128>,
    /// The longest way from an input to an output, in ticks of one executor.
    pub longest_ticks: u128,
    /// The rows of the matrix of all executors at a time: n copies of Z along its diagonal.
    pub rows_of_all: u128,
}

impl GraphAlgebra {
    fn new(algebra: Algebra, kernel: &Kernel) -> Self {
        let Algebra { model, height, inputs, outputs, states, longest, matrices } = algebra;
        let ClosedForm { formula, values } = kernel.closed_form(model);
        let power_ticks = matrices.as_ref().and_then(|matrices| matrices.time.time());
        let rows = matrices.map(|Powers { matrix, power, .. }| [rows(&matrix), rows(&power)]);
        let [matrix, power] = rows.map_or([None, None], |rows| rows.map(Some));
        Self {
            model: model.short_name(),
            formula,
            values,
            height,
            inputs,
            outputs,
            matrix,
            power,
            power_ticks,
            longest_ticks: longest,
            rows_of_all: kernel.executors.saturating_mul(states as u128),
        }
    }
}

fn rows(matrix: &Matrix) -> Vec<Vec<Option<u128>>> {
    let (rows, columns) = matrix.size();
    (0..rows).map(|row| (0..columns).map(|column| matrix[(row, column)].time()).collect()).collect()
}

impl GraphNode {
    /// A node with the statement of its line, and the statements of the uses that it stands for.
    fn new(node: Node, subject: &GraphSubject) -> Self {
        let Node { kind, name, line, accesses, ticks, uses, inside, critical } = node;
        let of_line = subject.statements.iter().filter(|statement| line.is_some() && statement.line == line).take(1);
        let mut statements: Vec<NamedStatement> = of_line.cloned().collect();
        let behind = uses.iter().filter_map(|place| subject.uses.get(*place));
        for statement in behind.flat_map(|of| if kind == NodeKind::Write { &of.stores } else { &of.others }) {
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
