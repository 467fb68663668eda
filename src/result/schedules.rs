//! The time of a configuration in every order of simultaneous events.

use serde::Serialize;

use crate::limits::Limits;
use crate::machine::{Program, Reduction, explore, greatest_bound, lower_bound};
use crate::ticks::Ticks;

/// The states of a configuration that are explored at most: about ten seconds.
const MOST_STATES: u64 = 1 << 20;

/// The least and the greatest time of a configuration over all orders of simultaneous events, or bounds of them.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct SchedulesReport {
    /// The least time in ticks; with `open`, a lower bound.
    pub least: Ticks,
    /// The greatest time in ticks; with `open`, an upper bound.
    pub greatest: Ticks,
    /// The number of explored states; absent with `open`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// The reason why the exploration did not end; absent if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<String>,
}

impl SchedulesReport {
    /// Explores a checked program, or bounds it where it has too many states or a limit ends the exploration.
    pub(crate) fn explore(program: &Program, limits: &Limits) -> Self {
        match explore(program, Reduction::On, MOST_STATES, &|| limits.exceeded().is_some()) {
            Ok(explored) => Self {
                least: explored.least.into(),
                greatest: explored.greatest.into(),
                states: Some(explored.states),
                open: None,
            },
            Err(why) => Self {
                least: lower_bound(program).ticks.into(),
                greatest: greatest_bound(program).into(),
                states: None,
                open: Some(why.to_string()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Server, Statement};

    #[test]
    fn without_an_exploration_bounds_stand_for_the_extremes() {
        let memory = Statement::Use { server: Server::Memory, occupancy: 3, latency: 10 };
        let program = Program {
            multiprocessors: 1,
            dispatchers: 1,
            groups: 4,
            resident_groups: 2,
            warps_per_group: 1,
            passes: 1,
            launch: 5,
            body: vec![memory],
        };
        let explored = SchedulesReport::explore(&program, &Limits::default());
        assert_eq!((explored.least, explored.greatest), (31.into(), 31.into()));
        assert_eq!((explored.states, explored.open), (Some(1), None));
        let over = Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() };
        let bounded = SchedulesReport::explore(&program, &over);
        assert_eq!((bounded.least, bounded.greatest), (31.into(), 31.into()));
        assert_eq!((bounded.states, bounded.open.as_deref()), (None, Some("it was ended after 0 states")));
    }
}
