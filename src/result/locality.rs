//! Where accesses should live (`schemas/locality.json`).

use schemars::JsonSchema;
use serde::Serialize;

use super::{Class, Integers, Keyword, Values};
use crate::result::Home;

/// The result of `autotune locality SPEC --gpu GPU --format json`: the class of each access of a configuration across the work
/// items of a group, and where it should live.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct LocalityReport {
    /// The id of this schema.
    #[schemars(extend("const" = LocalityReport::SCHEMA))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The accesses in the order of the spec; those that no work item executes are left out.
    pub accesses: Vec<AccessReport>,
}

impl LocalityReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.locality/1";
}

/// One access.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct AccessReport {
    /// The keyword of the statement.
    pub statement: Keyword,
    /// The array; null if the spec does not name it.
    pub array: Option<String>,
    /// The line in the spec.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// The classes of the access in most work groups.
    #[schemars(extend("uniqueItems" = true))]
    pub classes: Vec<Class>,
    /// The elements between neighbouring lanes; null where the spec states a bank conflict alone.
    pub stride: Option<u64>,
    /// The sectors of 32 bytes of one access of a warp, the mean over the group's warps; null for local memory.
    #[schemars(range(min = 0))]
    pub sectors: Option<f64>,
    /// The ways of the bank conflict, the mean over the group's warps; null for global memory and on lockstep GPUs.
    #[schemars(range(min = 0))]
    pub conflict: Option<f64>,
    /// The memory where the access should live; null without `index`.
    pub advice: Option<Home>,
    /// What that would save; null without advice.
    pub saves: Option<SavesReport>,
    /// Work groups in which the access has other classes, one for each different answer.
    pub elsewhere: Vec<ElsewhereReport>,
    /// The matrices to which the theorems were applied; null without `index`.
    pub matrices: Option<MatricesReport>,
    /// The keys of the spec that would say more.
    pub missing: Option<&'static str>,
}

/// What living elsewhere would save.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SavesReport {
    /// Transactions over all launches: sectors, or passes of local memory; null if they cannot be counted.
    pub transactions: Option<u64>,
}

/// A work group where an access has other classes.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ElsewhereReport {
    /// The group along x, y, z.
    pub group: [u64; 3],
    /// The launch.
    pub launch: u64,
    /// The classes of the access there.
    #[schemars(extend("uniqueItems" = true))]
    pub classes: Vec<Class>,
}

/// The matrices of an access, row by row.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct MatricesReport {
    /// The components of J: the loops around the access (`-` without a name), then local ids.
    pub dimensions: Vec<String>,
    /// The component that is `z_1`.
    pub lane: String,
    /// F.
    pub f: Vec<Vec<i64>>,
    /// `T_t`.
    pub t: Vec<Vec<i64>>,
    /// Whether the access is the target of a true dependence inside the work group; null if that is not known.
    pub dependent: Option<bool>,
    /// Phi; null unless there is one affine dependence.
    pub phi: Option<Vec<Vec<i64>>>,
}
