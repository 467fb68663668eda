//! Measured runs, by problem size.

use super::table::At;
use super::unit::TimeUnit;
use crate::gpu::Profile;
use crate::spec::{Configuration, Spec};

/// The content that a file is searched for.
#[derive(Debug, Clone, Copy)]
pub struct WantedRuns<'a> {
    /// The spec. The file must have a column for each of its parameters, and may have columns for its problem sizes.
    pub spec: &'a Spec,
    /// The GPU. If the file has a column `gpu`, only the rows of this GPU count.
    pub profile: &'a Profile,
    /// The times that are needed.
    pub times: WantedTimes,
    /// The name of the column of times; `None` means `time_ms`, `time_us` or `time`.
    pub time_column: Option<&'a str>,
    /// The unit of times in a column whose name does not end in one; `None` if it is not known.
    pub unit: Option<TimeUnit>,
    /// The only configuration whose runs count; `None` means all.
    pub only: Option<&'a Configuration>,
    /// Problem sizes that are set elsewhere; a column of such a size is an error.
    pub fixed_sizes: &'a [&'a str],
}

/// The times that a file has to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WantedTimes {
    /// The time of one run at least.
    One,
    /// Any number: all runs may have failed, and there may be none.
    Any,
    /// None: configurations are read, and times are not.
    Unread,
}

/// The content of a file of measurements.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurements {
    /// The runs by problem size, in the order of the file. Each scenario has at least one run; there is at least one
    /// scenario, unless [`WantedTimes`] allows a file without runs.
    pub scenarios: Vec<Scenario>,
    /// The names of the columns that are not used.
    pub ignored: Vec<String>,
    /// The rows that repeat the configuration and problem size of an earlier row; `None` if there are none.
    pub repeated: Option<Repeated>,
    /// The device that a Kernel Tuner cache names, if it is not the GPU; else `None`.
    pub other_device: Option<String>,
}

/// Rows that repeat earlier ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeated {
    /// The number of rows that repeat an earlier one.
    pub rows: usize,
    /// The first row that is repeated.
    pub first: At,
    /// The row that repeats it.
    pub again: At,
}

/// Runs of one problem size.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// The problem sizes that the file states: name and value.
    pub problem: Vec<(String, i64)>,
    /// The runs, in the order of the file.
    pub runs: Vec<MeasuredRun>,
}

/// A measured run of a configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredRun {
    /// The configuration.
    pub configuration: Configuration,
    /// The time in milliseconds; `None` if the run failed.
    pub milliseconds: Option<f64>,
}
