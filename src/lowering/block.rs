//! Phases, barriers and loops of a body.

use crate::lowering::work::Work;
use crate::text::Place;

/// A piece of the body.
#[derive(Debug, Clone)]
pub(super) enum Block {
    /// A straight run of statements.
    Phase(Box<Work>),
    /// A barrier of all warps of the group.
    Barrier(Place),
    /// A loop that contains a barrier.
    Loop { count: u64, body: Vec<Block> },
}

/// Calls `visit` with every phase and the number of its executions.
pub(super) fn phases(blocks: &mut [Block], times: u64, visit: &mut impl FnMut(&mut Work, u64)) {
    for block in blocks {
        match block {
            Block::Phase(work) => visit(work, times),
            Block::Loop { count, body } => phases(body, times.saturating_mul(*count), visit),
            Block::Barrier(_) => {}
        }
    }
}
