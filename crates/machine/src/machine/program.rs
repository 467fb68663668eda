//! The lowered program of one configuration, and the checks of its numbers.

mod barrier;

use std::fmt;

use serde::{Deserialize, Serialize};
use smallvec::{SmallVec, smallvec};
use thiserror::Error;

pub use barrier::{BarrierScope, LONGEST};

/// The greatest count that a program may contain.
pub const LARGEST: u64 = (1 << 31) - 1;

/// The limit of a program's upper bound, in ticks: a program whose bound reaches it is refused.
pub const TICK_LIMIT: u128 = 1 << 60;

/// The greatest number of starts that a wait leaves pending.
pub const MOST_PENDING: u64 = 15;

/// The program of one configuration of a kernel for the abstract machine. All times are in ticks.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// NM: the number of multiprocessors that share the work groups.
    #[cfg_attr(feature = "schemas", schemars(range(max = LARGEST)))]
    pub multiprocessors: u64,
    /// ND: the number of warp schedulers of one multiprocessor; warp `w` always uses dispatcher `w mod ND`.
    #[cfg_attr(feature = "schemas", schemars(range(max = LARGEST)))]
    pub dispatchers: u64,
    /// The number of work groups of the launch.
    #[cfg_attr(feature = "schemas", schemars(range(max = LARGEST)))]
    pub groups: u64,
    /// R: the number of work groups that one multiprocessor runs at the same time.
    #[cfg_attr(feature = "schemas", schemars(range(max = LARGEST)))]
    pub resident_groups: u64,
    /// W: the number of warps of one group that run at the same time.
    #[cfg_attr(feature = "schemas", schemars(range(max = LARGEST)))]
    pub warps_per_group: u64,
    /// The number of times that a wave is repeated for the same groups.
    #[cfg_attr(feature = "schemas", schemars(range(max = LARGEST)))]
    pub passes: u64,
    /// Ticks before the first group starts.
    #[cfg_attr(feature = "schemas", schemars(range(max = LONGEST)))]
    pub launch: u64,
    /// The statements that each warp runs.
    pub body: Vec<Statement>,
}

/// One statement of a program's body.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Statement {
    /// The warp occupies a server and goes on `latency` ticks after its service began.
    Use {
        /// The server.
        server: Server,
        /// Ticks that this use keeps the server busy.
        #[cfg_attr(feature = "schemas", schemars(range(max = LONGEST)))]
        occupancy: u64,
        /// Ticks from the begin of service until the warp goes on; at least `occupancy`.
        #[cfg_attr(feature = "schemas", schemars(range(max = LONGEST)))]
        latency: u64,
    },
    /// An asynchronous use: the warp occupies a server as a use does, and goes on at once. The start is done `latency`
    /// ticks after its service began.
    Start {
        /// The server.
        server: Server,
        /// Ticks that the start keeps the server busy.
        #[cfg_attr(feature = "schemas", schemars(range(max = LONGEST)))]
        occupancy: u64,
        /// Ticks from the begin of service until the start is done; at least `occupancy`.
        #[cfg_attr(feature = "schemas", schemars(range(max = LONGEST)))]
        latency: u64,
        /// The queue of the warp that the start stands in.
        queue: Queue,
    },
    /// The warp waits until all of its starts in a queue but the last `pending` are done.
    Wait {
        /// The queue.
        queue: Queue,
        /// The number of last starts that need not be done.
        #[cfg_attr(feature = "schemas", schemars(range(max = MOST_PENDING)))]
        pending: u64,
    },
    /// The warp waits for all warps of its group, or of the launch.
    #[serde(with = "barrier")]
    #[cfg_attr(feature = "schemas", schemars(with = "barrier::Fields"))]
    Barrier {
        /// Ticks from the last arrival until all warps go on.
        cost: u64,
        /// The warps that wait for each other.
        scope: BarrierScope,
    },
    /// The body runs `count` times.
    Loop {
        /// The number of iterations.
        #[cfg_attr(feature = "schemas", schemars(range(max = LARGEST)))]
        count: u64,
        /// The statements of one iteration.
        body: Vec<Statement>,
    },
}

