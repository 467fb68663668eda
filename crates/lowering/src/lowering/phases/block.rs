//! Phases, barriers and loops of a body, and how they join.

use super::run::{self, Run};
use super::work::Work;
use crate::lowering::exact::Exact;
use autotune_base::text::Place;
use autotune_machine::machine::BarrierScope;

/// A piece of the body.
#[derive(Debug, Clone)]
pub(in crate::lowering) enum Block {
    /// A straight run of statements in any order.
    Phase(Box<Work>),
    /// A straight run of statements that keep their order.
    Ordered(Vec<Run>),
    /// A barrier of all warps of the group, or of the launch.
    Barrier(Place, BarrierScope),
    /// A loop that contains a barrier, or statements that keep their order.
    Loop { count: u64, body: Vec<Block> },
}

impl Block {
    pub(in crate::lowering) fn barrier(place: Place, is_of_grid: bool) -> Self {
        Self::Barrier(place, if is_of_grid { BarrierScope::Grid } else { BarrierScope::Group })
    }

    /// The sums of a straight run; none of a barrier or a loop.
    pub(in crate::lowering) fn works(&mut self) -> impl Iterator<Item = &mut Work> {
        let (phase, runs) = match self {
            Self::Phase(work) => (Some(&mut **work), [].as_mut_slice()),
            Self::Ordered(runs) => (None, runs.as_mut_slice()),
            Self::Barrier(..) | Self::Loop { .. } => (None, [].as_mut_slice()),
        };
        phase.into_iter().chain(runs.iter_mut().map(|run| &mut run.work))
    }

    /// Multiplies the work of a straight run.
    pub(in crate::lowering) fn scale(&mut self, factor: Exact) {
        self.works().for_each(|work| work.scale(factor));
    }

    /// The instructions of a straight run, by all warps of the group.
    pub(in crate::lowering) fn instructions(&mut self) -> Exact {
        self.works().fold(Exact::ZERO, |sum, work| sum + work.issued.instructions)
    }
}

/// Calls `visit` with every straight run and the number of its executions.
pub(in crate::lowering) fn straight_runs(blocks: &mut [Block], times: u64, visit: &mut impl FnMut(&mut Block, u64)) {
    for block in blocks {
        match block {
            Block::Phase(_) | Block::Ordered(_) => visit(block, times),
            Block::Loop { count, body } => straight_runs(body, times.saturating_mul(*count), visit),
            Block::Barrier(..) => {}
        }
    }
}

/// Repeats blocks. A loop whose statements need not keep their order dissolves into its phase, a loop of count 1 into
/// its body.
pub(in crate::lowering) fn repeat(count: u64, mut body: Vec<Block>) -> Vec<Block> {
    match body.as_mut_slice() {
        [] => body,
        [Block::Phase(work)] => {
            work.repeat(count);
            body
        }
        [Block::Ordered(runs)] if !run::are_ordered(runs) => {
            for run in runs {
                run.work.repeat(count);
            }
            body
        }
        _ if count == 1 => body,
        _ => vec![Block::Loop { count, body }],
    }
}

/// Adds blocks; a straight run goes on with the one that the blocks end with.
pub(in crate::lowering) fn append(blocks: &mut Vec<Block>, more: Vec<Block>) {
    for block in more {
        match (blocks.last_mut(), block) {
            (_, Block::Phase(work)) => join(blocks, Some(*work)),
            (Some(Block::Ordered(runs)), Block::Ordered(more)) => run::append(runs, more),
            (_, other) => blocks.push(other),
        }
    }
}

/// Adds blocks that other configurations have too.
pub(in crate::lowering) fn append_shared(blocks: &mut Vec<Block>, more: &[Block]) {
    for block in more {
        match (blocks.last_mut(), block) {
            (Some(Block::Phase(phase)), Block::Phase(work)) => **phase += work,
            _ => append(blocks, vec![block.clone()]),
        }
    }
}

/// Adds work to the phase that the blocks end with.
pub(in crate::lowering) fn join(blocks: &mut Vec<Block>, work: Option<Work>) {
    match (blocks.last_mut(), work) {
        (Some(Block::Phase(phase)), Some(work)) => **phase += &work,
        (_, Some(work)) => blocks.push(Block::Phase(Box::new(work))),
        (_, None) => {}
    }
}

/// Adds a statement to the straight run that the blocks end with, in its order.
pub(in crate::lowering) fn join_in_order(blocks: &mut Vec<Block>, run: Run) {
    match blocks.last_mut() {
        Some(Block::Ordered(runs)) => run::push(runs, run),
        _ => blocks.push(Block::Ordered(vec![run])),
    }
}

/// Makes phases of the straight runs whose statements need not keep their order.
pub(in crate::lowering) fn settle(blocks: &mut [Block]) {
    for block in blocks {
        match block {
            Block::Ordered(runs) if !run::are_ordered(runs) => {
                *block = Block::Phase(Box::new(run::sum(std::mem::take(runs))));
            }
            Block::Loop { body, .. } => settle(body),
            Block::Phase(_) | Block::Ordered(_) | Block::Barrier(..) => {}
        }
    }
}
