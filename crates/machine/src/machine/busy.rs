//! The busy time of servers.

use super::{Program, Server, Statement};

/// Busy ticks of each server of the most loaded multiprocessor, over all waves and passes, in the order of
/// [`Server::ALL`]; for dispatchers and matrix units, the one with the most warps. Matrix units that the program does not use
/// are left out. A server serves one warp at a time and every warp outlives its services,
/// so no value exceeds the program's time after launch.
#[must_use]
pub fn busy(program: &Program) -> Vec<(Server, u128)> {
    let (full, rest) = program.waves();
    let of_server = |server: Server| {
        let of_one = occupied(&program.body, server);
        let of_wave = |groups: u64| {
            let warps = u128::from(groups) * u128::from(program.warps_per_group);
            let sharing = if server.is_beside_a_scheduler() { u128::from(program.dispatchers) } else { 1 };
            warps.div_ceil(sharing).saturating_mul(of_one)
        };
        let waves = u128::from(full).saturating_mul(of_wave(program.resident_groups)).saturating_add(of_wave(rest));
        (server, waves.saturating_mul(program.passes.into()))
    };
    let servers = Server::ALL.into_iter().filter(|server| *server != Server::Matrix || uses(&program.body, *server));
    servers.map(of_server).collect()
}

fn uses(body: &[Statement], of: Server) -> bool {
    Statement::all(body).any(|(statement, _)| {
        matches!(statement, Statement::Use { server, .. } | Statement::Start { server, .. } if *server == of)
    })
}

/// Ticks of one warp's occupancy of a server.
pub(super) fn occupied(body: &[Statement], server: Server) -> u128 {
    Statement::all(body).fold(0, |sum: u128, (statement, times)| match statement {
        Statement::Use { server: used, occupancy, .. } | Statement::Start { server: used, occupancy, .. }
            if *used == server =>
        {
            sum.saturating_add(times.saturating_mul((*occupancy).into()))
        }
        _ => sum,
    })
}
