//! The runs that a file is searched for.

use super::unit::TimeUnit;
use autotune_lowering::gpu::Profile;
use autotune_lowering::spec::{Configuration, Spec};

/// The content that a file is searched for.
#[derive(Debug, Clone, Copy)]
pub struct WantedRuns<'a> {
    /// The spec. The file must have a column for each of its parameters that is not fixed, and may have columns for its
    /// problem sizes.
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
    /// Parameters without a column, each with the value of all runs; a column of such a parameter is an error.
    pub fixed_parameters: &'a [(String, i64)],
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
