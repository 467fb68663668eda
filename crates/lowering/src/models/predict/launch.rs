//! The launch of a kernel.

use serde::Serialize;

use super::device::number;
use super::left_out::LeftOut;
use super::levels::real;
use crate::gpu::Pipelined;

/// The launch: `microseconds` = `groups` * x1 + x2.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct LaunchTime {
    /// Work groups.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub groups: u64,
    /// x1: microseconds per group.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub per_group_us: f64,
    /// x2: microseconds per launch.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub fixed_us: f64,
    /// The overhead of the launch: both terms together.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub microseconds: f64,
}

/// The launch of `groups` groups of `warps` warps, and its terms that the profile lacks. Without a regression for this
/// size of group, x2 is the overhead of an empty kernel.
pub(super) fn launch(gpu: &Pipelined, groups: u64, warps: u64) -> (LaunchTime, Vec<LeftOut>) {
    let fitted = gpu.launch_regression.iter().find(|launch| launch.warps == warps);
    let overhead = gpu.kernel_launch_overhead_us.map(number);
    let (per_group_us, fixed_us, left_out) = match (fitted, overhead) {
        (Some(fitted), _) => (number(fitted.per_group_us), number(fitted.fixed_us), vec![]),
        (None, Some(overhead)) => (0.0, overhead, vec![LeftOut::LaunchOfGroups]),
        (None, None) => (0.0, 0.0, vec![LeftOut::Launch]),
    };
    (LaunchTime { groups, per_group_us, fixed_us, microseconds: real(groups) * per_group_us + fixed_us }, left_out)
}
