//! The check of all that a proof needs (`schemas/doctor.json`).

use serde::Serialize;

use autotune_base::files::version::BUILD_PROFILE;

/// The result of `autotune doctor --format json`: the checks of all that a proof needs.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct DoctorReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = DoctorReport::SCHEMA)))]
    pub schema: &'static str,
    /// True if every check has passed.
    pub ready: bool,
    /// The profile that the program was built with: `release`, `quick`, `dev`, or another one.
    pub profile: &'static str,
    /// The checks, in the order they were made.
    pub checks: Vec<CheckReport>,
}

/// One check.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct CheckReport {
    /// The program or the ability that is checked.
    pub what: String,
    /// True if the check found no problem.
    pub passed: bool,
    /// True for what only kernels' sources need; absent for what every proof needs.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// The path of the program; absent if it was not found, or if an ability is checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The program's version; absent if it was not found, or if an ability is checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The targets of the shipped profiles, as the compiler takes them; empty, and absent, for other programs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<TargetReport>,
    /// The problem; absent if the check has passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// Advice that corrects the problem; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// The target of some profiles.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct TargetReport {
    /// The target, such as `sm_90`.
    pub target: String,
    /// The target that the compiler takes in its place; absent if it knows the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taken: Option<String>,
    /// The profiles.
    pub gpus: Vec<String>,
}

impl DoctorReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.doctor/1";

    /// The report of these checks, in this order.
    #[must_use]
    pub fn new(checks: Vec<CheckReport>) -> Self {
        let ready = checks.iter().all(|check| check.passed || check.optional);
        Self { schema: Self::SCHEMA, ready, profile: BUILD_PROFILE, checks }
    }
}
