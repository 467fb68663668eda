//! The table of measured runs beside their predictions, which is written as CSV and never as JSON.

use crate::compare::validation::MachineLoad;

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
    /// The load on the machine, or the rule that the configuration breaks.
    pub load: Result<MachineLoad, String>,
    /// The predicted time in microseconds; `None` if it is not known, or on a lockstep GPU, which does not have a clock.
    pub microseconds: Option<f64>,
}
