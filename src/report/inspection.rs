//! What a work group executes, as a result states it.

use super::values::values;
use crate::check::CheckFinding;
use crate::explain::inspect::Inspection;
use crate::result::{ChosenBy, InspectionReport};
use crate::spec::{Configuration, Spec};

/// The report of an inspection.
#[must_use]
pub fn inspection(
    spec: &Spec,
    gpu: &str,
    configuration: &Configuration,
    chosen: ChosenBy,
    inspection: Inspection,
    findings: &[CheckFinding],
) -> InspectionReport {
    let Inspection { function, launch, sample, resources, files } = inspection;
    let groups = super::groups::groups(&sample, launch.groups);
    InspectionReport {
        schema: InspectionReport::SCHEMA,
        kernel: spec.kernel.clone(),
        function,
        gpu: gpu.to_owned(),
        parameters: values(spec, configuration),
        chosen,
        launch,
        groups,
        resources,
        files,
        warnings: findings.iter().filter_map(CheckFinding::inspected).collect(),
    }
}
