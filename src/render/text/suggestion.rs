//! The next configurations to measure.

use std::fmt::Write;

use comfy_table::Table;

use super::table::numbers;
use crate::measuring::FURTHER_RUNS;
use crate::result::{ResidualReport, RunsOnModelReport, SuggestReport, SuggestedReport};
use autotune_base::text::words::{counted, label};
use autotune_machine::correction::ProposalReason;

/// The most residuals that are shown.
const RESIDUALS: usize = 3;
/// The least factor of a residual that is shown, in either direction.
const LEAST_FACTOR: f64 = 1.2;

/// Returns the report as text. `until` is the expected gain in percent below which the advice is to stop.
#[must_use]
pub fn to_text(report: &SuggestReport, until: f64) -> String {
    let mut text = format!("{} on {}: {}\n\n", report.kernel, report.gpu, known(report));
    if report.stop {
        let _ = writeln!(text, "{}", advice(until));
    } else {
        let _ = writeln!(text, "{}", next(report).trim_fmt());
    }
    if let Some(best) = &report.measured.best {
        let time = measured_time(best.time_ms, best.time_ticks);
        let _ = writeln!(text, "\nbest      {}: {time}", label(&best.parameters));
        if !report.stop {
            let gain = report.expected_gain * 100.0;
            let _ = writeln!(text, "gain      the next run is expected to be {gain:.1} % faster than the best so far");
            let _ = writeln!(text, "worth     {}", worth(report.worthwhile_runs, until));
        }
        text.push_str(&model(&report.model));
    } else if !report.stop {
        let _ = writeln!(text, "\nworth     {}", worth(report.worthwhile_runs, until));
    }
    text
}

/// Returns the advice to stop.
#[must_use]
pub fn advice(until: f64) -> String {
    format!("no configuration is expected to be more than {until} % faster")
}

/// The number of further runs that are worth their time, in words.
fn worth(runs: usize, until: f64) -> String {
    let runs = match runs {
        0 => "no further run is expected to be worth its time".to_owned(),
        1 => "1 further run is expected to be worth its time".to_owned(),
        FURTHER_RUNS => format!("{FURTHER_RUNS} further runs or more are expected to be worth their time"),
        runs => format!("{runs} further runs are expected to be worth their time"),
    };
    format!("{runs}, {until} % in ten runs")
}

/// The runs that are known.
fn known(report: &SuggestReport) -> String {
    let measured = &report.measured;
    match (measured.runs, measured.failed) {
        (0, _) => "nothing is measured yet".to_owned(),
        (runs, 0) => format!("{} measured", counted(runs as u64, "run")),
        (runs, failed) => format!("{} measured, {failed} of them failed", counted(runs as u64, "run")),
    }
}

fn next(report: &SuggestReport) -> Table {
    let in_ticks = report.next.iter().any(|one| one.predicted_ticks.is_some());
    let times = if in_ticks { ["predicted ticks", "corrected"] } else { ["predicted ms", "corrected"] };
    let mut table = numbers(&["measure next", times[0], times[1], "deviation", "work group", "why"]);
    if let Some(column) = table.column_iter_mut().last() {
        column.set_cell_alignment(comfy_table::CellAlignment::Left);
    }
    for one in &report.next {
        table.add_row([
            label(&one.parameters),
            number(one.predicted_ms.or(one.predicted_ticks)),
            number(one.corrected_ms.or(one.corrected_ticks)),
            format!("x {:.2}", one.deviation),
            one.work_group.to_string(),
            why(one).to_owned(),
        ]);
    }
    table
}

fn why(suggestion: &SuggestedReport) -> &'static str {
    match suggestion.reason {
        ProposalReason::First => "best predicted",
        ProposalReason::Recommended => "recommended",
        ProposalReason::Different => "differs",
        ProposalReason::BestCorrected => "best corrected",
        ProposalReason::Uncertain => "uncertain",
    }
}

/// Returns what the runs say of the model.
pub(super) fn model(model: &RunsOnModelReport) -> String {
    let mut text = String::new();
    if let Some(scale) = model.scale {
        let rank = model.spearman.map_or(String::new(), |rank| format!("; rank correlation {rank:.2}"));
        let _ = writeln!(text, "model     measured times are {} times the predicted ones{rank}", factor(scale));
    }
    for line in residuals(&model.residuals) {
        let _ = writeln!(text, "          {line}");
    }
    text
}

/// Returns a line for each of the greatest residuals of several runs.
pub(super) fn residuals(residuals: &[ResidualReport]) -> Vec<String> {
    let is_shown = |one: &&ResidualReport| one.runs > 1 && one.factor.max(1.0 / one.factor) >= LEAST_FACTOR;
    let line = |one: &ResidualReport| {
        let (times, slower) = if one.factor >= 1.0 { (one.factor, "slower") } else { (1.0 / one.factor, "faster") };
        let ResidualReport { parameter, value, runs, .. } = one;
        format!("{parameter}={value}: {times:.1} times {slower} than predicted, {}", counted(*runs as u64, "run"))
    };
    residuals.iter().filter(is_shown).take(RESIDUALS).map(line).collect()
}

/// A factor with two significant digits, or as many as it has before its point.
fn factor(factor: f64) -> String {
    if factor >= 10.0 {
        format!("{factor:.0}")
    } else if factor >= 1.0 {
        format!("{factor:.1}")
    } else {
        format!("{factor:.2}")
    }
}

fn measured_time(milliseconds: Option<f64>, ticks: Option<f64>) -> String {
    match (milliseconds, ticks) {
        (Some(time), _) => format!("{} ms", number(Some(time))),
        (None, time) => format!("{} ticks", number(time)),
    }
}

/// A time with four significant digits, or as many as it has before its point.
pub(crate) fn number(time: Option<f64>) -> String {
    let Some(time) = time else { return String::new() };
    let before = if time > 0.0 { time.log10().floor() } else { 0.0 };
    // A time of a file has few digits; this is for people.
    let digits = (3.0 - before).clamp(0.0, 9.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is from 0 to 9")]
    let digits = digits as usize;
    format!("{time:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits() {
        let shown = [0.000_123_456, 0.012_345_6, 1.5, 12.345_6, 1234.5, 123_456.7].map(|time| number(Some(time)));
        assert_eq!(shown, ["0.0001235", "0.01235", "1.500", "12.35", "1234", "123457"]);
        assert_eq!([12.34, 1.234, 0.1234].map(factor), ["12", "1.2", "0.12"]);
    }

    #[test]
    fn small_residuals_and_those_of_one_run_are_not_shown() {
        let one = |value, factor, runs| ResidualReport { parameter: "A".to_owned(), value, factor, runs };
        let all = [one(1, 4.8, 11), one(2, 9.0, 1), one(3, 0.25, 2), one(4, 1.1, 8)];
        let expected =
            ["A=1: 4.8 times slower than predicted, 11 runs", "A=3: 4.0 times faster than predicted, 2 runs"];
        assert_eq!(residuals(&all), expected);
    }
}
