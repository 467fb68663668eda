//! The best memory for each access, as a result states it.

use super::values::values;
use crate::models::locality::{AccessFinding, Dependence, Elsewhere, Matrices};
use crate::result::{AccessReport, ElsewhereReport, LocalityReport, MatricesReport, SavesReport};
use crate::spec::{Configuration, Spec};

/// The report of the findings about the accesses of a configuration.
#[must_use]
pub fn locality(spec: &Spec, gpu: &str, configuration: &Configuration, findings: Vec<AccessFinding>) -> LocalityReport {
    LocalityReport {
        schema: LocalityReport::SCHEMA,
        kernel: spec.kernel.clone(),
        gpu: gpu.to_owned(),
        parameters: values(spec, configuration),
        accesses: findings.into_iter().map(access).collect(),
    }
}

fn access(finding: AccessFinding) -> AccessReport {
    AccessReport {
        statement: finding.keyword,
        array: finding.array,
        file: finding.file,
        line: finding.place.line,
        classes: finding.classes,
        stride: finding.stride,
        sectors: finding.sectors,
        conflict: finding.conflict,
        advice: finding.advice.map(|advice| advice.home),
        saves: finding.advice.map(|advice| SavesReport { transactions: advice.saves }),
        elsewhere: finding.elsewhere.into_iter().map(elsewhere).collect(),
        matrices: finding.matrices.as_ref().map(matrices),
        missing: finding.missing,
    }
}

fn elsewhere(Elsewhere { block: [x, y, z, launch], classes }: Elsewhere) -> ElsewhereReport {
    ElsewhereReport { group: [x, y, z], launch, classes }
}

fn matrices(matrices: &Matrices) -> MatricesReport {
    MatricesReport {
        dimensions: matrices.dimensions.clone(),
        lane: matrices.dimensions[matrices.lane].clone(),
        f: matrices.subscripts.rows().to_vec(),
        t: matrices.sequential.rows().to_vec(),
        dependent: match matrices.dependence {
            Dependence::Unknown => None,
            Dependence::None => Some(false),
            Dependence::Affine { .. } | Dependence::Pieces { .. } => Some(true),
        },
        phi: match &matrices.dependence {
            Dependence::Affine { matrix, .. } => Some(matrix.rows().to_vec()),
            _ => None,
        },
    }
}
