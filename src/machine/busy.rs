//! The busy time of servers.

use super::{Program, Server, Statement};

/// Busy ticks of each server of the most loaded multiprocessor, over all waves and passes; for the
/// dispatchers, the one with the most warps. A server serves one warp at a time and every warp outlives its services,
/// so no value exceeds the program's time after launch.
#[must_use]
pub fn busy(program: &Program) -> [(Server, u128); 3] {
    let (full, rest) = program.waves();
    Server::ALL.map(|server| {
        let of_one = occupied(&program.body, server);
        let of_wave = |groups: u64| {
            let warps = u128::from(groups) * u128::from(program.warps_per_group);
            let sharing = if server == Server::Dispatcher { u128::from(program.dispatchers) } else { 1 };
            warps.div_ceil(sharing).saturating_mul(of_one)
        };
        let waves = u128::from(full).saturating_mul(of_wave(program.resident_groups)).saturating_add(of_wave(rest));
        (server, waves.saturating_mul(program.passes.into()))
    })
}

/// Ticks of one warp's occupancy of a server.
fn occupied(body: &[Statement], server: Server) -> u128 {
    Statement::all(body).fold(0, |sum: u128, (statement, times)| match statement {
        Statement::Use { server: used, occupancy, .. } if *used == server => {
            sum.saturating_add(times.saturating_mul((*occupancy).into()))
        }
        _ => sum,
    })
}
