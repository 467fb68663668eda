//! What the parts of an inspection share.

use num_traits::ToPrimitive;
use schemars::JsonSchema;
use serde::Serialize;

use crate::lowering::{Banks, Listed, TracedKernel};
use crate::source::Mask;

/// The sizes of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct InspectedLaunch {
    /// The number of work items of a group along x, y and z.
    pub work_group: [u64; 3],
    /// The number of groups along x, y and z.
    pub groups: [u64; 3],
    /// The id of the middle group, which is shown unless `groups` has a mean.
    pub group: [u64; 3],
    /// The number of work items of a warp.
    pub warp_size: u64,
    /// The number of warps of a group.
    pub warps: u64,
}

/// What the parts of an inspection share.
pub(super) struct Context<'a> {
    pub(super) traced: &'a TracedKernel,
    pub(super) listed: &'a Listed<'a>,
    pub(super) launch: InspectedLaunch,
    pub(super) banks: Option<Banks>,
}

/// The number of warps with a work item in a mask.
pub(super) fn warps(items: &Mask, warp_size: u64) -> u64 {
    let mut warps: Vec<u64> = items.ones().map(|lane| lane as u64 / warp_size).collect();
    warps.dedup();
    warps.len() as u64
}

/// A count as a number for the eye.
pub(super) fn real(count: u64) -> f64 {
    count.to_f64().unwrap_or(f64::MAX)
}