impl Statement {
    /// A barrier of a group, with its cost in ticks.
    #[must_use]
    pub const fn barrier(cost: u64) -> Self {
        Self::Barrier { cost, scope: BarrierScope::Group }
    }

    /// A barrier of all groups, with its cost in ticks.
    #[must_use]
    pub const fn barrier_of_grid(cost: u64) -> Self {
        Self::Barrier { cost, scope: BarrierScope::Grid }
    }

    /// Returns true if a body has a barrier of all groups.
    #[must_use]
    pub fn any_of_grid(body: &[Self]) -> bool {
        Self::all(body).any(|(statement, _)| matches!(statement, Self::Barrier { scope: BarrierScope::Grid, .. }))
    }

    /// Returns the statements of a body in the order of its text, a loop before what it contains, each with the number of
    /// its executions by the loops around it.
    pub fn all(body: &[Self]) -> impl Iterator<Item = (&Self, u128)> {
        // Loops nest a few deep: their places need no memory of their own.
        let mut open: SmallVec<[_; 4]> = smallvec![(body.iter(), 1_u128)];
        std::iter::from_fn(move || {
            loop {
                let (statements, times) = open.last_mut()?;
                let times = *times;
                let Some(statement) = statements.next() else {
                    open.pop();
                    continue;
                };
                if let Self::Loop { count, body } = statement {
                    open.push((body.iter(), times.saturating_mul(u128::from(*count))));
                }
                return Some((statement, times));
            }
        })
    }
}

/// A resource that only one warp can have at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Server {
    /// The multiprocessor's path to global memory.
    Memory,
    /// The multiprocessor's local-memory banks.
    Local,
    /// The warp's own scheduler.
    Dispatcher,
    /// The matrix unit beside the warp's own scheduler.
    Matrix,
}

impl Server {
    /// All servers, in the order of results.
    pub const ALL: [Self; 4] = [Self::Memory, Self::Local, Self::Dispatcher, Self::Matrix];

    /// The server's name in programs and results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Local => "local",
            Self::Dispatcher => "dispatcher",
            Self::Matrix => "matrix",
        }
    }

    /// Returns true if each scheduler has a server of this kind, which serves its warps alone.
    #[must_use]
    pub fn is_beside_a_scheduler(self) -> bool {
        matches!(self, Self::Dispatcher | Self::Matrix)
    }
}

/// A queue of asynchronous starts. Each warp has its own of each name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[expect(missing_docs, reason = "they are names")]
pub enum Queue {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl Queue {
    /// All queues, in the order of their names.
    pub const ALL: [Self; 8] = [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F, Self::G, Self::H];
}

impl fmt::Display for Queue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self:?}")
    }
}

