//! An upper bound of a program's time in every order of simultaneous events, computed without running it.
//!
//! Let z be the warp that ends last; before each barrier that it passes, go on with the warp of its group (for a barrier of the grid: of
//! the wave) that arrives there last. At every moment z is in a service or latency of its own, or in a barrier's cost, or waits at a
//! server that serves another warp. Its own times sum to the latencies and costs of one warp, since all warps run one body and pass
//! its barriers in one order; those of its starts are counted too, for a wait may need them. The others' services at a server
//! take their occupancies, each once. z's dispatcher changes only where z changes, at a barrier.

use crate::machine::busy::occupied;
use crate::machine::{Program, Server, Statement};

/// The upper bound of a checked program's time, in ticks. It is at most the bound that [`Program::check`] keeps below 2^60.
///
/// # Panics
/// If the program was not checked.
#[must_use]
pub fn greatest_bound(program: &Program) -> u64 {
    let of_waves: u128 =
        program.distinct_waves().map(|(times, groups)| u128::from(times) * of_wave(program, groups)).sum();
    let ticks = u128::from(program.launch) + u128::from(program.passes) * of_waves;
    u64::try_from(ticks).expect("the program is checked")
}

fn of_wave(program: &Program, groups: u64) -> u128 {
    let warps = u128::from(groups) * u128::from(program.warps_per_group);
    let any = |wanted: fn(&Statement) -> bool| Statement::all(&program.body).any(|(statement, _)| wanted(statement));
    let in_step = groups == 1 || program.warps_per_group == 1;
    // Between two barriers that all warps pass together, z meets those at its dispatcher, each once; but no start that is served
    // behind the barrier.
    let keeps_dispatcher = !any(|statement| matches!(statement, Statement::Barrier { .. }))
        || in_step && !any(|statement| matches!(statement, Statement::Start { .. }));
    let others = |server: Server| {
        let is_shared_by_few = server.is_beside_a_scheduler() && keeps_dispatcher;
        let sharing = if is_shared_by_few { warps.div_ceil(program.dispatchers.into()) } else { warps };
        (sharing - 1) * occupied(&program.body, server)
    };
    program.latencies() + Server::ALL.into_iter().map(others).sum::<u128>()
}
