//! The times of configurations in every order of simultaneous events.

use rayon::prelude::*;

use super::survey::{ConfigurationStatus, Survey};
use autotune_base::index::{EntryId, ProgramId};
use autotune_base::limits::Limits;
use autotune_machine::machine::{Program, Reduction, Stopped, explore, greatest_bound, lower_bound};

/// The states that are explored at most: about ten seconds.
pub const MOST_STATES: u64 = 1 << 20;

/// The least and the greatest time of a program over all orders of simultaneous events, or bounds of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Orders {
    /// The least time in ticks; a lower bound if the exploration did not end.
    pub least: u64,
    /// The greatest time in ticks; an upper bound if the exploration did not end.
    pub greatest: u64,
    /// The number of explored states, or the reason why the exploration did not end.
    pub states: Result<u64, Stopped>,
}

impl Orders {
    /// Explores a checked program, or bounds it where it has too many states or a limit ends the exploration.
    fn of_program(program: &Program, limits: &Limits) -> Self {
        match explore(program, Reduction::On, MOST_STATES, &|| limits.exceeded().is_some()) {
            Ok(explored) => Self { least: explored.least, greatest: explored.greatest, states: Ok(explored.states) },
            Err(why) => Self { least: lower_bound(program).ticks, greatest: greatest_bound(program), states: Err(why) },
        }
    }
}

/// The times of entries of a survey in every order of simultaneous events; `None` for one that cannot run or is too long. Equal
/// programs are explored once.
#[must_use]
pub fn orders(survey: &Survey, entries: &[EntryId], limits: &Limits) -> Vec<Option<Orders>> {
    let program = |entry: EntryId| match survey.entries.get(entry).status {
        ConfigurationStatus::Program(number) => Some(number),
        _ => None,
    };
    let mut programs: Vec<ProgramId> = entries.iter().filter_map(|&entry| program(entry)).collect();
    programs.sort_unstable();
    programs.dedup();
    programs.retain(|&number| !survey.programs.is_too_long(number));
    let explored: Vec<Orders> =
        programs.par_iter().map(|&number| Orders::of_program(&survey.programs.get(number).program, limits)).collect();
    let of_program = |number: ProgramId| Some(explored[programs.binary_search(&number).ok()?]);
    entries.iter().map(|&entry| program(entry).and_then(of_program)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_machine::machine::{Server, Statement};

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
        let explored = Orders::of_program(&program, &Limits::default());
        assert_eq!((explored.least, explored.greatest), (31, 31));
        assert_eq!(explored.states, Ok(1));
        let over = Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() };
        let bounded = Orders::of_program(&program, &over);
        assert_eq!((bounded.least, bounded.greatest), (31, 31));
        assert_eq!(bounded.states, Err(Stopped::Halted { states: 0 }));
    }
}
