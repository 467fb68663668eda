//! Predictions against measurements.

use std::fmt::Write;

use comfy_table::Table;

use super::TO_USE;
use super::suggestion::residuals;
use super::table::numbers;
use crate::result::{ScenarioReport, ValidationReport};
use autotune_base::text::words::label;
use autotune_engine::compare::validation::{Findings, Picks, Score, TimeErrors};

/// Returns the report as text.
#[must_use]
pub fn to_text(report: &ValidationReport) -> String {
    let overall = &report.overall;
    let sizes = match report.scenarios.len() {
        0 => String::new(),
        several => format!(", means over {several} problem sizes"),
    };
    let mut text = format!(
        "{} on {}: {} measured runs, {} succeeded{sizes}\nfractions of the measured optimum\n\n{}\n",
        report.kernel,
        report.gpu,
        overall.rows,
        overall.valid,
        rankings(overall).trim_fmt()
    );
    if !report.scenarios.is_empty() {
        let _ = writeln!(text, "\n{}", by_size(report).trim_fmt());
    }
    let mut begin = "\nwrong     ";
    for line in residuals(&report.residuals) {
        let _ = writeln!(text, "{begin}{line}");
        begin = "          ";
    }
    let feasibility = overall.feasibility;
    let _ = writeln!(
        text,
        "\n{TO_USE}{}feasible  {} failed though nothing spoke against them; {} ran though they were refused",
        overall.time_error.as_ref().map_or(String::new(), time_error),
        feasibility.predicted_but_failed,
        feasibility.refused_but_ran
    );
    let unsure = feasibility.may_not_launch_and_failed + feasibility.may_not_launch_but_ran;
    if unsure > 0 {
        let failed = feasibility.may_not_launch_and_failed;
        let _ = writeln!(
            text,
            "          {failed} failed of the {unsure} that were said to be among those that may not launch"
        );
    }
    text
}

/// Returns the table of the models, random choice and the rules of thumb.
fn rankings(findings: &Findings) -> Table {
    let picks = ["ranking", "first", "of 5", "of 10", "of 20", "of 100", "runs to 95 %"];
    let header = [&picks[..], &["corrected, 5 runs", "corrected, 10 runs", "spearman", "kendall"]].concat();
    let mut table = numbers(&header);
    for (model, Score { picks, corrected, spearman, kendall }) in &findings.models {
        let corrected = [corrected.five, corrected.ten].map(fraction);
        let correlations = [spearman, kendall].map(|value| value.map_or("-".to_owned(), fraction));
        let name = vec![model.name().to_owned()];
        table.add_row([name, picked(picks), corrected.to_vec(), correlations.to_vec()].concat());
    }
    let named = [("recommended", findings.recommended.as_ref()), ("shortlist", Some(&findings.shortlist))];
    for (name, picks) in named.into_iter().filter_map(|(name, picks)| Some((name, picks?))) {
        table.add_row([vec![name.to_owned()], picked(picks)].concat());
    }
    table.add_row([vec!["random choice".to_owned()], picked(&findings.random)].concat());
    let rules = &findings.rules;
    for (rule, value) in [("largest group", rules.largest), ("256", rules.of_256), ("32x8", rules.of_32_by_8)] {
        if let Some(value) = value {
            table.add_row([rule.to_owned(), fraction(value)]);
        }
    }
    table
}

/// Returns the table of each model's first pick in each problem size.
fn by_size(report: &ValidationReport) -> Table {
    let models = report.overall.models.iter().map(|(model, _)| model.name());
    let mut table =
        numbers(&["problem size", "succeeded"].into_iter().chain(models).chain(["random"]).collect::<Vec<_>>());
    for ScenarioReport { problem, findings } in &report.scenarios {
        let first = report.overall.models.iter().map(|(model, _)| {
            let score = findings.models.iter().find(|(one, _)| one == model);
            score.map_or("-".to_owned(), |(_, score)| fraction(score.picks.first))
        });
        let begin = [label(problem), findings.valid.to_string()];
        table.add_row(begin.into_iter().chain(first).chain([fraction(findings.random.first)]).collect::<Vec<_>>());
    }
    table
}

/// Returns the lines of the machine's time error.
fn time_error(error: &TimeErrors) -> String {
    let TimeErrors { median, mean, fastest_median, fastest_mean, ratio } = *error;
    let mut lines = format!(
        "error     {} of the measured time in the median, {} in the mean; of the fastest tenth {} and {}\n",
        percent(median),
        percent(mean),
        percent(fastest_median),
        percent(fastest_mean)
    );
    if let Some(ratio) = ratio {
        let _ = writeln!(
            lines,
            "          {} of the ratio of two configurations, in the median of all pairs",
            percent(ratio)
        );
    }
    lines
}

fn percent(error: f64) -> String {
    format!("{:.1} %", error * 100.0)
}

fn picked(picks: &Picks) -> Vec<String> {
    let best = picks.best_of;
    let fractions = [picks.first, best.five, best.ten, best.twenty, best.hundred].map(fraction);
    fractions.into_iter().chain([format!("{:.1}", picks.runs_to_95_percent)]).collect()
}

fn fraction(value: f64) -> String {
    format!("{value:.3}")
}
