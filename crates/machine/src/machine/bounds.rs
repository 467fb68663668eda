//! Lower bounds of a program's time, computed without running it.
//!
//! A wave of g groups of W warps takes at least
//!
//! - **critical path**: the sum of all latencies and barrier costs of the body, because every warp goes through them
//!   one by one;
//! - **memory**, **local**, **dispatcher**, **matrix**: let the body use a server in u₁ … uₖ. No warp begins u₁ before
//!   `head`, the sum of the latencies and costs before it. The q warps that share the server occupy it one at a time, for the
//!   occupancies of u₁ … uₖ each (`busy`). The warp served last still goes through the rest of uₖ's latency and all
//!   that follows (`tail`). So the bound is `head + q * busy + tail`. All g * W warps share memory and local;
//!   dispatcher 0 and its matrix unit have `g * W / ND` of them, rounded up;
//! - **phases**: the warps of a group pass its barriers together, so a group's phases between barriers follow each
//!   other. Each phase takes at least the bounds above for the warps of one group, and the barriers' costs are added.
//!   Services of other groups, or of the phase before, only make the bound less sharp. All groups pass a barrier of the
//!   grid together, so the wave's own phases between such barriers follow each other, each with all of these bounds.
//!
//! With starts, the way of one warp alone on free servers stands for its sums of latencies and costs: see
//! docs/theory/machine.md.
//!
//! No bound depends on the order of simultaneous events. Loops become sums and products; only those with a start or a wait
//! are run, by that one warp.
//!
//! Every number here is at most the program's upper bound, which [`Program::check`] keeps below 2^60.

mod alone;
mod bound;
mod phases;
mod piece;
mod queued;
mod stretch;
mod sums;

use super::{Program, Statement};
use phases::{OfGrid, OfGroup};
use queued::Queued;
use stretch::{End, Stretch, Wave, sequence};
use sums::Sums;

pub use bound::{Bound, By};

/// The lower bound of a checked program's time, for every order of simultaneous events.
///
/// The greatest bound of each wave is summed over all waves and passes. The reason is that of the largest wave's bound.
#[must_use]
pub fn lower_bound(program: &Program) -> Bound {
    let (full, rest) = program.waves();
    let [largest, last] = bounds_of_waves(program, [program.largest_wave(), rest]);
    let ticks = match (full, rest) {
        (0, _) => largest.ticks,
        (full, 0) => full * largest.ticks,
        (full, _) => full * largest.ticks + last.ticks,
    };
    Bound { ticks: program.launch + program.passes * ticks, by: largest.by }
}

/// The lower bound of one wave of `groups` resident groups of a checked program, without the launch.
#[must_use]
pub fn lower_bound_of_wave(program: &Program, groups: u64) -> Bound {
    let [bound] = bounds_of_waves(program, [groups]);
    bound
}

/// The lower bounds of waves of these numbers of groups. With a barrier of the grid, a program has one wave.
fn bounds_of_waves<const N: usize>(program: &Program, groups: [u64; N]) -> [Bound; N] {
    match (has_queues(program), Statement::any_of_grid(&program.body)) {
        (false, false) => bounds_by::<OfGroup<Sums>, N>(program, groups),
        (true, false) => bounds_by::<OfGroup<Queued>, N>(program, groups),
        (false, true) => bounds_by::<OfGrid<Sums>, N>(program, groups),
        (true, true) => bounds_by::<OfGrid<Queued>, N>(program, groups),
    }
}

fn bounds_by<S: Stretch, const N: usize>(program: &Program, groups: [u64; N]) -> [Bound; N] {
    let body = sequence::<S>(&program.body, Wave { program, groups: groups[0] });
    groups.map(|groups| body.bound(Wave { program, groups }, End::Body))
}