/// A violation of the abstract machine's limits by a program.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProgramError {
    /// A count outside 0 to 2^31 - 1, or ticks outside 0 to 2^60 - 1.
    #[error("{field} is {value}, but its range in a program is 0 to {most}")]
    OutOfRange {
        /// The number's name.
        field: &'static str,
        /// The number's value.
        value: u128,
        /// The greatest value.
        most: u64,
    },
    /// A launch of more work groups than 64 bits can count.
    #[error("a launch has {} x {} x {} work groups, but their number in a program is at most {LARGEST}", grid[0], grid[1], grid[2])]
    Grid {
        /// The groups along x, y and z.
        grid: [u64; 3],
    },
    /// A count that must be positive is 0.
    #[error("{0} is 0, but must be at least 1")]
    Zero(&'static str),
    /// A wait that leaves too many starts pending.
    #[error("a wait for queue {queue} leaves {pending} starts pending, but at most {MOST_PENDING} can be")]
    Pending {
        /// The queue.
        queue: Queue,
        /// The number of starts.
        pending: u64,
    },
    /// A use or start whose latency ends before its server is free again.
    #[error("a use or start of {server:?} has a latency of {latency} ticks, less than its occupancy of {occupancy}")]
    LatencyBelowOccupancy {
        /// The server.
        server: Server,
        /// The occupancy, in ticks.
        occupancy: u64,
        /// The latency, in ticks.
        latency: u64,
    },
    /// A barrier of all groups in a launch of more groups than run at the same time.
    #[error(
        "a barrier of all groups needs them at the same time: the launch has {groups} groups, but {multiprocessors} multiprocessors \
         run {resident} each"
    )]
    NotResident {
        /// The groups of the launch.
        groups: u64,
        /// The groups that a multiprocessor runs at the same time.
        resident: u64,
        /// The number of multiprocessors.
        multiprocessors: u64,
    },
    /// A program whose lower bound of the time is too great.
    #[error("it takes at least {least} ticks, beyond the limit of 2^60")]
    BeyondLimit {
        /// The lower bound, in ticks.
        least: u128,
    },
    /// A program whose upper bound of the time is too great.
    #[error(
        "its time may reach {bound} ticks (launch {launch} + passes {passes} * {groups} groups of a multiprocessor * {warps} warps \
         * {latencies} ticks of latency), beyond the limit of 2^60"
    )]
    TooLong {
        /// The upper bound, in ticks.
        bound: u128,
        /// The ticks before the first group starts.
        launch: u64,
        /// The number of passes.
        passes: u64,
        /// The number of groups of the most loaded multiprocessor.
        groups: u64,
        /// The number of warps of a group.
        warps: u64,
        /// The sum of the latencies and barrier costs of one warp, those of starts too, in ticks.
        latencies: u128,
    },
}

impl Program {
    /// G: the number of groups of the most loaded multiprocessor.
    #[must_use]
    pub fn most_groups(&self) -> u64 {
        self.groups.div_ceil(self.multiprocessors)
    }

    /// The waves of the most loaded multiprocessor in one pass: (full waves of R groups, groups of the last wave, or
    /// 0).
    #[must_use]
    pub fn waves(&self) -> (u64, u64) {
        (self.most_groups() / self.resident_groups, self.most_groups() % self.resident_groups)
    }

    /// The waves of the most loaded multiprocessor in one pass that differ: the number of times that each runs, and its groups.
    pub(in crate::machine) fn distinct_waves(&self) -> impl Iterator<Item = (u64, u64)> {
        let (full, rest) = self.waves();
        [(full, self.resident_groups), (1, rest)].into_iter().filter(|&(times, groups)| times > 0 && groups > 0)
    }

    /// Each different wave as a program of its own, without a launch, and the number of times that it runs in the launch.
    pub fn wave_programs(&self) -> impl Iterator<Item = (u64, Self)> {
        self.distinct_waves().map(|(times, groups)| {
            let alone =
                Self { groups, resident_groups: groups, multiprocessors: 1, passes: 1, launch: 0, ..self.clone() };
            (times * self.passes, alone)
        })
    }

    /// The greatest number of groups that run at the same time.
    #[must_use]
    pub fn largest_wave(&self) -> u64 {
        self.resident_groups.min(self.most_groups())
    }

    /// The sum of all latencies and barrier costs that one warp goes through, in ticks. What a start takes is not a part.
    #[must_use]
    pub fn critical_path(&self) -> u128 {
        critical_path(&self.body)
    }

    /// The sum of all latencies and barrier costs of one warp, those of its starts too, in ticks. Some server serves or
    /// some latency runs at every moment of a wave, so a wave takes at most this for each of its warps.
    #[must_use]
    pub fn latencies(&self) -> u128 {
        summed(&self.body, |statement| match statement {
            Statement::Start { latency, .. } => *latency,
            other => gone_through(other),
        })
    }

    /// A lower bound of the time, in ticks: each wave takes at least the critical path. Unlike
    /// [`lower_bound`](super::lower_bound), it is for programs of any length.
    #[must_use]
    pub fn least_time(&self) -> u128 {
        let (full, rest) = self.waves();
        let waves = u128::from(self.passes) * (u128::from(full) + u128::from(rest > 0));
        waves.saturating_mul(self.critical_path()).saturating_add(self.launch.into())
    }

