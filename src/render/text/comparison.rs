//! Proof, evaluator and formulas side by side.

use std::fmt::Write;

use comfy_table::CellAlignment;

use super::TO_USE;
use super::table::{numbers, table};
use crate::compare::{PredictedCost, Relative, Term};
use crate::result::{AgreementReport, ApartReport, ComparisonReport};
use crate::text::words::{grouped, label};

/// Returns the report as text.
#[must_use]
pub fn to_text(report: &ComparisonReport) -> String {
    let which = if report.complete { "all that can run" } else { "a sample" };
    format!(
        "{} on {}, {} configurations compared: {which}\n\n{}\n\n{}\n\n{TO_USE}\n{}",
        report.kernel,
        report.gpu,
        report.compared,
        costs(report),
        choices(report),
        agreements(report)
    )
}

fn costs(report: &ComparisonReport) -> String {
    let header: Vec<&str> =
        ["configuration", "proved"].into_iter().chain(report.winners.keys().map(String::as_str)).collect();
    let mut rows = numbers(&header);
    for one in &report.configurations {
        let proved = one.proved.map_or(String::new(), grouped);
        let costs = one.costs.values().map(|cost| cost.map_or("-".to_owned(), shown));
        rows.add_row([label(&one.parameters), proved].into_iter().chain(costs).collect::<Vec<_>>());
    }
    rows.trim_fmt()
}

fn choices(report: &ComparisonReport) -> String {
    let mut rows = numbers(&["model", "best", "mean", "worst", "equal", "puts first"]);
    if let Some(column) = rows.column_mut(5) {
        column.set_cell_alignment(CellAlignment::Left);
    }
    for (model, choice) in report.winners.iter().filter_map(|(model, choice)| Some((model, choice.as_ref()?))) {
        let relative = choice.relative.map(|Relative { best, mean, worst }| [best, mean, worst]);
        let relative = relative.map_or(["-"; 3].map(str::to_owned), |three| three.map(|one| format!("{one:.2}")));
        let first = [choice.equals.to_string(), label(&choice.parameters)];
        rows.add_row([model.clone()].into_iter().chain(relative).chain(first));
    }
    rows.trim_fmt()
}

fn agreements(report: &ComparisonReport) -> String {
    let mut rows = table(&["rankings", "tau", "rho", "farthest apart", "ranks", "mostly"]);
    for AgreementReport { models: [a, b], kendall_tau, spearman_rho, most, .. } in &report.agreement {
        let number = |value: &Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
        let mut row = vec![format!("{a}, {b}"), number(kendall_tau), number(spearman_rho)];
        if let Some(ApartReport { parameters, ranks: [x, y], terms }) = most {
            row.extend([label(parameters), format!("{x} : {y}"), terms.map(term).join(" : ")]);
        }
        rows.add_row(row);
    }
    let mut text = rows.trim_fmt();
    let _ = writeln!(text);
    text
}

fn term(term: Option<Term>) -> String {
    term.map_or("-".to_owned(), |Term { name, share }| format!("{name} {:.0} %", 100.0 * share))
}

/// Ticks from 1,000 on with digits in groups of three, all other costs with two decimals.
fn shown(cost: PredictedCost) -> String {
    match cost {
        PredictedCost::Ticks(ticks @ 1000..) => grouped(ticks),
        small => format!("{:.2}", small.value()),
    }
}
