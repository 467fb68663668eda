//! The contents of a tuning's page beside its result: the times of the space, and the optimum's run.

use super::{HistogramReport, TimeReport};
use crate::explain::landscape::KnownTime;
use crate::machine::Timeline;

/// The contents of a tuning's page beside its result. They are shown only and never written as JSON.
#[derive(Debug)]
pub struct PageReport {
    /// The kernel's description in the spec; empty if the spec does not state one.
    pub description: String,
    /// The spec's file; `None` if options of a command line stand for it.
    pub spec: Option<String>,
    /// The files of the kernel's source; empty if the spec has a body.
    pub source: Vec<String>,
    /// The name of the GPU's profile.
    pub profile: String,
    /// The times of the space.
    pub landscape: LandscapeReport,
    /// The distribution of the times; `None` if fewer than 2 times are known.
    pub histogram: Option<HistogramReport>,
    /// The split of the optimum's time, or the reason for which it cannot be computed; `None` without an optimum.
    pub time: Option<Result<TimeReport, String>>,
    /// The optimum's wave; `None` without an optimum.
    pub wave: Option<WaveReport>,
}

/// The times of a space: of the configurations that a result lists, and of a random sample of the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LandscapeReport {
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// The configurations in the order of the result's list, then the random sample.
    pub configurations: Vec<TimedConfiguration>,
    /// The size of the random sample.
    pub drawn: usize,
    /// The number of configurations of the space; 1 if the question named one configuration.
    pub size: u128,
}

/// A configuration and the knowledge of its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimedConfiguration {
    /// The values of the parameters, in the spec's order.
    pub values: Vec<i64>,
    /// The knowledge of the time.
    pub time: KnownTime,
}

/// A wave, warp by warp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaveReport {
    /// The activities of each warp over time; `None` if the wave has more than `most_events` events.
    pub timeline: Option<Timeline>,
    /// The greatest number of events for which a timeline is made.
    pub most_events: u64,
    /// The number of warps of a work group.
    pub warps_per_group: u64,
}
