//! A GPU's own values, measured by micro-benchmarks (`schemas/measured_profile.json`).

use serde::Serialize;

#[cfg(test)]
use crate::measuring::Microbenchmark;
use crate::measuring::{MeasuredLaunch, MeasuredValues, TimedLaunch};

/// The result of `autotune measure --profile --gpu BASE --run COMMAND --format json`: the values of the wave model that the
/// times of three micro-benchmarks show, and the profile that states them. Cycles are core cycles of the base.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct MeasuredProfileReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = MeasuredProfileReport::SCHEMA)))]
    pub schema: &'static str,
    /// The profile's name.
    pub name: String,
    /// The name of the profile that has all other values.
    pub base: String,
    /// The core clock of the base in MHz, which makes cycles of times.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0)))]
    pub core_clock_mhz: f64,
    /// The launch times of an empty kernel by the sizes of its groups, the smallest first.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub launch_regression: Vec<LaunchRegressionReport>,
    /// The greatest deviation of an empty kernel's time from its line, as a part of the time.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub launch_deviation: f64,
    /// Cycles of a load whose lanes are neighbours.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0)))]
    pub latency_coalesced_cycles: f64,
    /// Cycles of a load whose lanes are in lines of their own.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0)))]
    pub latency_uncoalesced_cycles: f64,
    /// The difference of both; null if it is negative, and the profile leaves the value out.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub latency_uncoalesced_extra_cycles: Option<f64>,
    /// Bytes of sectors in a cycle that all lanes load, each lane from a line of its own.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0)))]
    pub uncoalesced_bandwidth_bytes_per_cycle: f64,
    /// The launches of the micro-benchmarks with their times.
    pub runs: Vec<TimedLaunchReport>,
}

/// The launch time of an empty kernel with groups of one size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct LaunchRegressionReport {
    /// Warps of a group.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub warps: u64,
    /// x1: microseconds of each group.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub per_group_us: f64,
    /// x2: microseconds of a launch.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub fixed_us: f64,
}

/// A launch of a micro-benchmark and its time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct TimedLaunchReport {
    /// The kernel.
    #[cfg_attr(test, schemars(extend("enum" = Microbenchmark::ALL.map(Microbenchmark::name))))]
    pub kernel: &'static str,
    /// Work items of a group.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub work_group: u64,
    /// Groups.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub groups: u64,
    /// Words from the address of one work item to that of the next.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub stride: u64,
    /// Loads of a work item.
    pub steps: u64,
    /// The time in microseconds.
    #[cfg_attr(test, schemars(extend("exclusiveMinimum" = 0)))]
    pub time_us: f64,
}

impl MeasuredProfileReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.measured-profile/1";

    /// The report of values that are to be added to a profile.
    #[must_use]
    pub fn new(base: &str, core_clock_mhz: f64, values: &MeasuredValues, timed: &[TimedLaunch]) -> Self {
        let launch = |&MeasuredLaunch { warps, per_group_us, fixed_us }: &MeasuredLaunch| LaunchRegressionReport {
            warps,
            per_group_us,
            fixed_us,
        };
        Self {
            schema: Self::SCHEMA,
            name: format!("{base}-measured"),
            base: base.to_owned(),
            core_clock_mhz,
            launch_regression: values.launches.iter().map(launch).collect(),
            launch_deviation: values.deviation,
            latency_coalesced_cycles: values.coalesced_cycles,
            latency_uncoalesced_cycles: values.uncoalesced_cycles,
            latency_uncoalesced_extra_cycles: values.uncoalesced_extra_cycles(),
            uncoalesced_bandwidth_bytes_per_cycle: values.uncoalesced_bytes_per_cycle,
            runs: timed.iter().map(TimedLaunchReport::new).collect(),
        }
    }
}

impl TimedLaunchReport {
    fn new(timed: &TimedLaunch) -> Self {
        let launch = timed.launch;
        Self {
            kernel: launch.kernel.name(),
            work_group: launch.work_group,
            groups: launch.groups,
            stride: launch.stride,
            steps: launch.steps,
            time_us: timed.microseconds,
        }
    }
}
