//! The lowered program of one configuration, and what makes one valid.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// No number of a program is greater.
pub const LARGEST: u64 = (1 << 31) - 1;

/// A program whose upper bound reaches this many ticks is refused.
pub const TICK_LIMIT: u128 = 1 << 60;

/// What one configuration of a kernel makes the abstract machine do. All times are in ticks.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// NM: how many multiprocessors share the work groups.
    pub multiprocessors: u64,
    /// ND: warp schedulers of one multiprocessor; warp `w` always uses dispatcher `w mod ND`.
    pub dispatchers: u64,
    /// Work groups of the launch.
    pub groups: u64,
    /// R: how many work groups one multiprocessor runs at the same time.
    pub resident_groups: u64,
    /// W: warps that one group has at the same time.
    pub warps_per_group: u64,
    /// How many times a wave is repeated for the same groups.
    pub passes: u64,
    /// Ticks before the first group starts.
    pub launch: u64,
    /// What each warp runs.
    pub body: Vec<Statement>,
}

/// One statement of a program's body.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Statement {
    /// The warp occupies a server and goes on `latency` ticks after it was served.
    Use {
        /// What is used.
        server: Server,
        /// Ticks that the server is busy with it.
        occupancy: u64,
        /// Ticks from the beginning of service until the warp goes on; at least `occupancy`.
        latency: u64,
    },
    /// The warp waits for all warps of its group.
    Barrier {
        /// Ticks from the last arrival until all go on.
        cost: u64,
    },
    /// The body, `count` times.
    Loop {
        /// Iterations.
        count: u64,
        /// What one iteration runs.
        body: Vec<Statement>,
    },
}

/// Something that only one warp can have at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Server {
    /// The multiprocessor's path to global memory.
    Memory,
    /// The multiprocessor's local-memory banks.
    Local,
    /// The warp's own scheduler.
    Dispatcher,
}

/// Why a program is none of the abstract machine's.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProgramError {
    /// A number outside 0 to 2^31 - 1.
    #[error("{field} is {value}, but a number of a program is from 0 to {LARGEST}")]
    OutOfRange {
        /// Which number.
        field: &'static str,
        /// Its value.
        value: u128,
    },
    /// A count that must be positive is 0.
    #[error("{0} is 0, but must be at least 1")]
    Zero(&'static str),
    /// A use that ends before its server is free again.
    #[error("a use of {server:?} has latency {latency} below its occupancy {occupancy}")]
    LatencyBelowOccupancy {
        /// The server.
        server: Server,
        /// Its occupancy.
        occupancy: u64,
        /// Its latency.
        latency: u64,
    },
    /// The upper bound of the program's time is too great to be checked.
    #[error(
        "its time may reach {bound} ticks (launch {launch} + passes {passes} * {groups} groups of a multiprocessor * {warps} warps \
         * {latencies} ticks of latency), beyond the limit of 2^60"
    )]
    TooLong {
        /// The upper bound.
        bound: u128,
        /// Launch ticks.
        launch: u64,
        /// Passes.
        passes: u64,
        /// Groups of the most loaded multiprocessor.
        groups: u64,
        /// Warps of a group.
        warps: u64,
        /// Sum of the latencies and barrier costs of one warp.
        latencies: u128,
    },
}
