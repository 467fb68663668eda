//! A configuration's kernel graph, as a result states it.

use crate::explain::statements::NamedStatement;
use crate::models::maxplus::{GraphPicture, Kernel, Node, Overflow, PictureArc, Repeat, Variant};
use crate::result::{GraphArc, GraphLoop, GraphNode, GraphReport, Values};
use crate::ticks::Ticks;

/// The configuration that a graph shows, with its names, its native time and its statements.
#[derive(Debug)]
pub struct GraphSubject {
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The configuration.
    pub parameters: Values,
    /// The native time, in ticks.
    pub ticks: Ticks,
    /// The statements of the spec.
    pub statements: Vec<NamedStatement>,
    /// The statements behind each use and each barrier of the configuration's program.
    pub uses: Vec<Vec<NamedStatement>>,
}

/// The graph of a configuration.
///
/// # Errors
/// If a time exceeds 128 bits.
pub fn graph(subject: GraphSubject, kernel: &Kernel) -> Result<GraphReport, Overflow> {
    let GraphPicture { nodes, arcs, repeats } = GraphPicture::new(kernel, Variant::Operations)?;
    let serialized = GraphPicture::new(kernel, Variant::Serialized)?.arcs;
    let GraphSubject { kernel: name, gpu, parameters, ticks, statements, uses } = subject;
    Ok(GraphReport {
        schema: GraphReport::SCHEMA,
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

/// A node with the statement of its line, and the statements of the uses that it stands for.
fn node(node: Node, statements: &[NamedStatement], of_uses: &[Vec<NamedStatement>]) -> GraphNode {
    let Node { kind, name, line, accesses, ticks, uses, inside, critical } = node;
    let of_line = statements.iter().filter(|one| line.is_some() && one.line == line).take(1);
    let mut statements: Vec<NamedStatement> = of_line.cloned().collect();
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
