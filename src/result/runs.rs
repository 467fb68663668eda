//! The table of measured runs beside their predictions, which is written as CSV and never as JSON.

use super::Limit;
use crate::ticks::Ticks;

/// The measured runs of a kernel beside the machine's predictions.
#[derive(Debug, Clone, PartialEq)]
pub struct RunTable {
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The names of the problem sizes that the measurements state, then of the parameters.
    pub names: Vec<String>,
    /// The runs, by problem size in the order of the measurements.
    pub rows: Vec<RunRow>,
}

/// A measured run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRow {
    /// The values of the table's names; `None` for a problem size that is not stated for this run.
    pub values: Vec<Option<i64>>,
    /// The measured time in microseconds; `None` if the run failed.
    pub measured: Option<f64>,
    /// The least measured time of the problem size divided by this run's; 0 if the run failed.
    pub fraction: f64,
    /// The ranks of measured and predicted time, from 1, among the runs of this problem size that have both; ties have
    /// the mean of their ranks. `None` for the other runs.
    pub ranks: Option<[f64; 2]>,
    /// The rank of the corrected time after ten runs, among the same runs; `None` for the other runs.
    pub corrected_rank: Option<f64>,
    /// The prediction, or the rule that the configuration breaks.
    pub prediction: Result<RunPrediction, String>,
}

/// The machine's prediction of a feasible configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct RunPrediction {
    /// The time in ticks, or the reason for which it is not known.
    pub ticks: Result<Ticks, String>,
    /// The time in microseconds; `None` if it is not known, or on a lockstep GPU, which does not have a clock.
    pub microseconds: Option<f64>,
    /// The greatest term of the time: a server, `latency` or `launch`; `None` if the time is not known.
    pub limited_by: Option<&'static str>,
    /// The shares of the ticks after launch in which memory, local memory and dispatcher are busy; 0 if the time is not
    /// known.
    pub busy: [f64; 3],
    /// The share of the ticks after launch that a single warp of each wave would need alone; 0 if the time is not
    /// known.
    pub latency: f64,
    /// The number of launches.
    pub launches: u64,
    /// Work groups of a launch.
    pub groups: u64,
    /// Work items of a group.
    pub work_group: u64,
    /// Warps of a group.
    pub warps_per_group: u64,
    /// Work groups that a multiprocessor runs at a time.
    pub resident_groups: u64,
    /// The limit of the resident groups; `None` on a lockstep GPU.
    pub resident_limit: Option<Limit>,
    /// Registers that a work item needs, including those that spill; `None` on a lockstep GPU.
    pub registers: Option<u64>,
    /// Bytes that a group moves at L1, L2 and DRAM; `None` on a lockstep GPU.
    pub bytes: Option<[f64; 3]>,
}
