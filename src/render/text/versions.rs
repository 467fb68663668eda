//! Versions of kernels: predicted times against measured ones.

use std::fmt::Write;

use super::table::numbers;
use crate::result::{LadderReport, PairsReport, VersionsReport};
use autotune_base::text::words::counted;

/// Returns the report as text.
#[must_use]
pub fn to_text(report: &VersionsReport) -> String {
    let mut text: String = report.ladders.iter().map(ladder).collect();
    let (steps, factor) = (report.ladders.iter().map(|ladder| ladder.steps.len()).sum::<usize>(), report.factor);
    let _ = writeln!(
        text,
        "pairs     {}\nfactor    {:.2} between predicted and measured time in the median, {:.2} in nine of ten ({})",
        pairs(report.pairs),
        factor.median,
        factor.nine_of_ten,
        counted(steps as u64, "step"),
    );
    text
}

/// Returns the table of a ladder below its heading, with an empty line behind it.
fn ladder(ladder: &LadderReport) -> String {
    let mut table = numbers(&["step", "measured us", "predicted us", "predicted / measured"]);
    for step in &ladder.steps {
        let times = [step.measured_us, step.predicted_us].map(|time| format!("{time:.1}"));
        let ratio = format!("{:.2}", step.predicted_per_measured);
        table.add_row([vec![step.step.clone()], times.to_vec(), vec![ratio]].concat());
    }
    let LadderReport { ladder: name, gpu, measured_on, .. } = ladder;
    let measured = if gpu == measured_on { String::new() } else { format!(", measured on {measured_on}") };
    let mut text = format!("{name} on {gpu}{measured}: {}\n", pairs(ladder.pairs));
    if let Some(worst) = &ladder.worst {
        let (slower, faster, ratio) = (&worst.slower, &worst.faster, worst.ratio);
        let _ = writeln!(text, "worst ratio: {slower} to {faster}, {ratio:.2} of the measured one");
    }
    let _ = writeln!(text, "\n{}\n", table.trim_fmt());
    text
}

fn pairs(pairs: PairsReport) -> String {
    let PairsReport { right, total, share } = pairs;
    match share {
        Some(share) => format!("{right} of {} in order ({share:.3})", counted(total as u64, "pair")),
        None => "no pair whose times differ by more than 5 %".to_owned(),
    }
}