    /// Removes what does nothing: loops with count 0 or with an empty body, and waits for queues without a start.
    #[must_use]
    pub fn simplified(mut self) -> Self {
        self.body = simplified(self.body, &|_| true);
        let mut started = [false; Queue::ALL.len()];
        let mut waits = false;
        for (statement, _) in Statement::all(&self.body) {
            match statement {
                Statement::Start { queue, .. } => started[*queue as usize] = true,
                Statement::Wait { .. } => waits = true,
                _ => {}
            }
        }
        if waits {
            self.body = simplified(self.body, &|queue| started[queue as usize]);
        }
        self
    }

    /// Checks that the numbers are in range and that the time stays below 2^60 ticks.
    ///
    /// # Errors
    /// The first number that is out of range, or a barrier that never opens; [`ProgramError::TooLong`] if the upper bound reaches 2^60 ticks.
    pub fn check(&self) -> Result<(), ProgramError> {
        self.check_numbers()?;
        self.check_length()
    }

    /// Checks that the numbers are in range, and that the time is not known to reach 2^60 ticks.
    ///
    /// # Errors
    /// The first number that is out of range; [`ProgramError::BeyondLimit`] if a lower bound reaches 2^60 ticks.
    pub fn check_lowered(&self) -> Result<(), ProgramError> {
        self.check_numbers()?;
        let least = self.least_time();
        if least < TICK_LIMIT { Ok(()) } else { Err(ProgramError::BeyondLimit { least }) }
    }

    /// Checks that the numbers are in range and that barriers of all groups open, and ignores the length of the run.
    ///
    /// # Errors
    /// The first number that is out of range; [`ProgramError::NotResident`] if a barrier never opens.
    pub fn check_numbers(&self) -> Result<(), ProgramError> {
        for (field, value) in [
            ("multiprocessors", self.multiprocessors),
            ("dispatchers", self.dispatchers),
            ("groups", self.groups),
            ("resident_groups", self.resident_groups),
            ("warps_per_group", self.warps_per_group),
            ("passes", self.passes),
        ] {
            in_range(field, value, LARGEST)?;
            if value == 0 {
                return Err(ProgramError::Zero(field));
            }
        }
        in_range("launch", self.launch, LONGEST)?;
        check_statements(&self.body)?;
        self.check_residency()
    }

    /// Checks that a barrier of all groups can open: a group that does not run never arrives.
    fn check_residency(&self) -> Result<(), ProgramError> {
        let Self { groups, multiprocessors, resident_groups: resident, .. } = *self;
        if self.most_groups() > resident && Statement::any_of_grid(&self.body) {
            return Err(ProgramError::NotResident { groups, resident, multiprocessors });
        }
        Ok(())
    }

    /// Checks that the upper bound of the time is below 2^60 ticks.
    ///
    /// # Errors
    /// [`ProgramError::TooLong`] if the upper bound reaches 2^60 ticks.
    pub fn check_length(&self) -> Result<(), ProgramError> {
        let latencies = self.latencies();
        let factors = u128::from(self.passes) * u128::from(self.most_groups()) * u128::from(self.warps_per_group);
        let bound = latencies.saturating_mul(factors).saturating_add(u128::from(self.launch));
        if bound < TICK_LIMIT {
            return Ok(());
        }
        Err(ProgramError::TooLong {
            bound,
            launch: self.launch,
            passes: self.passes,
            groups: self.most_groups(),
            warps: self.warps_per_group,
            latencies,
        })
    }
}

fn in_range(field: &'static str, value: u64, most: u64) -> Result<(), ProgramError> {
    if value > most {
        return Err(ProgramError::OutOfRange { field, value: value.into(), most });
    }
    Ok(())
}

