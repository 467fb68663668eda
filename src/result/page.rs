//! What the page of a tuning shows beside its result: the times of the space, and the optimum's run.

use super::{HistogramReport, TimeReport, Timeline};

/// The rest of a tuning's page. It is shown only; no JSON holds it.
#[derive(Debug)]
pub struct PageReport {
    /// The kernel's description in the spec; empty without one.
    pub description: String,
    /// The spec's file.
    pub spec: String,
    /// The name of the GPU's profile.
    pub profile: String,
    /// The times of the space.
    pub landscape: LandscapeReport,
    /// The spread of the times; `None` if fewer than two are known.
    pub histogram: Option<HistogramReport>,
    /// The account of the optimum's time, or the reason for which there is none; `None` without an optimum.
    pub time: Option<Result<TimeReport, String>>,
    /// The optimum's wave; `None` without an optimum.
    pub wave: Option<WaveReport>,
}

/// The times of a space: those of the configurations that a result lists, and of some that it does not list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LandscapeReport {
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// The configurations in the order of the result's list, then those that were drawn at random.
    pub configurations: Vec<TimedConfiguration>,
    /// The number of configurations that were drawn at random.
    pub drawn: usize,
    /// The number of configurations of the space that was asked about.
    pub size: u128,
}

/// A configuration, and what is known of its time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimedConfiguration {
    /// The values of its parameters, in the spec's order.
    pub values: Vec<i64>,
    /// Its time.
    pub time: KnownTime,
}

/// What is known of a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownTime {
    /// SPIN proved it, in ticks.
    Proved(u64),
    /// The native evaluator computed it, in ticks.
    Evaluated(u64),
    /// A lower bound of it, in ticks.
    AtLeast(u64),
    /// Nothing.
    Unknown,
    /// The configuration cannot run.
    Never,
}

impl KnownTime {
    /// The time in ticks, or its lower bound.
    #[must_use]
    pub fn ticks(self) -> Option<u64> {
        match self {
            Self::Proved(ticks) | Self::Evaluated(ticks) | Self::AtLeast(ticks) => Some(ticks),
            Self::Unknown | Self::Never => None,
        }
    }
}

/// A wave, warp by warp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaveReport {
    /// What each warp does when; `None` if the wave takes more events than `most_events`.
    pub timeline: Option<Timeline>,
    /// The events up to which a timeline is made.
    pub most_events: u64,
    /// The warps of a work group.
    pub warps_per_group: u64,
}
