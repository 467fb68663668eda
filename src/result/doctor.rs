//! Whether all is there that a proof needs (`schemas/doctor.json`).

use std::fmt::Write;

use serde::Serialize;

/// What was tested.
#[derive(Debug, Serialize)]
pub struct DoctorReport {
    schema: &'static str,
    ready: bool,
    checks: Vec<CheckReport>,
}

/// One test.
#[derive(Debug, Default, Serialize)]
pub struct CheckReport {
    /// What it is of.
    pub what: String,
    /// Whether nothing is wrong.
    pub passed: bool,
    /// The program that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// How to mend it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl DoctorReport {
    /// Of these tests.
    #[must_use]
    pub fn new(checks: Vec<CheckReport>) -> Self {
        Self { schema: "autotune.doctor/1", ready: checks.iter().all(|check| check.passed), checks }
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.ready
    }

    /// A line for each test.
    #[must_use]
    pub fn for_people(&self) -> String {
        let mut text = String::new();
        for CheckReport { what, path, version, problem, help, .. } in &self.checks {
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
}
