//! Runs of a user's own benchmark: a line for each as it ends, and what they say at the end.

use std::fmt::Write;

use super::suggestion::{model, number};
use crate::result::{BestRunsReport, MeasureEnd, MeasureReport, MeasuredRunReport, RunPurpose, RunStatus};
use autotune_base::text::words::{counted, label, printable};

/// The widths of the columns behind the configuration.
const TIME: usize = 12;

/// The header of the table of runs. `width` is that of the longest configuration.
#[must_use]
pub fn header(width: usize, in_ticks: bool) -> String {
    let predicted = if in_ticks { "pred. ticks" } else { "predicted ms" };
    format!(" run  {:<width$}  {predicted:>TIME$}  {:>TIME$}  {:>TIME$}", "configuration", "measured ms", "best ms")
}

/// The line of a run in the table. `best` is the best measured time so far.
#[must_use]
pub fn row(run: &MeasuredRunReport, best: Option<f64>, width: usize) -> String {
    let predicted = number(run.predicted_ms.or(run.predicted_ticks));
    let measured = match run.status {
        RunStatus::Ok => number(run.time_ms),
        failed => failed.in_words().to_owned(),
    };
    let again = match again(run.purpose) {
        "" => String::new(),
        again => format!("  {again}"),
    };
    let reason = run.reason.as_ref().map_or(String::new(), |reason| format!("  {}", printable(reason)));
    let (configuration, best) = (label(&run.parameters), number(best));
    let line = format!(
        "{:>4}  {configuration:<width$}  {predicted:>TIME$}  {measured:>TIME$}  {best:>TIME$}{again}{reason}",
        run.number
    );
    line.trim_end().to_owned()
}

/// The purpose of a run in a word; empty for one that was suggested.
pub(in crate::render) fn again(purpose: RunPurpose) -> &'static str {
    match purpose {
        RunPurpose::Suggested => "",
        RunPurpose::Confirmed => "again",
        RunPurpose::Probe => "probe",
        RunPurpose::Repeated => "repeated",
    }
}

/// Returns the report as text. `until` is the expected gain in percent below which nothing more is suggested.
#[must_use]
pub fn to_text(report: &MeasureReport, until: f64) -> String {
    let failed = report.runs.iter().filter(|run| run.status != RunStatus::Ok).count();
    let failures = if failed == 0 { String::new() } else { format!(", {failed} of them failed") };
    let runs = counted(report.runs.len() as u64, "run");
    let mut text = format!("{} on {}: {runs}{failures}; {}\n\n", report.kernel, report.gpu, ended(report, until));
    let Some(best) = &report.best else {
        text.push_str("best      none: no run succeeded\n");
        return text;
    };
    let unconfirmed = if best.confirmed { "" } else { ", not confirmed" };
    let _ = writeln!(text, "best      {}", times(best, unconfirmed));
    if let Some(faster) = &report.faster_with_failed_runs {
        let _ = writeln!(text, "          faster, but with failed runs: {}", times(faster, ""));
    }
    if let Some(first) = &report.first {
        let reached = match (first.time_ms, first.fraction) {
            (Some(time), Some(fraction)) => {
                format!("{} ms, {fraction:.2} of the best", number(Some(time)))
            }
            _ => "it failed".to_owned(),
        };
        let _ = writeln!(text, "first     {}: {reached}", label(&first.parameters));
    }
    text.push_str(&model(&report.model));
    text
}

/// A configuration with its time, its runs, and a remark on them.
fn times(best: &BestRunsReport, remark: &str) -> String {
    let runs = if best.runs == 1 { "1 run".to_owned() } else { format!("median of {} runs", best.runs) };
    let failed = if best.failed == 0 { String::new() } else { format!(", {} more failed", best.failed) };
    format!("{}: {} ms ({runs}{failed}{remark})", label(&best.parameters), number(Some(best.time_ms)))
}

fn ended(report: &MeasureReport, until: f64) -> String {
    match report.ended {
        MeasureEnd::Runs => "`--runs` asks for no more".to_owned(),
        MeasureEnd::Until => super::suggestion::advice(until),
        MeasureEnd::Space => "all that is promising is measured".to_owned(),
        MeasureEnd::Interrupt => "interrupted".to_owned(),
        MeasureEnd::Device => "is the device still there? `--resume` repeats what failed".to_owned(),
    }
}
