//! The tests of the tools that a proof needs.

use std::fmt::Write;

use crate::result::{CheckReport, DoctorReport, TargetReport};

/// Returns a line for each test, and a line of help for each failed test that has one.
#[must_use]
pub fn to_text(report: &DoctorReport) -> String {
    let mut text = String::new();
    for CheckReport { what, path, version, problem, help, targets, .. } in &report.checks {
        let _ = match (problem, path, version) {
            (Some(problem), ..) if help.is_some() => writeln!(text, "MISSING  {problem}"),
            (Some(problem), ..) => writeln!(text, "FAILED   {what}: {problem}"),
            (None, Some(path), Some(version)) => writeln!(text, "ok       {what}: {path}, {version}"),
            _ => writeln!(text, "ok       {what}"),
        };
        if let Some(help) = help {
            let _ = writeln!(text, "         {help}");
        }
        let (other, native): (Vec<_>, Vec<_>) = targets.iter().partition(|one| one.taken.is_some());
        if !native.is_empty() {
            let gpus: Vec<&str> = native.iter().flat_map(|one| &one.gpus).map(String::as_str).collect();
            let _ = writeln!(text, "         compiles natively for {} profiles: {}", gpus.len(), gpus.join(", "));
        }
        for TargetReport { target, taken, gpus } in other {
            let taken = taken.as_deref().unwrap_or_default();
            let _ = writeln!(text, "         compiles for {taken} in place of {target}: {}", gpus.join(", "));
        }
    }
    text + &build(report.profile)
}

/// Returns the line of a build that is not optimised; empty for a release.
fn build(profile: &str) -> String {
    match profile {
        "release" => String::new(),
        other => format!("note     a {other} build: install a release for long searches\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_that_is_not_optimised_is_named() {
        assert_eq!(build("quick"), "note     a quick build: install a release for long searches\n");
        assert_eq!(build("release"), "");
    }
}
