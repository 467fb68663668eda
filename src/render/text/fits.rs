//! The matrix of what fits where: rules down, GPUs across.

use std::fmt::Write;

use super::table::numbers;
use crate::result::{FitsReport, GpuFitReport};
use autotune_base::text::words::{counted, grouped};

/// The most columns of GPUs side by side.
const ACROSS: usize = 6;
/// The most configurations that are named.
const NAMED: usize = 5;
/// A cell without a configuration.
const NONE: &str = "-";
/// The rows below the rules.
const ROWS: [&str; 3] = ["not known", "may not launch", "can run"];

/// Returns the matrix, the GPUs that no configuration fits, and the configurations that run everywhere.
pub(super) fn to_text(report: &FitsReport) -> String {
    let columns = columns(report);
    let mut text = String::new();
    for part in columns.chunks(ACROSS) {
        let _ = writeln!(text, "{}\n", matrix(report, part));
    }
    for column in columns.iter().filter(|column| column.len() > 1) {
        let _ = writeln!(text, "{}: {}", title(column), names(column));
    }
    let none: Vec<&str> = report.without(false).collect();
    match none.len() {
        0 => {}
        all if all == report.gpus.len() => text.push_str("no configuration fits any of these GPUs\n"),
        _ => {
            let _ = writeln!(text, "no configuration fits {}", none.join(", "));
        }
    }
    let required: Vec<&str> = report.without(true).collect();
    if !required.is_empty() {
        let _ = writeln!(text, "required, and without a configuration: {}", required.join(", "));
    }
    text + &everywhere(report)
}

/// GPUs with the same numbers in all rows, in the order of their first.
fn columns<'a>(report: &'a FitsReport) -> Vec<Vec<&'a GpuFitReport<'a>>> {
    let mut columns: Vec<Vec<&GpuFitReport>> = Vec::new();
    let rules = rules(report);
    for fit in &report.gpus {
        let same = |column: &&mut Vec<&GpuFitReport>| cells(&rules, column[0]) == cells(&rules, fit);
        match columns.iter_mut().find(same) {
            Some(column) => column.push(fit),
            None => columns.push(vec![fit]),
        }
    }
    columns
}

/// The rules that refuse a configuration on some GPU, in the order of the GPUs.
fn rules<'a>(report: &'a FitsReport) -> Vec<&'a str> {
    let mut rules: Vec<&str> = Vec::new();
    for removed in report.gpus.iter().flat_map(|fit| fit.refused) {
        if !rules.contains(&removed.rule.as_str()) {
            rules.push(&removed.rule);
        }
    }
    rules
}

/// The numbers of a GPU: by rules, then not known, may not launch, and all that can run.
fn cells(rules: &[&str], fit: &GpuFitReport) -> Vec<u128> {
    let of_rule =
        |rule: &&str| fit.refused.iter().find(|removed| removed.rule == *rule).map_or(0, |one| one.configurations);
    rules.iter().map(of_rule).chain([fit.not_known, fit.may_not_launch, fit.feasible]).collect()
}

fn matrix(report: &FitsReport, columns: &[Vec<&GpuFitReport>]) -> String {
    let rules = rules(report);
    let titles: Vec<String> = columns.iter().map(|column| title(column)).collect();
    let header: Vec<&str> = std::iter::once("refused by").chain(titles.iter().map(String::as_str)).collect();
    let mut table = numbers(&header);
    let cells: Vec<Vec<u128>> = columns.iter().map(|column| cells(&rules, column[0])).collect();
    for (row, name) in rules.iter().copied().chain(ROWS).enumerate() {
        let shown = |number: u128| if number == 0 { NONE.to_owned() } else { grouped(number) };
        let is_spare = name != ROWS[2] && report_has_none(report, &rules, row);
        if !is_spare {
            table.add_row(std::iter::once(name.to_owned()).chain(cells.iter().map(|cells| shown(cells[row]))));
        }
    }
    table.trim_fmt()
}

/// True if no GPU has a number in the row.
fn report_has_none(report: &FitsReport, rules: &[&str], row: usize) -> bool {
    report.gpus.iter().all(|fit| cells(rules, fit)[row] == 0)
}

fn title(column: &[&GpuFitReport]) -> String {
    match column.len() - 1 {
        0 => column[0].gpu.to_owned(),
        more => format!("{} +{more}", column[0].gpu),
    }
}

fn names(column: &[&GpuFitReport]) -> String {
    column.iter().skip(1).map(|fit| fit.gpu).collect::<Vec<_>>().join(", ")
}

fn everywhere(report: &FitsReport) -> String {
    let found = &report.everywhere;
    let gpus = counted(report.gpus.len() as u128, "GPU");
    let unsure = match found.may_not_launch {
        0 => String::new(),
        number => format!(", and {} more may not launch on some", grouped(number)),
    };
    let mut text = format!("{} can run on all of {gpus}{unsure}\n", counted(found.configurations, "configuration"));
    for configuration in found.listed.iter().take(NAMED) {
        let values: Vec<String> = configuration.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let _ = writeln!(text, "  {}", values.join(","));
    }
    if found.configurations > NAMED as u128 {
        let _ = writeln!(text, "  ... {} more", grouped(found.configurations - NAMED as u128));
    }
    text
}
