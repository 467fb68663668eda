//! Groups that drift apart: section 3 of the physics.
//!
//! The machine starts the groups of a wave together, so that all wait for memory at the same time. On a GPU a group begins when
//! another one ends: while one waits for its loads, the others keep the servers busy. The waits of a wave are shortened so that
//! the machine holds that.

use super::block::Block;
use super::body::MOST_TURNS;
use super::servers::{Servers, ticks};
use super::work::Work;
use crate::lowering::exact::Exact;
use autotune_machine::machine::Server;

/// The groups of the multiprocessor that has most.
#[derive(Debug, Clone, Copy)]
pub(in crate::lowering) struct Resident {
    /// Groups that run at the same time.
    pub(in crate::lowering) groups: u64,
    /// Waves of them, the last one included.
    pub(in crate::lowering) waves: u64,
}

/// Shortens the waits for loads outside the barriers of a group, unless a phase waits more often than it has turns. `None` if a
/// number does not fit.
///
/// A group takes D at its busiest server and waits for Z. A wave of R groups takes at least D + Z, and R D. Of the waits beyond
/// that, only the first wave's stay.
pub(in crate::lowering) fn drift(blocks: &mut [Block], servers: &Servers<'_>, resident: Resident) -> Option<()> {
    shorten(blocks, servers, resident)?;
    start_and_end(blocks, servers);
    Some(())
}

fn shorten(blocks: &mut [Block], servers: &Servers<'_>, resident: Resident) -> Option<()> {
    let Resident { groups, waves } = resident;
    if groups < 2 || waves < 2 {
        return Some(());
    }
    let (mut waits, mut trips) = (Exact::ZERO, Exact::ONE);
    outside_barriers(blocks, |work| {
        waits += work.load_latency;
        trips = trips.max(work.round_trips);
    });
    if !waits.is_positive() || trips > Exact::from(MOST_TURNS) {
        return Some(());
    }
    let (waits, hidden) = (ticks(waits), busiest(blocks, servers)? * Exact::from(groups - 1));
    // Turns overlap each other's waits: of those beyond the service, a wave shows as many parts as a phase has turns.
    let left = waits.saturating_sub(hidden) * Exact::from(trips.ceil()?);
    let part = (left.min(waits).max(waits / Exact::from(waves)) / waits).shortened();
    outside_barriers(blocks, |work| work.shorten_waits(part));
    Some(())
}

/// Adds the cycles of the start and the end of a large group with barriers.
fn start_and_end(blocks: &mut [Block], servers: &Servers<'_>) {
    let has_barrier = has_barrier(blocks);
    if let Some(work) = blocks.iter_mut().find_map(|block| block.works().next()).filter(|_| has_barrier) {
        work.load_latency += servers.start_and_end();
    }
}

/// True if a warp meets a barrier.
fn has_barrier(blocks: &[Block]) -> bool {
    blocks.iter().any(|block| match block {
        Block::Barrier(..) => true,
        Block::Loop { body, .. } => has_barrier(body),
        Block::Phase(_) | Block::Ordered(_) => false,
    })
}

/// Calls `visit` with the work before the first barrier and behind the last one.
fn outside_barriers(blocks: &mut [Block], mut visit: impl FnMut(&mut Work)) {
    let holds = |block: &Block| matches!(block, Block::Barrier(..) | Block::Loop { .. });
    let first = blocks.iter().position(holds).unwrap_or(blocks.len());
    let last = blocks.iter().rposition(holds).unwrap_or(first);
    for (position, block) in blocks.iter_mut().enumerate() {
        match block {
            Block::Phase(work) if work.loads && (position < first || position > last) => visit(work),
            _ => {}
        }
    }
}

/// Ticks of a group at its busiest server; `None` if a number does not fit.
fn busiest(blocks: &[Block], servers: &Servers<'_>) -> Option<Exact> {
    let mut each = Server::ALL.into_iter().map(|server| busy(blocks, servers, server));
    each.try_fold(Exact::ZERO, |most, busy| Some(most.max(busy?)))
}

fn busy(blocks: &[Block], servers: &Servers<'_>, server: Server) -> Option<Exact> {
    let mut sum = Exact::ZERO;
    for block in blocks {
        sum += match block {
            Block::Phase(work) => servers.of_group(server, work)?,
            Block::Ordered(runs) => {
                let of_runs = runs.iter().map(|run| servers.of_group(server, &run.work));
                of_runs.into_iter().try_fold(Exact::ZERO, |sum, of_run| Some(sum + of_run?))?
            }
            Block::Barrier(..) => Exact::ZERO,
            Block::Loop { count, body } => busy(body, servers, server)? * Exact::from(*count),
        };
    }
    Some(sum)
}
