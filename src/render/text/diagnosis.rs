//! All errors and warnings of a spec.

use std::fmt::Write;

use super::fits;
use crate::result::DiagnosisReport;
use autotune_engine::check::{SpaceSafety, SpaceSummary, Warning};

/// Returns errors and warnings with their lines, then a summary of the space. `shown` returns a warning's text with
/// its line.
#[must_use]
pub fn to_text(report: &DiagnosisReport, shown: impl Fn(&Warning) -> String) -> String {
    let mut text = String::new();
    for error in report.errors {
        let _ = writeln!(text, "error: {}", error.shown);
        if let (Some(first), Some(number)) = (&error.configuration, error.configurations) {
            let _ = writeln!(text, "in {number} {}, the first is {first}", plural(number, "configuration"));
        }
        if let Some(help) = &error.help {
            let _ = writeln!(text, "help: {help}");
        }
        text.push('\n');
    }
    for warning in report.warnings {
        let _ = writeln!(text, "{}\nhelp: {}\n", shown(warning), warning.help);
    }
    let (errors, warnings) = (report.errors.len() as u64, report.warnings.len() as u64);
    let _ = writeln!(
        text,
        "{}: {errors} {}, {warnings} {}",
        report.spec,
        plural(errors, "error"),
        plural(warnings, "warning")
    );
    match (&report.fits, report.space) {
        (Some(fits), _) => {
            text.push('\n');
            text.push_str(&fits::to_text(fits));
        }
        (None, Some(space)) => summary(&mut text, report.gpu, space),
        (None, None) => {}
    }
    if let Some(safety) = report.safety {
        of_safety(&mut text, safety);
    }
    if let Some(stopped) = &report.stopped {
        let _ = writeln!(text, "\nnot all was looked at: {stopped}");
    }
    text
}

fn of_safety(text: &mut String, safety: &SpaceSafety) {
    let SpaceSafety { configurations, edges, not_executed, unjudged, not_looked_at, found, doubted, stopped: _ } =
        safety;
    let executed = format!(
        "{configurations} {} and {edges} other {} of their launches executed",
        plural(*configurations, "configuration"),
        plural(*edges, "group")
    );
    let _ =
        writeln!(text, "\n{executed}, {not_executed} not executed; data-dependent accesses: {unjudged}, not judged");
    for (number, what) in [
        (not_looked_at.iter().map(|one| one.groups).max(), "groups of a launch that a condition sends another way"),
        (not_looked_at.iter().map(|one| one.volatile).max(), "pairs of volatile accesses that meet without a barrier"),
        (
            not_looked_at.iter().map(|one| one.pairs).max(),
            "pairs of accesses of two groups, which are too many to compare",
        ),
    ] {
        if let Some(number) = number.filter(|number| *number > 0) {
            let _ = writeln!(text, "not looked at: up to {number} {what}");
        }
    }
    match found.len() as u64 {
        0 if *configurations == 0 => text.push_str("nothing was looked at: no configuration was executed\n"),
        0 => text.push_str("no barrier, race or mask error in these groups\n"),
        number => {
            let _ = writeln!(
                text,
                "{number} {} unsafe:",
                if number == 1 { "configuration is" } else { "configurations are" }
            );
        }
    }
    for one in found {
        let _ = writeln!(text, "  {}  {}", one.configuration, one.reason);
    }
    for one in doubted {
        let _ = writeln!(text, "warning: with {}, {}", one.configuration, one.reason);
    }
}

fn summary(text: &mut String, gpu: Option<&str>, space: &SpaceSummary) {
    let on = gpu.map_or_else(|| "without the limits of a GPU".to_owned(), |gpu| format!("on {gpu}"));
    let SpaceSummary { configurations, feasible, not_looked_at, removed } = space;
    let unknown = match not_looked_at {
        0 => String::new(),
        number => format!(", {number} were not looked at"),
    };
    let _ = writeln!(text, "{feasible} of {configurations} configurations can run {on}{unknown}; removed are");
    let width = removed.iter().map(|rule| rule.rule.chars().count()).max().unwrap_or(0);
    for rule in removed {
        let _ = writeln!(text, "  {:width$}  {}", rule.rule, rule.configurations);
    }
    if removed.is_empty() {
        let _ = writeln!(text, "  none");
    }
}

fn plural(number: u64, word: &str) -> String {
    if number == 1 { word.to_owned() } else { format!("{word}s") }
}
