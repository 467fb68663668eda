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

impl Server {
    /// All of them, in the order of results.
    pub const ALL: [Self; 3] = [Self::Memory, Self::Local, Self::Dispatcher];

    /// What programs and results call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Local => "local",
            Self::Dispatcher => "dispatcher",
        }
    }
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
    /// More work groups than 64 bits can count.
    #[error("a launch has {} x {} x {} work groups, but a number of a program is from 0 to {LARGEST}", grid[0], grid[1], grid[2])]
    Grid {
        /// Along x, y, z.
        grid: [u64; 3],
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

impl Program {
    /// G: how many groups the most loaded multiprocessor runs.
    #[must_use]
    pub fn most_groups(&self) -> u64 {
        self.groups.div_ceil(self.multiprocessors)
    }

    /// The waves of the most loaded multiprocessor: (how often a full wave of R groups runs, groups of the last wave).
    #[must_use]
    pub fn waves(&self) -> (u64, u64) {
        (self.most_groups() / self.resident_groups, self.most_groups() % self.resident_groups)
    }

    /// The greatest number of groups that really run at the same time.
    #[must_use]
    pub fn largest_wave(&self) -> u64 {
        self.resident_groups.min(self.most_groups())
    }

    /// Ticks of all latencies and barrier costs that one warp goes through.
    #[must_use]
    pub fn critical_path(&self) -> u128 {
        critical_path(&self.body)
    }

    /// Removes what is no statement: a loop of count 0 or with an empty body.
    #[must_use]
    pub fn simplified(mut self) -> Self {
        self.body = simplified(self.body);
        self
    }

    /// Whether this is a program of the abstract machine.
    ///
    /// # Errors
    /// The first number that is out of range, or the bound of a time that is beyond 2^60 ticks.
    pub fn check(&self) -> Result<(), ProgramError> {
        self.check_numbers()?;
        self.check_length()
    }

    /// Whether the numbers are those of a program, however long it takes.
    ///
    /// # Errors
    /// The first number that is out of range.
    pub fn check_numbers(&self) -> Result<(), ProgramError> {
        for (field, value) in [
            ("multiprocessors", self.multiprocessors),
            ("dispatchers", self.dispatchers),
            ("groups", self.groups),
            ("resident_groups", self.resident_groups),
            ("warps_per_group", self.warps_per_group),
            ("passes", self.passes),
        ] {
            in_range(field, value)?;
            if value == 0 {
                return Err(ProgramError::Zero(field));
            }
        }
        in_range("launch", self.launch)?;
        check_statements(&self.body)
    }

    /// Whether its time is below 2^60 ticks.
    ///
    /// # Errors
    /// The bound of a time that is not.
    pub fn check_length(&self) -> Result<(), ProgramError> {
        let latencies = self.critical_path();
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

fn in_range(field: &'static str, value: u64) -> Result<(), ProgramError> {
    if value > LARGEST {
        return Err(ProgramError::OutOfRange { field, value: value.into() });
    }
    Ok(())
}

fn check_statements(body: &[Statement]) -> Result<(), ProgramError> {
    for statement in body {
        match *statement {
            Statement::Use { server, occupancy, latency } => {
                in_range("occupancy", occupancy)?;
                in_range("latency", latency)?;
                if latency < occupancy {
                    return Err(ProgramError::LatencyBelowOccupancy { server, occupancy, latency });
                }
            }
            Statement::Barrier { cost } => in_range("cost", cost)?,
            Statement::Loop { count, ref body } => {
                in_range("count", count)?;
                check_statements(body)?;
            }
        }
    }
    Ok(())
}

/// Ticks of all latencies and barrier costs that one warp goes through in a body.
#[must_use]
pub fn critical_path(body: &[Statement]) -> u128 {
    body.iter().fold(0u128, |sum, statement| {
        sum.saturating_add(match statement {
            Statement::Use { latency, .. } => u128::from(*latency),
            Statement::Barrier { cost } => u128::from(*cost),
            Statement::Loop { count, body } => critical_path(body).saturating_mul(u128::from(*count)),
        })
    })
}

fn simplified(body: Vec<Statement>) -> Vec<Statement> {
    body.into_iter()
        .filter_map(|statement| match statement {
            Statement::Loop { count: 0, .. } => None,
            Statement::Loop { count, body } => {
                let body = simplified(body);
                (!body.is_empty()).then_some(Statement::Loop { count, body })
            }
            other => Some(other),
        })
        .collect()
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
    fn numbers_out_of_range_are_named() {
        let mut wrong = program(vec![USE]);
        wrong.groups = 1 << 31;
        assert_eq!(wrong.check(), Err(ProgramError::OutOfRange { field: "groups", value: 1 << 31 }));
        wrong.groups = 0;
        assert_eq!(wrong.check(), Err(ProgramError::Zero("groups")));
        let short = Statement::Use { server: Server::Local, occupancy: 2, latency: 1 };
        assert!(matches!(program(vec![short]).check(), Err(ProgramError::LatencyBelowOccupancy { .. })));
    }

    #[test]
    fn json_is_the_reference_form() {
        let text = r#"{"multiprocessors":2,"dispatchers":1,"groups":7,"resident_groups":3,"warps_per_group":2,"passes":1,"launch":0,"body":[{"loop":{"count":4,"body":[{"use":{"server":"memory","occupancy":2,"latency":5}},{"barrier":{"cost":1}}]}}]}"#;
        let read: Program = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
    }
}
