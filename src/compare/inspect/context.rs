//! What the parts of an inspection share.

use schemars::JsonSchema;
use serde::Serialize;

use crate::lowering::{Banks, Listed, TracedKernel};

/// The sizes of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct InspectedLaunch {
    /// The number of work items of a group along x, y and z.
    pub work_group: [u64; 3],
    /// The number of groups along x, y and z.
    pub groups: [u64; 3],
    /// The id of the group that is shown: the middle one.
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
