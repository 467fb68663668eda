//! The lower bound of a program of any length.

use autotune_machine::machine::{Bound, By, Program, lower_bound};

/// The lower bound of a program's time. `is_too_long` is true if the time may reach 2^60 ticks.
pub(super) fn bound(program: &Program, is_too_long: bool) -> Bound {
    if !is_too_long {
        return lower_bound(program);
    }
    // Sums of a time beyond 2^60 may exceed 64 bits; the critical path alone is bound enough.
    Bound { ticks: u64::try_from(program.least_time()).unwrap_or(u64::MAX), by: By::CriticalPath }
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_machine::machine::{Server, Statement};

    /// As if its time were too long: each wave takes at least the critical path.
    #[test]
    fn the_bound_of_a_time_that_is_too_long_is_the_critical_path_of_all_waves() {
        for (groups, waves) in [(4, 2), (5, 3)] {
            let body = vec![Statement::Use { server: Server::Memory, occupancy: 1, latency: 1000 }];
            let (multiprocessors, dispatchers, resident_groups, warps_per_group) = (1, 1, 2, 1);
            let shape = Program {
                multiprocessors,
                dispatchers,
                groups,
                resident_groups,
                warps_per_group,
                passes: 3,
                launch: 0,
                body,
            };
            assert_eq!(bound(&shape, true), Bound { ticks: 3 * waves * 1000, by: By::CriticalPath });
        }
    }
}
