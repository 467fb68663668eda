//! The best memory for each access (`schemas/locality.json`).

use serde::Serialize;

use super::values::{Values, values};
use autotune_lowering::models::locality::{AccessFinding, Class, Dependence, Elsewhere, Home, Keyword, Matrices};
use autotune_lowering::spec::{Configuration, Spec};

/// The result of `autotune locality SPEC --gpu GPU --format json`: the class of each access of a configuration across
/// the work items of a group, and the best memory for it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct LocalityReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = LocalityReport::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The accesses in the order of the spec, without those that no work item executes.
    pub accesses: Vec<AccessReport>,
}

impl LocalityReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.locality/1";

    /// The report of the findings about the accesses of a configuration.
    #[must_use]
    pub fn new(spec: &Spec, gpu: &str, configuration: &Configuration, findings: Vec<AccessFinding>) -> Self {
        Self {
            schema: Self::SCHEMA,
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            parameters: values(spec, configuration),
            accesses: findings.into_iter().map(AccessReport::from).collect(),
        }
    }
}

/// One access.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct AccessReport {
    /// The keyword of the access's statement.
    pub statement: Keyword,
    /// The name of the array; null if the spec does not name it.
    pub array: Option<String>,
    /// The file of the kernel's source; absent for a statement of the spec.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line of the statement in the spec, or of the access in `file`, counted from 1; 0 for an access that the
    /// compiler has made of several lines.
    pub line: u32,
    /// The classes of the access in most work groups; empty if no theorem applies.
    #[cfg_attr(test, schemars(extend("uniqueItems" = true)))]
    pub classes: Vec<Class>,
    /// The number of elements between neighbouring lanes; null if the spec states only a bank conflict.
    pub stride: Option<u64>,
    /// The number of 32-byte sectors of one access of a warp, as the mean over the group's warps; null for local
    /// memory.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub sectors: Option<f64>,
    /// The number of ways of the bank conflict, as the mean over the group's warps; null for global memory and on a
    /// lockstep GPU.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub conflict: Option<f64>,
    /// The best memory for the access; null if the spec does not state its `index`.
    pub advice: Option<Home>,
    /// The saving of this memory; null without `advice`.
    pub saves: Option<SavesReport>,
    /// Examples of work groups where the access has other classes, one for each different answer.
    pub elsewhere: Vec<Elsewhere>,
    /// The matrices that the theorems are applied to; null if the spec does not state the `index`.
    pub matrices: Option<MatricesReport>,
    /// The information that the spec would have to state for all theorems to be applied; null if nothing is missing.
    pub missing: Option<&'static str>,
}

/// The saving of another memory.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct SavesReport {
    /// The number of transactions that the memory saves over all launches: sectors of global memory, or passes of
    /// local memory. Null if they cannot be counted.
    pub transactions: Option<u64>,
}

/// The matrices of an access, row by row.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct MatricesReport {
    /// The names of the components of the iteration vector J: the loops around the access (`-` without a name), then
    /// the local ids.
    pub dimensions: Vec<String>,
    /// The name of the component that is `z_1`.
    pub lane: String,
    /// The matrix F of the subscripts F J + f.
    pub f: Vec<Vec<i64>>,
    /// The matrix `T_t`: a unit row for each loop, which a work item runs in order.
    pub t: Vec<Vec<i64>>,
    /// True if the access is the target of a true dependence inside the work group; null if that is not known.
    pub dependent: Option<bool>,
    /// The matrix Phi of the dependence: J reads the value that was written at Phi J - phi. Null if the dependence is
    /// not one affine function.
    pub phi: Option<Vec<Vec<i64>>>,
    /// The vector phi of the dependence, the shift in Phi J - phi; null with `phi`.
    pub shift: Option<Vec<i64>>,
}

impl From<AccessFinding> for AccessReport {
    fn from(finding: AccessFinding) -> Self {
        Self {
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
            elsewhere: finding.elsewhere,
            matrices: finding.matrices.as_ref().map(MatricesReport::from),
            missing: finding.missing,
        }
    }
}

impl From<&Matrices> for MatricesReport {
    fn from(matrices: &Matrices) -> Self {
        Self {
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
            shift: match &matrices.dependence {
                Dependence::Affine { offset, .. } => Some(offset.clone()),
                _ => None,
            },
        }
    }
}
