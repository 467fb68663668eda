//! The scenarios of a table, by GPU.

use crate::result::Values;
use crate::session::Inputs;
use autotune_engine::compare::fleet::VariantSet;

/// The bit of cells without a feasible configuration, in the sets of variants.
pub(super) const NONE: VariantSet = 1 << 15;

/// The scenarios of a GPU: the inputs of the first, and the problem sizes of each.
pub(super) struct GpuScenarios {
    pub(super) inputs: Inputs,
    /// The index of the first among all scenarios.
    pub(super) first: usize,
    /// The problem sizes, all combinations of values, those of the last size fastest.
    pub(super) problems: Vec<Values>,
}
