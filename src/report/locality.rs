/// Of what was found about a configuration.
#[must_use]
pub fn new(spec: &Spec, gpu: &str, configuration: &Configuration, findings: Vec<Finding>) -> Self {
    Self {
        schema: "autotune.locality/1",
        kernel: spec.kernel.clone(),
        gpu: gpu.to_owned(),
        parameters: super::build::values(spec, configuration),
        accesses: findings.into_iter().map(AccessReport::from).collect(),
    }
}


impl From<Finding> for AccessReport {
    fn from(finding: Finding) -> Self {
        Self {
            statement: finding.keyword,
            array: finding.array,
            line: finding.place.line,
            classes: finding.classes,
            stride: finding.stride,
            sectors: finding.sectors,
            conflict: finding.conflict,
            advice: finding.advice.map(|advice| advice.home),
            saves: finding.advice.map(|advice| Saves { transactions: advice.saves }),
            elsewhere: finding.elsewhere.into_iter().map(ElsewhereReport::from).collect(),
            matrices: finding.matrices.as_ref().map(MatricesReport::from),
            missing: finding.missing,
        }
    }
}

impl From<Elsewhere> for ElsewhereReport {
    fn from(Elsewhere { block: [x, y, z, launch], classes }: Elsewhere) -> Self {
        Self { group: [x, y, z], launch, classes }
    }
}

impl From<&Matrices> for MatricesReport {
    fn from(matrices: &Matrices) -> Self {
        Self {
            dimensions: matrices.dimensions.clone(),
            lane: matrices.dimensions[matrices.lane].clone(),
            f: rows(&matrices.subscripts),
            t: rows(&matrices.sequential),
            dependent: match matrices.dependence {
                Dependence::Unknown => None,
                Dependence::None => Some(false),
                Dependence::Affine { .. } | Dependence::Pieces { .. } => Some(true),
            },
            phi: match &matrices.dependence {
                Dependence::Affine { matrix, .. } => Some(rows(matrix)),
                _ => None,
            },
        }
    }
}

fn rows(matrix: &DMatrix<i64>) -> Vec<Vec<i64>> {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
}

