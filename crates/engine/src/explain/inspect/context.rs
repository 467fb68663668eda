//! What the parts of an inspection share.

use num_traits::ToPrimitive;
use serde::Serialize;

use autotune_kernel::source::{LaunchBounds, Mask, TracedKernel};
use autotune_lowering::lowering::{Listed, MemoryBanks};

/// The sizes of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
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
    /// The launches that the kernel is compiled for; null if nothing bounds them.
    pub bounds: Option<InspectedBounds>,
}

/// The launches that a kernel is compiled for: by `__launch_bounds__`, `reqd_work_group_size`,
/// `amdgpu_flat_work_group_size`, or the compiler's default for AMD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct InspectedBounds {
    /// The only number of work items of a group along x, y and z; null if the source does not say it.
    pub required: Option<[u64; 3]>,
    /// The greatest number of work items of a group; null if nothing bounds it.
    pub most_work_items: Option<u64>,
    /// The number of groups that a multiprocessor shall hold at least; null if the source does not say it.
    pub least_groups: Option<u64>,
}

impl InspectedBounds {
    /// The bounds of a kernel; `None` if nothing bounds its launches.
    pub(super) fn new(bounds: LaunchBounds) -> Option<Self> {
        let LaunchBounds { least_groups, most_items, required } = bounds;
        let is_bound = bounds != LaunchBounds::default();
        is_bound.then_some(Self { required, most_work_items: most_items, least_groups })
    }
}

/// What the parts of an inspection share.
pub(super) struct Context<'a> {
    pub(super) traced: &'a TracedKernel,
    pub(super) listed: &'a Listed<'a>,
    pub(super) launch: InspectedLaunch,
    pub(super) banks: Option<MemoryBanks>,
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
