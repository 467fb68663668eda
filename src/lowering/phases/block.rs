//! Phases, barriers and loops of a body, and how they join.

use super::work::Work;
use crate::text::Place;

/// A piece of the body.
#[derive(Debug, Clone)]
pub(in crate::lowering) enum Block {
    /// A straight run of statements.
    Phase(Box<Work>),
    /// A barrier of all warps of the group.
    Barrier(Place),
    /// A loop that contains a barrier.
    Loop { count: u64, body: Vec<Block> },
}

/// Calls `visit` with every phase and the number of its executions.
pub(in crate::lowering) fn phases(blocks: &mut [Block], times: u64, visit: &mut impl FnMut(&mut Work, u64)) {
    for block in blocks {
        match block {
            Block::Phase(work) => visit(work, times),
            Block::Loop { count, body } => phases(body, times.saturating_mul(*count), visit),
            Block::Barrier(_) => {}
        }
    }
}

/// Repeats blocks. A loop without a barrier dissolves into its phase, a loop of count 1 into its body.
pub(in crate::lowering) fn repeat(count: u64, mut body: Vec<Block>) -> Vec<Block> {
    match body.as_mut_slice() {
        [] => body,
        [Block::Phase(work)] => {
            work.repeat(count);
            body
        }
        _ if count == 1 => body,
        _ => vec![Block::Loop { count, body }],
    }
}

/// Adds blocks; a phase joins the one that the blocks end with.
pub(in crate::lowering) fn append(blocks: &mut Vec<Block>, more: Vec<Block>) {
    for block in more {
        match block {
            Block::Phase(work) => join(blocks, Some(*work)),
            other => blocks.push(other),
        }
    }
}

/// Adds work to the phase that the blocks end with.
pub(in crate::lowering) fn join(blocks: &mut Vec<Block>, work: Option<Work>) {
    match (blocks.last_mut(), work) {
        (Some(Block::Phase(phase)), Some(work)) => **phase += work,
        (_, Some(work)) => blocks.push(Block::Phase(Box::new(work))),
        (_, None) => {}
    }
}
