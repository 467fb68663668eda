//! The parts of a question that follow from the text of a source.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

/// The kind of what was inferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum InferredKind {
    /// The kernel.
    Kernel,
    /// The launch: its work items and work groups.
    Launch,
    /// A problem size.
    Problem,
    /// A tuning parameter.
    Parameter,
    /// An argument of the kernel.
    Argument,
    /// A condition on the configurations.
    Constraint,
}

/// A part of a question that follows from the text of a source.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Inferred {
    /// The kind.
    pub what: InferredKind,
    /// The name: of the kernel, the problem size, the parameter or the argument; the text of a launch or a condition.
    pub name: String,
    /// The value: a number, an expression, or the values of a parameter. Empty for a kernel and a condition.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub value: String,
    /// The file, as messages name it; absent for an option.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub file: String,
    /// The line, from 1; absent for an option.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub line: u32,
    /// True if a rule gave it that may be wrong.
    pub by_rule: bool,
    /// The rule, in words; empty if the text says it so.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub rule: String,
}

impl Inferred {
    /// A line of an answer.
    fn line(&self) -> String {
        let Self { what, name, value, file, line, by_rule, rule } = self;
        let mut text = match what {
            InferredKind::Kernel => format!("kernel    {name}"),
            InferredKind::Launch => format!("launch    {name}"),
            InferredKind::Constraint => format!("condition {name}"),
            InferredKind::Argument => format!("argument  {name} = {value}"),
            InferredKind::Problem | InferredKind::Parameter => format!("{name:9} {value}"),
        };
        if !file.is_empty() {
            let _ = write!(text, " ({file}:{line})");
        }
        if !rule.is_empty() {
            let _ = write!(text, ", {rule}");
        }
        text.push_str(if *by_rule { " (by rule)\n" } else { "\n" });
        text
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(line: &u32) -> bool {
    *line == 0
}

/// The lines of an answer that say what was inferred, without those that repeat a problem size; empty if nothing was.
#[must_use]
pub fn inferred_lines(all: &[Inferred]) -> String {
    let is_told = |one: &&Inferred| one.what != InferredKind::Argument || one.name != one.value;
    all.iter().filter(is_told).map(Inferred::line).collect()
}
