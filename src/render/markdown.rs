//! The effect of a change on a kernel, in Markdown for the summary of a job.

use std::fmt::Write;

use super::text::difference::{described, precision, rows};
use crate::result::{ConfigurationDifference, DifferenceReport, EvaluatedOptimum, GpuDifference, SharedFinding};
use autotune_base::text::words::{label, named};
use autotune_engine::difference::DifferenceKind;

/// The most findings that are listed.
const MOST_FINDINGS: usize = 50;

/// Returns the report as a section of Markdown.
#[must_use]
pub fn to_markdown(report: &DifferenceReport) -> String {
    let mut text = format!("### {}: `{}` against `{}`\n\n", cell(&report.kernel), code(&report.new), code(&report.old));
    let changes = &report.description.description;
    for change in changes {
        let _ = writeln!(text, "- {}", cell(&described(change)));
    }
    text.push_str(if changes.is_empty() { "" } else { "\n" });
    text += &optima(report);
    let shared = report.shared();
    if shared.is_empty() {
        text += "No count differs.\n";
    } else {
        text += "| | line | finding | on |\n|---|---|---|---|\n";
        shared.iter().take(MOST_FINDINGS).for_each(|shared| text += &finding(shared));
    }
    if let Some(more @ 1..) = shared.len().checked_sub(MOST_FINDINGS) {
        let _ = writeln!(text, "\nand {more} more");
    }
    text += &report.gpus.iter().map(details).collect::<String>();
    if shared.iter().any(|shared| shared.found.finding.kind == DifferenceKind::Slower) {
        let _ = writeln!(text, "\n{}", precision(&report.precision));
    }
    text
}

fn optima(report: &DifferenceReport) -> String {
    if report.gpus.iter().all(|gpu| gpu.optima.is_none()) {
        return String::new();
    }
    let mut text =
        "| GPU | old optimum | new optimum | times (evaluated, not proved) |\n|---|---|---|--:|\n".to_owned();
    let shown = |optimum: Option<&EvaluatedOptimum>| {
        let Some(optimum) = optimum else { return "no configuration can run".to_owned() };
        let time = optimum.microseconds.map_or_else(String::new, |time| format!(", {time:.1} µs"));
        let label = label(&optimum.parameters);
        format!("`{}`{time}", code(named(&label)))
    };
    for (gpu, optima) in report.gpus.iter().filter_map(|gpu| Some((gpu, gpu.optima.as_ref()?))) {
        let ratio = optima.ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
        let (old, new) = (shown(optima.old.as_ref()), shown(optima.new.as_ref()));
        let _ = writeln!(text, "| {} | {old} | {new} | {ratio} |", cell(&gpu.gpu));
    }
    text + "\n"
}

fn finding(shared: &SharedFinding) -> String {
    let finding = &shared.found.finding;
    let place =
        finding.place.as_ref().map_or_else(String::new, |place| format!("`{}:{}`", code(&place.file), place.line));
    let mark = if shared.found.fails { "**fails**, " } else { "" };
    let kind = finding.kind.words();
    format!("| {mark}{kind} | {place} | {} | {} |\n", cell(&finding.message), cell(&shared.gpus.join(", ")))
}

/// The counts of a GPU's configurations, folded away.
fn details(gpu: &GpuDifference) -> String {
    let counts: String = gpu.configurations.iter().take(4).map(configuration).collect();
    if counts.is_empty() {
        return String::new();
    }
    format!("\n<details><summary>Counts on {}</summary>\n{counts}\n</details>\n", cell(&gpu.gpu))
}

fn configuration(one: &ConfigurationDifference) -> String {
    let label = label(&one.parameters);
    let mut text = format!("\n`{}`\n\n| | old | new |\n|---|--:|--:|\n", code(named(&label)));
    if let Some((old, new)) = one.old.as_ref().zip(one.new.as_ref()) {
        for (name, [old, new]) in rows(old, new) {
            let _ = writeln!(text, "| {} | {} | {} |", name.trim(), cell(&old), cell(&new));
        }
    }
    for why in [("old", &one.old_refused), ("new", &one.new_refused)] {
        if let (name, Some(why)) = why {
            let _ = writeln!(text, "| the {name} kernel cannot run: {} | | |", cell(why));
        }
    }
    text
}

/// The text of a cell: what Markdown would read is escaped.
fn cell(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if "\\|`*_<>[]#&".contains(c) {
            escaped.push('\\');
        }
        escaped.push(if c.is_control() { ' ' } else { c });
    }
    escaped
}

/// The text of a piece of code in a cell.
fn code(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || "|`".contains(c) { ' ' } else { c }).collect()
}
