//! The tests of the tools that a proof needs.

use std::fmt::Write;

use crate::result::{CheckReport, DoctorReport};

/// Returns a line for each test, and a line of help for each failed test that has one.
#[must_use]
pub fn to_text(report: &DoctorReport) -> String {
    let mut text = String::new();
    for CheckReport { what, path, version, problem, help, .. } in &report.checks {
        let _ = match (problem, path, version) {
            (Some(problem), ..) if help.is_some() => writeln!(text, "MISSING  {problem}"),
            (Some(problem), ..) => writeln!(text, "FAILED   {what}: {problem}"),
            (None, Some(path), Some(version)) => writeln!(text, "ok       {what}: {path}, {version}"),
            _ => writeln!(text, "ok       {what}"),
        };
        if let Some(help) = help {
            let _ = writeln!(text, "         {help}");
        }
    }
    text
}
