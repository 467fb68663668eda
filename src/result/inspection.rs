//! What a work group executes, line by line (`schemas/inspection.json`).

use serde::Serialize;

use super::values::{Values, values};
use autotune_base::text::Inferred;
use autotune_engine::check::{CheckFinding, InspectionWarning};
use autotune_engine::explain::inspect::{InspectedFile, InspectedLaunch, InspectedResources, Inspection};
use autotune_engine::explain::{ExecutedGroups, NextChange};
use autotune_lowering::spec::{Configuration, Spec};

/// The result of `autotune inspect SPEC --gpu GPU --format json`: the lines of a kernel's source with what a warp of the
/// middle work group executes of each.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct InspectionReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = InspectionReport::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name in the spec.
    pub kernel: String,
    /// The kernel's name in the source.
    pub function: String,
    /// The GPU's name.
    pub gpu: String,
    /// The parts of the question that follow from the text of the source, with their lines; absent if a spec or options state
    /// all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inferred: Vec<Inferred>,
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The reason why this configuration is shown.
    pub chosen: ChosenBy,
    /// The sizes of the launch.
    pub launch: InspectedLaunch,
    /// The groups that were executed beside the middle one; null if it was executed alone.
    pub groups: Option<ExecutedGroups>,
    /// The resources of a group and its work items.
    pub resources: InspectedResources,
    /// The user's files, in the order of their first use by the kernel.
    pub files: Vec<InspectedFile>,
    /// What a user should know of the execution.
    pub warnings: Vec<InspectionWarning>,
    /// The one change that the numbers suggest; null if they suggest nothing, or if the time is not known.
    pub next: Option<NextChange>,
}

impl InspectionReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.inspection/1";

    /// The report of an inspection.
    #[must_use]
    pub fn new(
        spec: &Spec,
        gpu: &str,
        configuration: &Configuration,
        chosen: ChosenBy,
        inspection: Inspection,
        findings: &[CheckFinding],
        next: Option<NextChange>,
    ) -> Self {
        let Inspection { function, launch, groups, resources, files } = inspection;
        Self {
            schema: Self::SCHEMA,
            kernel: spec.kernel.clone(),
            function,
            gpu: gpu.to_owned(),
            inferred: spec.source.inferred().to_vec(),
            parameters: values(spec, configuration),
            chosen,
            launch,
            groups,
            resources,
            files,
            warnings: findings.iter().filter_map(CheckFinding::inspected).collect(),
            next,
        }
    }
}

/// The reason why a configuration is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ChosenBy {
    /// The question names it.
    Name,
    /// It is the fastest of the space by the native evaluator.
    Fastest,
    /// It is the first of the space that can run: the space is too large to evaluate it for this answer.
    First,
}