fn check_statements(body: &[Statement]) -> Result<(), ProgramError> {
    for (statement, _) in Statement::all(body) {
        match *statement {
            Statement::Use { server, occupancy, latency } | Statement::Start { server, occupancy, latency, .. } => {
                in_range("occupancy", occupancy, LONGEST)?;
                in_range("latency", latency, LONGEST)?;
                if latency < occupancy {
                    return Err(ProgramError::LatencyBelowOccupancy { server, occupancy, latency });
                }
            }
            Statement::Wait { queue, pending } if pending > MOST_PENDING => {
                return Err(ProgramError::Pending { queue, pending });
            }
            Statement::Wait { .. } => {}
            Statement::Barrier { cost, .. } => in_range("cost", cost, LONGEST)?,
            Statement::Loop { count, .. } => in_range("count", count, LARGEST)?,
        }
    }
    Ok(())
}

/// The sum of all latencies and barrier costs in `body` that one warp goes through, in ticks.
#[must_use]
pub fn critical_path(body: &[Statement]) -> u128 {
    summed(body, gone_through)
}

/// Ticks that a warp goes through a statement; what a start takes is not among them.
fn gone_through(statement: &Statement) -> u64 {
    match statement {
        Statement::Use { latency, .. } => *latency,
        Statement::Barrier { cost, .. } => *cost,
        Statement::Start { .. } | Statement::Wait { .. } | Statement::Loop { .. } => 0,
    }
}

fn summed(body: &[Statement], ticks: impl Fn(&Statement) -> u64) -> u128 {
    Statement::all(body)
        .fold(0u128, |sum, (statement, times)| sum.saturating_add(times.saturating_mul(ticks(statement).into())))
}

