//! The time of a program in every order of simultaneous events: the least and the greatest over all behaviours.
//!
//! A behaviour is a choice among the ready warps at each instant. A wave's states are kept relative to now, so behaviours that
//! meet in a state go on as one, with the least and the greatest time that led there. A state knows how many events led to it,
//! and states are taken in the order of that number: none is met again after it was left. Waves are independent, so the extremes
//! of the launch are sums of the waves' own (docs/theory/schedules.md).

mod choice;
mod class;
mod greatest;
mod key;
mod normal;
mod reduction;
mod run;

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, DefaultHasher};

use thiserror::Error;

use super::Program;
use super::code::Code;
use key::Key;
use run::{Next, Run};

pub use greatest::greatest_bound;
pub use reduction::Reduction;

/// The extremes of a program's time over all orders of simultaneous events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explored {
    /// The least time, in ticks.
    pub least: u64,
    /// The greatest time, in ticks.
    pub greatest: u64,
    /// The number of states that were explored: those with a choice, and the end.
    pub states: u64,
}

/// The reason why an exploration did not end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Stopped {
    /// There are more states than are allowed.
    #[error("its orders of simultaneous events have more than {most} states")]
    States {
        /// The number of states that is allowed.
        most: u64,
    },
    /// The caller ended it.
    #[error("it was ended after {states} states")]
    Halted {
        /// The number of states that were found.
        states: u64,
    },
}

/// Explores at most `most` states of a checked program, until `is_over` returns true.
///
/// # Errors
/// [`Stopped`] if states or time did not suffice.
pub fn explore(
    program: &Program,
    reduction: Reduction,
    most: u64,
    is_over: &dyn Fn() -> bool,
) -> Result<Explored, Stopped> {
    let code = Code::new(&program.body);
    let mut all = Explored { least: program.launch, greatest: program.launch, states: 0 };
    for (times, groups) in program.distinct_waves() {
        let mut wave = Exploration { layers: BTreeMap::new(), states: all.states, most, is_over };
        let (least, greatest) = wave.explore(Run::new(&code, program, groups, reduction))?;
        all.least += times * program.passes * least;
        all.greatest += times * program.passes * greatest;
        all.states = wave.states;
    }
    Ok(all)
}

/// The least and the greatest time that led to a state, in ticks.
type Times = (u64, u64);

/// The states of one layer. Their order is the same in each run, so that an exploration stops in the same state.
type Layer = HashMap<Key, Times, BuildHasherDefault<DefaultHasher>>;

/// The exploration of one wave.
struct Exploration<'a> {
    /// The states that are not yet explored, by the number of events that led to them.
    layers: BTreeMap<u64, Layer>,
    /// The states that were found.
    states: u64,
    most: u64,
    is_over: &'a dyn Fn() -> bool,
}

