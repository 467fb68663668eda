//! A kernel's source with notes beside its lines.

use std::fmt::Write;

use super::super::inspected::{NUMBERS, Tone, line_totals, note, resources, subtitle, tone, warning};
use crate::result::InspectionReport;
use autotune_base::text::words::label;
use autotune_engine::explain::inspect::{InspectedFile, InspectedLine};

/// The codes of a terminal.
const RESET: &str = "\x1b[0m";
const FAINT: &str = "\x1b[2m";
const GREEN: &str = "\x1b[32m";
const YELLOW: &str = "\x1b[33m";
const RED: &str = "\x1b[31m";
const BOLD: &str = "\x1b[1m";

/// The column where the totals of a line begin.
const TOTALS: usize = 76;

/// True if `beginning`, the first bytes of a file as text, is that of an inspection.
#[must_use]
pub fn is_inspection(beginning: &str) -> bool {
    beginning.lines().nth(1).is_some_and(|line| line.contains(NUMBERS))
}

/// Returns the report as text, with the colours of a terminal if `coloured`.
#[must_use]
pub fn to_text(report: &InspectionReport, coloured: bool) -> String {
    let paint = Paint(coloured);
    let title = format!("{} on {}, {}", report.kernel, report.gpu, label(&report.parameters));
    let mut text = format!("{}\n{}\n\n", paint.with(BOLD, &title), subtitle(report));
    for (name, value) in resources(report) {
        let _ = writeln!(text, "{name:<10}{value}");
    }
    for file in &report.files {
        text += &lines(file, paint);
    }
    if !report.warnings.is_empty() {
        text.push('\n');
    }
    for one in &report.warnings {
        let _ = writeln!(text, "{} {}\n  help: {}", paint.with(YELLOW, "warning:"), warning(one), one.help);
    }
    text
}

fn lines(file: &InspectedFile, paint: Paint) -> String {
    let mut text = format!("\n{}\n", paint.with(BOLD, &file.name));
    let width = file.lines.last().map_or(1, |line| line.line.to_string().len());
    for line in &file.lines {
        text += &one_line(line, width, paint);
    }
    text
}

fn one_line(line: &InspectedLine, width: usize, paint: Paint) -> String {
    let number = if line.line > 0 { line.line.to_string() } else { String::new() };
    let source = line.text.trim_end().replace('\t', "    ");
    let totals = line_totals(line);
    let mut text = format!("{number:>width$} | {source}");
    if !totals.is_empty() {
        let gap = TOTALS.saturating_sub(text.chars().count()).max(2);
        let _ = write!(text, "{:gap$}{}", "", paint.with(FAINT, &totals));
    }
    text = text.trim_end().to_owned() + "\n";
    for access in &line.accesses {
        let colour = match tone(access) {
            Tone::Good => GREEN,
            Tone::Fair => YELLOW,
            Tone::Bad => RED,
        };
        let _ = writeln!(text, "{:width$} |     {}", "", paint.with(colour, &note(access)));
    }
    text
}

/// The colours of a terminal, if it shows them.
#[derive(Clone, Copy)]
struct Paint(bool);

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        if self.0 { format!("{code}{text}{RESET}") } else { text.to_owned() }
    }
}