fn simplified(mut body: Vec<Statement>, is_started: &impl Fn(Queue) -> bool) -> Vec<Statement> {
    body.retain_mut(|statement| match statement {
        Statement::Loop { count: 0, .. } => false,
        Statement::Wait { queue, .. } => is_started(*queue),
        Statement::Loop { body, .. } => {
            *body = simplified(std::mem::take(body), is_started);
            !body.is_empty()
        }
        _ => true,
    });
    body
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(body: Vec<Statement>) -> Program {
        Program {
            multiprocessors: 2,
            dispatchers: 1,
            groups: 7,
            resident_groups: 3,
            warps_per_group: 2,
            passes: 1,
            launch: 0,
            body,
        }
    }

    const USE: Statement = Statement::Use { server: Server::Memory, occupancy: 2, latency: 5 };

    #[test]
    fn waves_are_those_of_the_most_loaded_multiprocessor() {
        assert_eq!(program(vec![]).waves(), (1, 1));
        assert_eq!(program(vec![]).largest_wave(), 3);
    }

    #[test]
    fn no_statement_is_left_of_empty_loops() {
        let empty = Statement::Loop { count: 4, body: vec![Statement::Loop { count: 0, body: vec![USE] }] };
        assert_eq!(program(vec![empty, USE]).simplified().body, vec![USE]);
    }

    #[test]
    fn a_time_of_2_to_the_60_is_refused_with_its_factors() {
        let mut long = program(vec![Statement::Loop { count: 1 << 30, body: vec![USE] }]);
        assert_eq!(long.check(), Ok(()));
        long.groups = 1 << 30;
        let Err(ProgramError::TooLong { bound, groups, .. }) = long.check() else { panic!("accepted") };
        assert_eq!((bound, groups), (5u128 << 60, 1 << 29));
    }

    #[test]
    fn a_time_below_2_to_the_60_is_accepted_and_2_to_the_60_is_not() {
        let slow = Statement::Use { server: Server::Memory, occupancy: 2, latency: 1 << 30 };
        let mut long = program(vec![Statement::Loop { count: (1 << 30) - 1, body: vec![slow] }]);
        (long.groups, long.warps_per_group) = (1, 1);
        long.launch = (1 << 30) - 1;
        assert_eq!(long.check(), Ok(()));
        long.launch = 1 << 30;
        assert!(matches!(long.check(), Err(ProgramError::TooLong { bound: TICK_LIMIT, .. })));
    }

    #[test]
    fn waits_for_what_is_never_started_do_nothing() {
        let start = Statement::Start { server: Server::Memory, occupancy: 0, latency: 0, queue: Queue::A };
        let wait = |queue| Statement::Wait { queue, pending: 2 };
        let never = Statement::Loop { count: 0, body: vec![start.clone()] };
        let inside = Statement::Loop { count: 3, body: vec![wait(Queue::A)] };
        assert_eq!(program(vec![never, inside, wait(Queue::B), USE]).simplified().body, [USE]);
        let body = vec![start, wait(Queue::A), wait(Queue::B)];
        assert_eq!(program(body.clone()).simplified().body, body[..2], "a start without time stays");
    }

    #[test]
    fn a_wait_leaves_at_most_15_starts_pending() {
        let wait = |pending| program(vec![Statement::Wait { queue: Queue::C, pending }]).check();
        assert_eq!(wait(15), Ok(()));
        let error = wait(16).unwrap_err();
        assert_eq!(error.to_string(), "a wait for queue C leaves 16 starts pending, but at most 15 can be");
    }

    #[test]
    fn what_is_started_counts_for_the_greatest_time_and_not_for_the_least() {
        let start = Statement::Start { server: Server::Memory, occupancy: 1, latency: 30, queue: Queue::A };
        let body = program(vec![Statement::Loop { count: 2, body: vec![start, USE] }]);
        assert_eq!((body.critical_path(), body.latencies()), (10, 70));
    }

    #[test]
    fn a_barrier_of_all_groups_needs_them_at_the_same_time() {
        let mut wide = program(vec![Statement::Loop { count: 2, body: vec![USE, Statement::barrier_of_grid(4)] }]);
        let error = wide.check().unwrap_err();
        assert_eq!(error, ProgramError::NotResident { groups: 7, resident: 3, multiprocessors: 2 });
        assert_eq!(
            error.to_string(),
            "a barrier of all groups needs them at the same time: the launch has 7 groups, but 2 multiprocessors run 3 each"
        );
        wide.groups = 6;
        assert_eq!(wide.check(), Ok(()));
        wide.groups = 7;
        wide.body = vec![Statement::Loop { count: 0, body: vec![Statement::barrier_of_grid(4)] }];
        assert_eq!(wide.simplified().check(), Ok(()), "a loop that is not run holds nothing up");
    }

    #[test]
    fn barriers_are_read_as_they_are_written() {
        let json = [r#"{"barrier":{"cost":7}}"#, r#"{"barrier":{"cost":7,"scope":"grid"}}"#];
        for (barrier, json) in [Statement::barrier(7), Statement::barrier_of_grid(7)].into_iter().zip(json) {
            assert_eq!(serde_json::to_string(&barrier).unwrap(), json);
            assert_eq!(serde_json::from_str::<Statement>(json).unwrap(), barrier);
            let packed = postcard::to_allocvec(&barrier).unwrap();
            assert_eq!(postcard::from_bytes::<Statement>(&packed).unwrap(), barrier);
        }
        assert!(serde_json::from_str::<Statement>(r#"{"barrier":{"cost":7,"scope":"warp"}}"#).is_err());
        assert!(serde_json::from_str::<Statement>(r#"{"barrier":{"cost":7,"group":1}}"#).is_err());
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        let mut wrong = program(vec![USE]);
        wrong.groups = 1 << 31;
        assert_eq!(wrong.check(), Err(ProgramError::OutOfRange { field: "groups", value: 1 << 31, most: LARGEST }));
        wrong.groups = 0;
        assert_eq!(wrong.check(), Err(ProgramError::Zero("groups")));
        let short = Statement::Use { server: Server::Local, occupancy: 2, latency: 1 };
        assert!(matches!(program(vec![short]).check(), Err(ProgramError::LatencyBelowOccupancy { .. })));
    }

    #[test]
    fn json_is_the_reference_form() {
        let text = r#"{"multiprocessors":2,"dispatchers":1,"groups":7,"resident_groups":3,"warps_per_group":2,"passes":1,"launch":0,"body":[{"loop":{"count":4,"body":[{"use":{"server":"memory","occupancy":2,"latency":5}},{"barrier":{"cost":1}}]}},{"barrier":{"cost":2,"scope":"grid"}}]}"#;
        let read: Program = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
    }
}
