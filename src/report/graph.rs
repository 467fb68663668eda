//! A configuration's kernel graph, as a result states it.

use crate::models::maxplus::{GraphPicture, Kernel, Node, Overflow, PictureArc, Repeat, Variant};
use crate::result::{GraphArc, GraphLoop, GraphNode, GraphReport, Values};

/// The subject of a graph.
#[derive(Debug)]
pub struct GraphSubject {
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The configuration.
    pub parameters: Values,
    /// Its native time.
    pub ticks: u64,
}

/// The graph of a configuration.
///
/// # Errors
/// If a time is no number.
pub fn graph(subject: GraphSubject, kernel: &Kernel) -> Result<GraphReport, Overflow> {
    let GraphPicture { nodes, arcs, repeats } = GraphPicture::new(kernel, Variant::Operations)?;
    let serialized = GraphPicture::new(kernel, Variant::Serialized)?.arcs;
    let GraphSubject { kernel: name, gpu, parameters, ticks } = subject;
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
        nodes: nodes.into_iter().map(node).collect(),
        arcs: arcs.iter().zip(&serialized).map(arc).collect(),
        loops: repeats.into_iter().map(repeat).collect(),
    })
}

fn node(node: Node) -> GraphNode {
    let Node { kind, name, line, accesses, ticks, inside, critical } = node;
    GraphNode { kind, name, line, accesses, ticks, inside, critical }
}

fn arc((arc, serialized): (&PictureArc, &PictureArc)) -> GraphArc {
    let PictureArc { from, to, ticks, critical } = *arc;
    GraphArc { from, to, ticks, serialized: serialized.ticks, critical }
}

fn repeat(repeat: Repeat) -> GraphLoop {
    let Repeat { count, begin, end, inside } = repeat;
    GraphLoop { count, begin, end, inside }
}
