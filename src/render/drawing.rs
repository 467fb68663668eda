//! A kernel graph as a picture: DOT text, and SVG that is drawn from that text.

use std::fmt::Write;

use layout::backends::svg::SVGWriter;
use layout::gv::{DotParser, GraphBuilder};

use crate::models::maxplus::Times;
use crate::result::{GraphArc, GraphNode, GraphReport, NodeKind};
use crate::text::words::grouped;

/// What is on the critical path.
const CRITICAL: &str = "#c62828";
/// What is not.
const OTHER: &str = "#757575";

/// The graph in the language of Graphviz.
#[must_use]
pub fn dot(report: &GraphReport) -> String {
    let mut text = String::from("digraph kernel {\n  node [shape=box, fontsize=14, style=filled];\n");
    text += &heading(report);
    for (number, node) in report.nodes.iter().enumerate() {
        let colour = if node.critical { CRITICAL } else { OTHER };
        let (label, fill) = (quoted(&label(report, number, node)), fill(node.kind));
        let _ = writeln!(text, "  n{number} [label={label}, color=\"{colour}\", fillcolor=\"{fill}\"];");
    }
    for arc in &report.arcs {
        text += &arrow(arc);
    }
    for repeat in &report.loops {
        let (begin, end) = (repeat.begin, repeat.end);
        let _ = writeln!(text, "  n{end} -> n{begin} [label=\"\", color=\"{OTHER}\", style=dashed];");
    }
    text + "}\n"
}

/// The graph as a picture.
///
/// # Errors
/// When the picture's library does not read [`dot`], its reason.
pub fn svg(report: &GraphReport) -> Result<String, String> {
    let graph = DotParser::new(&dot(report)).process()?;
    let mut builder = GraphBuilder::new();
    builder.visit_graph(&graph);
    let mut writer = SVGWriter::new();
    builder.get().do_it(false, false, false, &mut writer);
    Ok(writer.finalize() + "\n")
}

/// Lines above the graph: nodes and arcs that are not seen, since not every reader knows a graph's label.
fn heading(report: &GraphReport) -> String {
    let values: Vec<_> = report.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let Times { naive, operations, serialized } = report.max_plus;
    let [executors, repetitions] = [report.executors, report.repetitions.into()].map(grouped);
    let [naive, operations, serialized] = [naive, operations, serialized].map(grouped);
    let lines = [
        format!("{} on {}, {}", report.kernel, report.gpu, values.join(" ")),
        format!("{executors} executors at a time, {repetitions} times; the machine takes {}", grouped(report.ticks)),
        format!("naive {naive}, operations {operations}, serialized {serialized} ticks"),
    ];
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        let label = quoted(line);
        let _ = writeln!(text, "  heading{number} [label={label}, color=\"white\", fillcolor=\"white\"];");
    }
    let is_input = |node: &usize| report.arcs.iter().all(|arc| arc.to != *node);
    let inputs = (0..report.nodes.len()).filter(is_input).map(|node| format!("heading2 -> n{node}"));
    for arc in ["heading0 -> heading1".to_owned(), "heading1 -> heading2".to_owned()].into_iter().chain(inputs) {
        let _ = writeln!(text, "  {arc} [label=\"\", color=\"white\"];");
    }
    text
}

fn label(report: &GraphReport, number: usize, node: &GraphNode) -> String {
    let mut label = match node.kind {
        // A lowered program does not tell reads from writes.
        NodeKind::Read if node.line.is_none() => node.name.clone(),
        NodeKind::Read => format!("read {}", node.name),
        NodeKind::Write => format!("write {}", node.name),
        NodeKind::Operation | NodeKind::Barrier => node.name.clone(),
        NodeKind::Begin => {
            let count = report.loops.iter().find(|repeat| repeat.begin == number).map_or(0, |repeat| repeat.count);
            format!("{} iterations", grouped(count))
        }
        NodeKind::End => "end of iteration".to_owned(),
        NodeKind::State => "ready".to_owned(),
    };
    if node.accesses > 1 {
        let _ = write!(label, " x {}", grouped(node.accesses));
    }
    if let Some(line) = node.line {
        let _ = write!(label, " (line {line})");
    }
    if node.ticks > 0 {
        let _ = write!(label, "\n{} ticks", grouped(node.ticks));
    }
    label
}

/// By what takes part: global memory, the executor alone, all executors.
fn fill(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Read | NodeKind::Write => "#bbdefb",
        NodeKind::Operation => "#c8e6c9",
        NodeKind::Barrier => "#ffe0b2",
        NodeKind::Begin | NodeKind::End | NodeKind::State => "#eeeeee",
    }
}

fn arrow(arc: &GraphArc) -> String {
    let mut label = String::new();
    if arc.ticks > 0 {
        label = grouped(arc.ticks);
    }
    if arc.serialized > arc.ticks {
        let _ = write!(label, "{}+ {}", if arc.ticks > 0 { " " } else { "" }, grouped(arc.serialized - arc.ticks));
    }
    let (colour, width) = if arc.critical { (CRITICAL, 3) } else { (OTHER, 1) };
    let label = quoted(&label);
    format!("  n{} -> n{} [label={label}, color=\"{colour}\", penwidth={width}];\n", arc.from, arc.to)
}

/// A string of the language: what would end it or begin an escape is escaped.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
