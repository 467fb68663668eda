//! A kernel graph as text: its data states, its matrices and the closed forms of its time.

use std::fmt::Write;

use crate::render::drawing;
use crate::result::{GraphAlgebra, GraphReport};
use autotune_base::text::words::{grouped, label};

/// Returns the report as text.
#[must_use]
pub fn to_text(report: &GraphReport) -> String {
    let mut text =
        format!("{} on {}, {}, by max-plus algebra\n\n", report.kernel, report.gpu, label(&report.parameters));
    text += &repetitions(report);
    text += &states(report);
    for algebra in &report.algebra {
        text.push('\n');
        text += &model(report, algebra);
    }
    text
}

fn repetitions(report: &GraphReport) -> String {
    let [executors, repetitions] = [report.executors, report.repetitions.into()].map(grouped);
    let mut text = format!("n = {executors} executors at a time, {repetitions} times");
    if let (Some(work_items), Some(rounds)) = (report.work_items, report.rounds) {
        let [all, rounds] = [work_items, rounds].map(grouped);
        let _ = write!(text, "; N = {all} work items, ceil(N / n) = {rounds}");
    }
    let _ = writeln!(text, "\nthe machine takes {} ticks", grouped(report.ticks));
    text
}

/// Returns the data states with their numbers, and what goes into them.
fn states(report: &GraphReport) -> String {
    let mut text = "\ndata states, each with the states that it follows\n".to_owned();
    for (number, node) in report.nodes.iter().enumerate() {
        let what = drawing::label(report, number, node).replace('\n', ", ");
        let before = report.arcs.iter().filter(|arc| arc.to == number).map(|arc| arc.from.to_string());
        let before = before.collect::<Vec<_>>().join(", ");
        let arrow = if before.is_empty() { String::new() } else { format!("  <- {before}") };
        let _ = writeln!(text, "  {number}  {what}{arrow}");
    }
    text
}

fn model(report: &GraphReport, algebra: &GraphAlgebra) -> String {
    let GraphAlgebra { model, formula, values, height, longest_ticks, rows_of_all, .. } = algebra;
    let ticks = u128::from(report.launch) + u128::from(report.repetitions) * longest_ticks;
    let mut text = format!("{model}: {formula}\n  = {values} = {} ticks\n  k = {height}", grouped(ticks));
    let (Some(matrix), Some(power)) = (&algebra.matrix, &algebra.power) else {
        return text + ", and more than 8 states: their matrices are not shown\n";
    };
    let time = algebra.power_ticks.map_or_else(|| "none".to_owned(), grouped);
    let _ = write!(text, ", <1o, Z^{height} 1i> = {time}");
    let [inputs, outputs] = [&algebra.inputs, &algebra.outputs].map(|states| numbers(states));
    let _ = writeln!(text, ", with 0 in 1i at {inputs} and in 1o at {outputs}");
    if algebra.power_ticks != Some(*longest_ticks) {
        let longest = grouped(*longest_ticks);
        let _ = writeln!(text, "  not every way has k arcs: the longest takes {longest}, and the time above has this");
    }
    let executors = grouped(report.executors);
    let rows = grouped(*rows_of_all);
    let _ = writeln!(
        text,
        "  all executors: (I (x) Z)^{height} = I (x) Z^{height}, {executors} copies of Z in {rows} rows"
    );
    let power = table(&format!("Z^{height}"), power);
    let indent = "  ";
    for (z, power) in table("Z", matrix).iter().zip(&power) {
        let _ = writeln!(text, "{indent}{z}    {power}");
    }
    text
}

fn numbers(states: &[usize]) -> String {
    states.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Returns the lines of a matrix: a header, then a row for each target; a dot stands for none.
fn table(name: &str, matrix: &[Vec<Option<u128>>]) -> Vec<String> {
    let cell = |cell: &Option<u128>| cell.map_or_else(|| ".".to_owned(), grouped);
    let header: Vec<String> =
        std::iter::once(name.to_owned()).chain((0..matrix.len()).map(|at| at.to_string())).collect();
    let row =
        |(at, row): (usize, &Vec<Option<u128>>)| std::iter::once(at.to_string()).chain(row.iter().map(cell)).collect();
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(matrix.iter().enumerate().map(row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..=matrix.len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:>width$}"));
        cells.collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect()
}
