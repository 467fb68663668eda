//! Whether everything is there that a proof needs (`schemas/doctor.json`).

use schemars::JsonSchema;
use serde::Serialize;

/// The result of `autotune doctor --format json`: whether everything is there that a proof needs.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DoctorReport {
    /// The id of this schema.
    #[schemars(extend("const" = DoctorReport::SCHEMA))]
    pub schema: &'static str,
    /// Whether every check has passed.
    pub ready: bool,
    /// The checks, in the order in which they were made.
    pub checks: Vec<CheckReport>,
}

/// One check.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CheckReport {
    /// The program or the ability that is checked.
    pub what: String,
    /// Whether nothing is wrong.
    pub passed: bool,
    /// The program that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The program's version.
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
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.doctor/1";

    /// The report of these checks.
    #[must_use]
    pub fn new(checks: Vec<CheckReport>) -> Self {
        Self { schema: Self::SCHEMA, ready: checks.iter().all(|check| check.passed), checks }
    }
}
