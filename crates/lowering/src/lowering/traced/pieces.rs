//! The parts of a trace with their accesses, each with its work.

use std::ops::Range;
use std::sync::Arc;

use super::executions::share;
use super::waits::Waited;
use crate::lowering::exact::Exact;
use crate::lowering::phases::work::Work;
use autotune_base::text::Place;
use autotune_kernel::source::{AccessKind, BlockId, Fork, Mask, RegionId, SourceAccess};

/// The accesses that share memory: of one kind to one array, in one scope.
pub(super) type Key = (usize, RegionId, AccessKind);

/// A part of a trace with the work of its accesses.
pub(super) enum Piece {
    /// An execution of a block.
    Run(Run),
    /// The rounds of a loop.
    Loop(Vec<Round>),
    /// The sides of a branch on data, or what some groups execute, and their shares.
    Sides(Fork, Vec<(f64, Vec<Piece>)>),
}

/// Iterations of a loop that execute the same.
pub(super) struct Round {
    /// The number of iterations.
    pub(super) times: u64,
    /// The symbol that counts the iterations in the addresses; `None` if there is one.
    pub(super) counter: Option<u32>,
    pub(super) pieces: Vec<Piece>,
}

/// The iterations of a loop that a compiler may unroll: one of a part of the groups is not unrolled by itself.
pub(super) fn whole_iterations(rounds: &[Round]) -> u64 {
    let is_part = |round: &&Round| matches!(round.pieces.as_slice(), [Piece::Sides(Fork::Groups, _)]);
    rounds.iter().filter(|round| !is_part(round)).map(|round| round.times).sum()
}

/// True if no loop stands in the pieces: compilers unroll only such iterations.
pub(super) fn are_innermost(pieces: &[Piece]) -> bool {
    pieces.iter().all(|piece| !matches!(piece, Piece::Loop(_)))
}

/// An execution of a block, to its end or to a barrier.
pub(super) struct Run {
    pub(super) block: BlockId,
    /// The positions of the instructions.
    pub(super) instructions: Range<usize>,
    /// The work items that execute the block.
    pub(super) items: Arc<Mask>,
    pub(super) warps: u64,
    pub(super) made: Vec<Made>,
}

/// An effect of a block's execution beside computing.
pub(super) enum Made {
    Barrier {
        place: Place,
        /// The position of the instruction in its block.
        instruction: usize,
        /// True if all groups of the launch wait for each other.
        is_of_grid: bool,
    },
    /// The end of a group of what goes on while a warp does, or a wait for one.
    Mark {
        kind: AccessKind,
        place: Place,
        /// The position of the instruction in its block.
        instruction: usize,
    },
    Access(Box<Prepared>),
}

impl Made {
    /// The position of the instruction in its block.
    pub(super) fn position(&self) -> usize {
        match self {
            Self::Barrier { instruction, .. } | Self::Mark { instruction, .. } => *instruction,
            Self::Access(made) => made.access.instruction,
        }
    }
}

/// An access and its work.
pub(super) struct Prepared {
    pub(super) access: SourceAccess,
    pub(super) work: Work,
    /// The load that a warp waits for.
    pub(super) waited: Option<Waited>,
    /// The accesses that it shares memory with; `None` without global memory.
    pub(super) memory: Option<Key>,
    /// The part of L2's bytes that DRAM moves if the access is alone in its scope.
    pub(super) alone: Exact,
}

impl Prepared {
    /// Has DRAM move a part of L2's bytes.
    pub(super) fn set_dram_part(&mut self, part: Exact) {
        let work = &mut self.work;
        work.dram_bytes = work.l2_bytes * part;
        for traffic in [&mut work.loaded, &mut work.stored] {
            traffic.beyond_l2 = traffic.beyond_l1 * part;
        }
        if let Some(waited) = &mut self.waited {
            waited.bytes.dram = work.dram_bytes;
        }
    }
}

/// Visits each access with its block and the number of its executions by a group, `times` of all.
pub(super) fn each_access(pieces: &mut [Piece], times: Exact, visit: &mut dyn FnMut(BlockId, &mut Prepared, Exact)) {
    for piece in pieces {
        match piece {
            Piece::Run(run) => {
                for made in &mut run.made {
                    if let Made::Access(access) = made {
                        visit(run.block, access, times);
                    }
                }
            }
            Piece::Loop(rounds) => {
                for round in rounds {
                    each_access(&mut round.pieces, times * Exact::from(round.times), visit);
                }
            }
            Piece::Sides(_, sides) => {
                for (part, pieces) in sides {
                    each_access(pieces, times * share(*part), visit);
                }
            }
        }
    }
}