impl Exploration<'_> {
    /// Returns the least and the greatest end of the wave.
    fn explore(&mut self, mut run: Run<'_>) -> Result<Times, Stopped> {
        let mut ends: Option<Times> = None;
        self.go_on(&mut run, (0, 0), &mut ends)?;
        let mut begin = run.clone();
        while let Some((events, layer)) = self.layers.pop_first() {
            for (key, times) in layer {
                begin.restore(&key, events);
                for warp in begin.options() {
                    run.copy_from(&begin);
                    run.execute(warp);
                    self.go_on(&mut run, times, &mut ends)?;
                }
            }
        }
        Ok(ends.expect("each wave ends"))
    }

    /// Runs to the next choice or the end, and keeps what is found there. `times` are those of the run's begin.
    fn go_on(&mut self, run: &mut Run<'_>, times: Times, ends: &mut Option<Times>) -> Result<(), Stopped> {
        let Some(next) = run.go_on(self.is_over) else { return Err(Stopped::Halted { states: self.states }) };
        let times = (times.0 + run.elapsed, times.1 + run.elapsed);
        match next {
            Next::End => {
                self.states += u64::from(ends.is_none());
                *ends = Some(ends.map_or(times, |known| (known.0.min(times.0), known.1.max(times.1))));
            }
            Next::Choice => {
                let layer = self.layers.entry(run.events).or_default();
                let before = layer.len();
                let known = layer.entry(run.key()).or_insert(times);
                *known = (known.0.min(times.0), known.1.max(times.1));
                self.states += (layer.len() - before) as u64;
            }
        }
        if self.states > self.most {
            return Err(Stopped::States { most: self.most });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Queue, Server, Statement, evaluate};

    fn wave(dispatchers: u64, groups: u64, warps_per_group: u64, body: Vec<Statement>) -> Program {
        let (multiprocessors, passes, launch) = (1, 1, 0);
        Program { multiprocessors, dispatchers, groups, resident_groups: groups, warps_per_group, passes, launch, body }
    }

    fn service(server: Server, occupancy: u64, latency: u64) -> Statement {
        Statement::Use { server, occupancy, latency }
    }

    fn extremes(program: &Program, reduction: Reduction) -> (u64, u64) {
        let explored = explore(program, reduction, 1 << 30, &|| false).unwrap();
        (explored.least, explored.greatest)
    }

    /// Two programs whose least time a reduction to one server may lose; that of the first it does.
    #[test]
    fn where_a_warp_may_come_to_a_server_at_the_same_instant_all_servers_are_branched_on() {
        let start = |server, occupancy, latency| Statement::Start { server, occupancy, latency, queue: Queue::A };
        let starts = wave(
            1,
            1,
            3,
            vec![start(Server::Dispatcher, 1, 1), start(Server::Memory, 2, 6), service(Server::Memory, 1, 1)],
        );
        let at_once = wave(
            2,
            3,
            1,
            vec![service(Server::Dispatcher, 0, 0), service(Server::Memory, 1, 1), service(Server::Dispatcher, 2, 6)],
        );
        assert!(extremes(&starts, Reduction::OneServer).0 > 10, "the reduction would be right here");
        for (program, least) in [(starts, 10), (at_once, 9)] {
            assert_eq!(extremes(&program, Reduction::On).0, least);
            assert_eq!(extremes(&program, Reduction::Off).0, least);
        }
    }

    #[test]
    fn waves_passes_and_the_launch_add_up() {
        let body = vec![service(Server::Memory, 3, 10), service(Server::Local, 2, 2), service(Server::Memory, 1, 4)];
        let mut program = wave(2, 2, 2, body);
        let one = extremes(&program, Reduction::On);
        (program.groups, program.multiprocessors, program.passes, program.launch) = (9, 2, 3, 7);
        let mut rest = program.clone();
        (rest.groups, rest.resident_groups, rest.multiprocessors, rest.passes, rest.launch) = (1, 1, 1, 1, 0);
        let rest = extremes(&rest, Reduction::On);
        assert_eq!(extremes(&program, Reduction::On), (7 + 3 * (2 * one.0 + rest.0), 7 + 3 * (2 * one.1 + rest.1)));
    }

    #[test]
    fn an_order_can_be_faster_than_that_of_the_warps() {
        let memory = |occupancy, latency| service(Server::Memory, occupancy, latency);
        let program = wave(2, 1, 3, vec![service(Server::Local, 2, 3), memory(0, 4), memory(1, 3)]);
        assert_eq!(evaluate(&program, 100).unwrap().ticks, 15);
        assert_eq!([Reduction::Off, Reduction::On].map(|reduction| extremes(&program, reduction)), [(14, 15); 2]);
    }

    #[test]
    fn too_few_states_and_too_little_time_stop_an_exploration() {
        let body = (1..8).flat_map(|n| [service(Server::Memory, n, n + 2), service(Server::Local, 2, n)]).collect();
        let program = wave(1, 3, 3, body);
        assert!(matches!(explore(&program, Reduction::Off, 1000, &|| false), Err(Stopped::States { most: 1000 })));
        assert!(matches!(explore(&program, Reduction::Off, 1 << 30, &|| true), Err(Stopped::Halted { states: 0 })));
    }
}
