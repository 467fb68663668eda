//! The page of a kernel's source with notes beside its lines.

use serde::Serialize;
use tera::Context;

use super::render;
use crate::render::inspected::{Tone, line_totals, note, resources, subtitle, tone, warning};
use crate::result::InspectionReport;
use autotune_base::text::words::label;
use autotune_engine::explain::inspect::{InspectedFile, InspectedLine};

/// The data of a page.
#[derive(Debug, Clone, Copy)]
pub struct InspectionPage<'a> {
    /// The result.
    pub report: &'a InspectionReport,
}

#[derive(Serialize)]
struct File {
    id: String,
    name: String,
    lines: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    number: String,
    text: String,
    totals: String,
    notes: Vec<Note>,
}

#[derive(Serialize)]
struct Note {
    class: &'static str,
    verdict: &'static str,
    text: String,
}

#[derive(Serialize)]
struct Warning<'a> {
    message: String,
    help: &'a str,
}

impl InspectionPage<'_> {
    /// Returns the page as HTML. Equal data give equal bytes.
    #[must_use]
    pub fn render(&self) -> String {
        let report = self.report;
        let mut context = Context::new();
        context.insert("title", &format!("{} on {}", report.kernel, report.gpu));
        context.insert("configuration", &label(&report.parameters));
        context.insert("subtitle", &subtitle(report));
        context.insert("facts", &resources(report));
        let files = report.files.iter().enumerate().map(|(number, one)| file(number, one));
        context.insert("files", &files.collect::<Vec<_>>());
        let warnings = report.warnings.iter().map(|one| Warning { message: warning(one), help: &one.help });
        context.insert("warnings", &warnings.collect::<Vec<_>>());
        render("report/inspection.html", context)
    }
}

fn file(number: usize, file: &InspectedFile) -> File {
    File { id: format!("file-{}", number + 1), name: file.name.clone(), lines: file.lines.iter().map(line).collect() }
}

fn line(line: &InspectedLine) -> Line {
    let of_tone = |tone| match tone {
        Tone::Good => ("proved", "good"),
        Tone::Fair => ("open", "fair"),
        Tone::Bad => ("failed", "bad"),
    };
    let notes = line.accesses.iter().map(|access| {
        let (class, verdict) = of_tone(tone(access));
        Note { class, verdict, text: note(access) }
    });
    Line {
        number: if line.line > 0 { line.line.to_string() } else { String::new() },
        text: line.text.clone(),
        totals: line_totals(line),
        notes: notes.collect(),
    }
}
