//! Proof, evaluator and formulas side by side.

use std::fmt::Write;

use comfy_table::CellAlignment;

use super::TO_USE;
use super::evaluation::extremes;
use super::table::{numbers, table};
use crate::result::{AgreementReport, ApartReport, ComparedReport, ComparisonReport};
use autotune_base::text::words::{grouped, label};
use autotune_engine::compare::{PredictedCost, Predictor, Relative, Term, Unit};

/// Returns the report as text.
#[must_use]
pub fn to_text(report: &ComparisonReport) -> String {
    let lacking = report.waves_without().map_or(String::new(), |without| format!("waves     {without}\n"));
    let which = if report.complete { "all that can run" } else { "a sample" };
    format!(
        "{} on {}, {} configurations compared: {which}\n\n{}\n\n{}\n\n{TO_USE}{lacking}\n{}",
        report.kernel,
        report.gpu,
        report.compared,
        costs(report),
        choices(report),
        agreements(report)
    )
}

fn costs(report: &ComparisonReport) -> String {
    let [names, units] = headings(report);
    let mut rows = numbers(&names);
    rows.add_row(units);
    for one in &report.configurations {
        rows.add_row(row(report, one));
    }
    rows.trim_fmt()
}

/// The names of the columns of costs, and their units, empty where there is none. Beside the time of the wave model stand
/// the machine's in the same unit and the quotient of both.
pub(in crate::render) fn headings(report: &ComparisonReport) -> [Vec<&str>; 2] {
    let (mut names, mut units) = (vec!["configuration", "proved"], vec!["", Unit::Ticks.name()]);
    if has_orders(report) {
        names.extend(["least", "greatest"]);
        units.extend([Unit::Ticks.name(); 2]);
    }
    for (model, unit) in &report.units {
        if model == Predictor::Waves.name() && has_clock(report) {
            names.extend([Predictor::Machine.name(), model, "machine/waves"]);
            units.extend([Unit::Microseconds.name(), unit.name(), ""]);
        } else {
            names.push(model);
            units.push(if *unit == Unit::None { "" } else { unit.name() });
        }
    }
    [names, units]
}

/// The cells of a configuration under the [`headings`].
pub(in crate::render) fn row(report: &ComparisonReport, one: &ComparedReport) -> Vec<String> {
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.2}"));
    let mut row = vec![label(&one.parameters), one.proved.map_or(String::new(), grouped)];
    if has_orders(report) {
        row.extend(extremes(one.schedules.as_ref()));
    }
    for (model, cost) in &one.costs {
        let cost = cost.map_or("-".to_owned(), shown);
        if model == Predictor::Waves.name() && has_clock(report) {
            row.extend([number(one.microseconds), cost, number(one.machine_by_waves)]);
        } else {
            row.push(cost);
        }
    }
    row
}

fn has_orders(report: &ComparisonReport) -> bool {
    report.configurations.iter().any(|one| one.schedules.is_some())
}

fn has_clock(report: &ComparisonReport) -> bool {
    report.configurations.iter().any(|one| one.microseconds.is_some())
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

/// The largest part of a cost, with its share.
pub(in crate::render) fn term(term: Option<Term>) -> String {
    term.map_or("-".to_owned(), |Term { name, share }| format!("{name} {:.0} %", 100.0 * share))
}

/// Ticks with digits in groups of three, efficiencies with three decimals as `autotune efficiency` shows
/// them, all other costs with two.
fn shown(cost: PredictedCost) -> String {
    match cost {
        PredictedCost::Ticks(ticks) => grouped(ticks),
        PredictedCost::Efficiency(efficiency) => format!("{efficiency:.3}"),
        PredictedCost::Real(cost) => format!("{cost:.2}"),
    }
}
