//! What a page shows beside a result: the times of the space, where the optimum's time goes, and texts to copy.

use super::TimeReport;
use crate::compare::histogram::Histogram;
use crate::compare::landscape::Landscape;
use crate::machine::{Timeline, TooManyEvents};

/// The views of one result.
#[derive(Debug)]
pub struct Views {
    /// The times of the space, as far as they are known.
    pub landscape: Landscape,
    /// Their spread; `None` if fewer than two times are known.
    pub histogram: Option<Histogram>,
    /// The run of the optimum; `None` if no optimum is proved.
    pub optimum: Option<OptimumRun>,
    /// The result in other programs' forms.
    pub copies: Copies,
}

/// The optimum's run on the machine.
#[derive(Debug)]
pub struct OptimumRun {
    /// Where its time goes, or why that is not known.
    pub time: Result<TimeReport, String>,
    /// Its wave warp by warp.
    pub timeline: Result<Timeline, TooManyEvents>,
    /// Warps of a work group.
    pub warps_per_group: u64,
}

/// A result in other programs' forms; an error says why there is no such text.
#[derive(Debug)]
pub struct Copies {
    /// `-D` options of a compiler; `None` if nothing is proved.
    pub flags: Option<Result<String, String>>,
    /// A C header; `None` if nothing is proved.
    pub header: Option<Result<String, String>>,
    /// The result as JSON.
    pub json: Result<String, String>,
}
