//! Everything that is wrong or doubtful in a spec (`schemas/diagnosis.json`).

use schemars::JsonSchema;
use serde::Serialize;

use super::{SpaceSummary, SpecProblem};
use crate::result::Warning;

/// The result of `autotune check SPEC --format json`: everything that is wrong or doubtful in a spec.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DiagnosisReport<'a> {
    /// The id of this schema.
    #[schemars(extend("const" = DiagnosisReport::SCHEMA))]
    pub schema: &'static str,
    /// The spec's file.
    pub spec: &'a str,
    /// The GPU's name; null if none was named: then no limit of a GPU is tried.
    pub gpu: Option<&'a str>,
    /// The errors that keep the spec from being tuned: in the order of the text, or of the first configuration that has each.
    pub errors: &'a [SpecProblem],
    /// The doubtful places of spec and profile. They may well be meant.
    pub warnings: &'a [Warning],
    /// How the space becomes smaller; absent if the spec could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space: Option<&'a SpaceSummary>,
}

impl DiagnosisReport<'_> {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.diagnosis/1";
}
