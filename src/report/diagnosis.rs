//! What `autotune check` tells (`schemas/diagnosis.json`).

use std::fmt::Write;

use serde::Serialize;

use crate::diagnosis::{Diagnosis, SpaceSummary, SpecProblem};
use crate::warnings::Warning;

/// Everything that is wrong or doubtful in a spec.
#[derive(Debug, Serialize)]
pub struct DiagnosisReport<'a> {
    schema: &'static str,
    spec: &'a str,
    gpu: Option<&'a str>,
    errors: &'a [SpecProblem],
    warnings: &'a [Warning],
    #[serde(skip_serializing_if = "Option::is_none")]
    space: Option<&'a SpaceSummary>,
}

impl<'a> DiagnosisReport<'a> {
    /// What was found in the file `spec`, on a GPU if one was named.
    #[must_use]
    pub fn new(spec: &'a str, gpu: Option<&'a str>, diagnosis: &'a Diagnosis) -> Self {
        let Diagnosis { errors, warnings, space } = diagnosis;
        Self { schema: "autotune.diagnosis/1", spec, gpu, errors, warnings, space: space.as_ref() }
    }

    /// Errors and warnings with their lines, then what is left of the space. `shown` frames a warning.
    #[must_use]
    pub fn for_people(&self, diagnosis: &Diagnosis, shown: impl Fn(&Warning) -> String) -> String {
        let mut text = String::new();
        for error in &diagnosis.errors {
            let _ = writeln!(text, "error: {}", error.shown);
            if let (Some(first), Some(number)) = (&error.configuration, error.configurations) {
                let _ = writeln!(text, "in {number} {}, the first is {first}", plural(number, "configuration"));
            }
            if let Some(help) = &error.help {
                let _ = writeln!(text, "help: {help}");
            }
            text.push('\n');
        }
        for warning in &diagnosis.warnings {
            let _ = writeln!(text, "{}\nhelp: {}\n", shown(warning), warning.help);
        }
        let (errors, warnings) = (self.errors.len() as u64, self.warnings.len() as u64);
        let _ = writeln!(
            text,
            "{}: {errors} {}, {warnings} {}",
            self.spec,
            plural(errors, "error"),
            plural(warnings, "warning")
        );
        if let Some(space) = self.space {
            self.space(&mut text, space);
        }
        text
    }

    fn space(&self, text: &mut String, space: &SpaceSummary) {
        let on = self.gpu.map_or_else(|| "without the limits of a GPU".to_owned(), |gpu| format!("on {gpu}"));
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
}

fn plural(number: u64, word: &str) -> String {
    if number == 1 { word.to_owned() } else { format!("{word}s") }
}
