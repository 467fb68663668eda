//! A kernel graph as a picture: DOT text, and SVG that is drawn from that text.

use std::fmt::Write;

use layout::backends::svg::SVGWriter;
use layout::gv::{DotParser, GraphBuilder};

use crate::result::{GraphArc, GraphNode, GraphReport};
use autotune_base::text::words::grouped;
use autotune_lowering::models::maxplus::{NodeKind, Times};

/// Colours of the report page (`templates/report/page.css`): of nodes and arcs on the critical path, of all others,
/// and of text.
const CRITICAL: &str = "#a01c24";
const OTHER: &str = "#57606a";
const INK: &str = "#1b1f24";
/// The report page's fonts.
const FONT: &str = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
/// The most statements that a box names.
const NAMED: usize = 4;

/// Returns the graph in the language of Graphviz.
#[must_use]
pub fn dot(report: &GraphReport) -> String {
    let mut text = format!(
        "digraph kernel {{\n  node [shape=box, fontsize=14, fontname=\"{FONT}\", fontcolor=\"{INK}\", style=filled];\n  \
         edge [fontname=\"{FONT}\", fontcolor=\"{INK}\"];\n"
    );
    text += &heading(report);
    for (number, node) in report.nodes.iter().enumerate() {
        let colour = if node.critical { CRITICAL } else { OTHER };
        let (label, fill) = (quoted(&label(report, number, node)), fill(node));
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

/// Returns the graph as SVG.
///
/// # Errors
/// If the library cannot read the text of [`dot`]: its reason.
pub fn svg(report: &GraphReport) -> Result<String, String> {
    let graph = DotParser::new(&dot(report)).process()?;
    let mut builder = GraphBuilder::new();
    builder.visit_graph(&graph);
    let mut writer = SVGWriter::new();
    builder.get().do_it(false, false, false, &mut writer);
    Ok(styled(&writer.finalize()) + "\n")
}

/// Gives the library's SVG the report page's fonts and a white background.
fn styled(svg: &str) -> String {
    let ground = "</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>";
    svg.replace("font-family: Times, serif;", &format!("font-family: {FONT}; fill: {INK};"))
        .replacen("</style>", ground, 1)
}

/// Returns the lines above the graph. They are a node with invisible arcs, since some readers ignore a graph's label.
fn heading(report: &GraphReport) -> String {
    let values: Vec<_> = report.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let Times { naive, operations, serialized } = report.max_plus;
    let [executors, repetitions] = [report.executors, report.repetitions.into()].map(grouped);
    let [naive, operations, serialized] = [naive, operations, serialized].map(grouped);
    let lines = [
        format!("{} on {}, {}", report.kernel, report.gpu, values.join(" ")),
        format!("{executors} executors at a time, {repetitions} times; the machine takes {}", grouped(report.ticks)),
        format!("naive {naive}, operations {operations}, serialized {serialized} ticks"),
        powers(report),
    ];
    let label = quoted(&lines.join("\n"));
    let mut text = format!("  heading [label={label}, color=\"white\", fillcolor=\"white\"];\n");
    let is_input = |node: &usize| report.arcs.iter().all(|arc| arc.to != *node);
    for node in (0..report.nodes.len()).filter(is_input) {
        let _ = writeln!(text, "  heading -> n{node} [label=\"\", color=\"white\"];");
    }
    text
}

/// Returns the powers of the models' matrices, and the closed form of the last model with its values.
fn powers(report: &GraphReport) -> String {
    let heights: Vec<_> = report.algebra.iter().map(|algebra| algebra.height.to_string()).collect();
    let form = report.algebra.last().map_or(String::new(), |last| format!("; {} = {}", last.formula, last.values));
    format!("k = {}{form}", heights.join(", "))
}

/// Returns the text of a node's box: its array or statements with their lines, its number of accesses and its ticks.
pub(super) fn label(report: &GraphReport, number: usize, node: &GraphNode) -> String {
    let mut lines = match node.kind {
        NodeKind::Begin => {
            let count = report.loops.iter().find(|repeat| repeat.begin == number).map_or(0, |repeat| repeat.count);
            vec![format!("{} iterations", grouped(count))]
        }
        NodeKind::End => vec!["end of iteration".to_owned()],
        NodeKind::State => vec!["ready".to_owned()],
        NodeKind::Read | NodeKind::Write | NodeKind::Operation | NodeKind::Barrier if node.line.is_none() => {
            of_program(node)
        }
        NodeKind::Read => vec![format!("read {}", node.name) + &place(node.line)],
        NodeKind::Write => vec![format!("write {}", node.name) + &place(node.line)],
        NodeKind::Operation | NodeKind::Barrier => {
            let statement = node.statements.first().map_or(&node.name, |statement| &statement.text);
            vec![statement.clone() + &place(node.line)]
        }
    };
    if let Some(last) = lines.last_mut().filter(|_| node.accesses > 1) {
        let _ = write!(last, " x {}", grouped(node.accesses));
    }
    if node.ticks > 0 {
        lines.push(format!("{} ticks", grouped(node.ticks)));
    }
    lines.join("\n")
}

/// Returns the statements of a lowered program's node, and its name, which is the server that it uses.
fn of_program(node: &GraphNode) -> Vec<String> {
    let named = node.statements.iter().take(NAMED).map(|statement| statement.text.clone() + &place(statement.line));
    let mut lines: Vec<String> = named.collect();
    let more = node.statements.len().saturating_sub(NAMED);
    lines.extend((more > 0).then(|| format!("and {more} more")));
    let name = || match node.kind {
        // What a source executes on a lockstep GPU is named by its array.
        NodeKind::Read if lines.is_empty() => format!("read {}", node.name),
        NodeKind::Write if lines.is_empty() => format!("write {}", node.name),
        _ => node.name.clone(),
    };
    // The statement of a barrier names the barrier already.
    let last = (node.kind != NodeKind::Barrier || lines.is_empty()).then(name);
    lines.extend(last);
    lines
}

/// Returns ` (line N)` for a line of the spec; empty for `None`.
fn place(line: Option<u32>) -> String {
    line.map_or(String::new(), |line| format!(" (line {line})"))
}

/// Returns a box's background: the report page's colours of global memory, local memory and dispatchers, lightened,
/// then of barriers and of nodes without ticks.
fn fill(node: &GraphNode) -> &'static str {
    match node.kind {
        NodeKind::Read | NodeKind::Write => "#f9e7d9",
        NodeKind::Operation if node.name == "local" => "#d9f0ea",
        NodeKind::Operation => "#d9eaf3",
        NodeKind::Barrier => "#f3e6ee",
        NodeKind::Begin | NodeKind::End | NodeKind::State => "#f4f6f8",
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
    let (colour, width) = if arc.critical { (CRITICAL, 2) } else { (OTHER, 1) };
    let label = quoted(&label);
    format!("  n{} -> n{} [label={label}, color=\"{colour}\", penwidth={width}];\n", arc.from, arc.to)
}

/// Returns a text as a quoted string of Graphviz's language, with backslashes, quotes and line breaks escaped.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
