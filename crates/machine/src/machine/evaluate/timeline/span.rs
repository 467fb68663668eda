//! Spans of a timeline.

use crate::machine::Server;

/// The composition of a program's time: `launch + passes * (full * ticks + rest)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waves {
    /// Ticks before the first group starts.
    pub launch: u64,
    /// The number of times that all waves are repeated.
    pub passes: u64,
    /// The number of times that the timeline's wave runs in a pass.
    pub full: u64,
    /// Ticks of the timeline's wave.
    pub ticks: u64,
    /// Groups of the timeline's wave.
    pub groups: u64,
    /// Ticks of the last wave of a pass, which has fewer groups; 0 if all waves are full.
    pub rest: u64,
    /// Groups of that last wave; 0 if all waves are full.
    pub rest_groups: u64,
}

/// A time with one activity of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// The begin, in drawn ticks.
    pub begin: u64,
    /// The end, in drawn ticks.
    pub end: u64,
    /// The activity.
    pub activity: Activity,
}

/// An activity of a warp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Activity {
    /// The warp's dispatcher issues for it.
    Issue,
    /// Local memory serves the warp.
    Local,
    /// The path to global memory serves the warp.
    Memory,
    /// The warp was served and waits for the rest of the latency.
    Latency,
    /// The warp waits for a server that serves other warps.
    Queue,
    /// The warp waits at a barrier, or for the barrier's cost.
    Barrier,
    /// The matrix unit beside the warp's dispatcher serves the warp.
    Matrix,
    /// The warp waits for what it has started.
    Started,
}

/// Ticks of each of [`Activity::ALL`].
pub type Totals = [u64; Activity::ALL.len()];

impl Activity {
    /// All activities, in the order of [`Totals`].
    pub const ALL: [Self; 8] = [
        Self::Issue,
        Self::Local,
        Self::Memory,
        Self::Latency,
        Self::Queue,
        Self::Barrier,
        Self::Matrix,
        Self::Started,
    ];

    pub(super) fn served_by(server: Server) -> Self {
        match server {
            Server::Dispatcher => Self::Issue,
            Server::Local => Self::Local,
            Server::Memory => Self::Memory,
            Server::Matrix => Self::Matrix,
        }
    }
}

/// Skipped repetitions in a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The place, in drawn ticks.
    pub at: u64,
    /// The number of periods.
    pub periods: u64,
    /// Ticks of one period.
    pub period: u64,
}

impl Gap {
    /// Ticks of the whole gap.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.periods * self.period
    }
}

impl Waves {
    /// The program's time, in ticks.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.launch + self.passes * (self.full * self.ticks + self.rest)
    }
}