/// Returns true if a program makes starts or waits for them.
fn has_queues(program: &Program) -> bool {
    let is_of_queue = |statement: &Statement| matches!(statement, Statement::Start { .. } | Statement::Wait { .. });
    Statement::all(&program.body).any(|(statement, _)| is_of_queue(statement))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Server, Statement, evaluate};

    fn one_use(server: Server, occupancy: u64, latency: u64) -> Statement {
        Statement::Use { server, occupancy, latency }
    }

    fn repeat(count: u64, body: Vec<Statement>) -> Statement {
        Statement::Loop { count, body }
    }

    const BARRIER: Statement = Statement::barrier(7);

    /// One wave of two groups of `warps_per_group` warps.
    fn wave(warps_per_group: u64, body: Vec<Statement>) -> Program {
        Program {
            multiprocessors: 1,
            dispatchers: 4,
            groups: 2,
            resident_groups: 2,
            warps_per_group,
            passes: 1,
            launch: 0,
            body,
        }
    }

    /// Checks that the bound and the program's time are both `ticks`.
    #[track_caller]
    fn assert_tight(program: &Program, by: By, ticks: u64) {
        assert_eq!(lower_bound(program), Bound { ticks, by });
        assert_eq!(evaluate(program, u64::MAX).unwrap().ticks, ticks);
    }

    #[test]
    fn alone_a_warp_goes_its_critical_path() {
        let body = vec![one_use(Server::Dispatcher, 2, 10), BARRIER, one_use(Server::Dispatcher, 2, 10)];
        assert_tight(&wave(2, body), By::CriticalPath, 10 + 7 + 10);
    }

    #[test]
    fn a_saturated_server_decides() {
        for (server, sharing) in [(Server::Memory, 10), (Server::Local, 10), (Server::Dispatcher, 3)] {
            let before = if server == Server::Local { Server::Memory } else { Server::Local };
            let body = vec![one_use(before, 0, 5), repeat(3, vec![one_use(server, 4, 6)]), BARRIER];
            assert_tight(&wave(5, body), By::Server(server), 5 + sharing * 3 * 4 + 2 + 7);
        }
    }

    #[test]
    fn starts_run_beside_each_other_until_a_wait() {
        let queue = crate::machine::Queue::A;
        let start = |server, occupancy, latency| Statement::Start { server, occupancy, latency, queue };
        let wait = |pending| Statement::Wait { queue, pending };
        let mut alone = wave(1, vec![start(Server::Memory, 1, 50), start(Server::Local, 1, 30), wait(1)]);
        (alone.groups, alone.resident_groups) = (1, 1);
        assert_tight(&alone, By::CriticalPath, 50);
        // A prefetch two iterations ahead: 2 are pending, the rest of the third is waited for.
        let turn = vec![start(Server::Memory, 0, 50), wait(2), one_use(Server::Dispatcher, 3, 3)];
        alone.body = vec![repeat(100, turn)];
        assert_tight(&alone, By::CriticalPath, 1799);
        alone.body = vec![one_use(Server::Local, 0, 5), repeat(3, vec![start(Server::Matrix, 4, 6)])];
        (alone.warps_per_group, alone.dispatchers) = (10, 4);
        assert_tight(&alone, By::Server(Server::Matrix), 5 + 3 * 3 * 4 + 2);
    }

    #[test]
    fn phases_add_up_where_barriers_keep_servers_from_overlapping() {
        let (memory, local) = (one_use(Server::Memory, 10, 10), one_use(Server::Local, 30, 30));
        let body = vec![memory.clone(), repeat(5, vec![memory, BARRIER, local.clone(), BARRIER]), local];
        let mut alone = wave(2, body);
        (alone.groups, alone.resident_groups) = (1, 1);
        // Two warps twice at memory; then in turns local and memory, and in the end twice at local.
        assert_tight(&alone, By::Phases, 40 + 5 * 60 + 4 * 20 + 10 * 7 + 60);
    }

    #[test]
    fn phases_between_barriers_of_the_grid_have_all_groups() {
        let (memory, local) = (one_use(Server::Memory, 10, 10), one_use(Server::Local, 30, 30));
        let of_grid = Statement::barrier_of_grid(7);
        let turn = vec![memory.clone(), of_grid.clone(), local.clone(), of_grid];
        let both = wave(2, vec![repeat(5, turn.clone()), local.clone()]);
        // Four warps of two groups, at memory and local in turns.
        assert_tight(&both, By::Phases, 5 * (4 * 10 + 7 + 4 * 30 + 7) + 4 * 30);
    }

    #[test]
    fn phases_reach_across_loops() {
        let local = |occupancy| one_use(Server::Local, occupancy, occupancy);
        let inner = repeat(3, vec![local(1), BARRIER, local(10)]);
        let mut alone = wave(2, vec![repeat(2, vec![local(100), inner, local(1000)])]);
        (alone.groups, alone.resident_groups) = (1, 1);
        // Two warps one after the other in every phase, and six barriers.
        assert_tight(&alone, By::Phases, 2 * 2 * (100 + 3 * 11 + 1000) + 6 * 7);
    }

    #[test]
    fn waves_passes_and_launch_are_counted() {
        let mut program = wave(1, vec![one_use(Server::Memory, 10, 15)]);
        (program.groups, program.passes, program.launch) = (7, 3, 1);
        assert_tight(&program, By::Server(Server::Memory), 1 + 3 * (3 * 25 + 15));
        assert_eq!(lower_bound_of_wave(&program, 1), Bound { ticks: 15, by: By::CriticalPath });
        program.groups = 1;
        assert_tight(&program, By::CriticalPath, 1 + 3 * 15);
    }

    #[test]
    fn the_longest_loops_are_exact() {
        let body = vec![repeat(1 << 20, vec![repeat((1 << 31) - 1, vec![one_use(Server::Memory, 1, 1)]), BARRIER])];
        let program = wave(1, body);
        assert_eq!(program.check(), Ok(()));
        let iteration = (1 << 31) - 1;
        assert_eq!(
            lower_bound(&program),
            Bound { ticks: (1 << 20) * 2 * iteration + 7, by: By::Server(Server::Memory) }
        );
    }

    #[test]
    fn reasons_are_named() {
        let servers = Server::ALL.map(|server| By::Server(server).to_string());
        assert_eq!(servers, ["memory", "local", "dispatcher", "matrix"]);
        assert_eq!([By::CriticalPath, By::Phases].map(|by| by.to_string()), ["critical path", "phases"]);
    }
}
