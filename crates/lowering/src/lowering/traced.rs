//! Lowering of what a work group executed, as the kernel's source says it: a trace in place of a spec's body.
//!
//! ```text
//! trace ─▶ merge: accesses that one instruction makes ─▶ sectors: the memory that warps touch ─▶ prepare: work
//!                                                     └▶ scope: the memory that groups share ─────┘
//! ```

mod access;
mod alias;
mod computed;
mod dependences;
mod dram;
pub(super) mod edges;
mod executions;
mod extent;
mod listed;
mod memo;
mod merge;
pub(super) mod ordered;
mod parts;
mod pieces;
mod prepare;
mod priced;
mod queues;
mod scope;
mod sectors;
mod sequence;
pub(super) mod statements;
pub(super) mod stored;
pub(super) mod unsupported;
mod waits;
mod walk;

use std::ops::Range;

use super::exact::Exact;
use crate::lowering::phases::block::{Block, append, join, repeat};
use crate::lowering::phases::work::Work;
use autotune_base::limits::watch::{Phase, look};
use autotune_base::text::Place;
use autotune_kernel::source::{BlockId, Fork, Operations};
use computed::{computed, scale};
use parts::Parts;
use pieces::{Made, Piece, Prepared, Run, are_innermost, whole_iterations};
use waits::Waits;

pub(in crate::lowering) use executions::{share, warps};
pub use listed::{Listed, ListedAccess, ListedStep, TouchedMemory, is_of_memory};
pub(in crate::lowering) use merge::accesses;
pub(super) use statements::Extraction;
pub(super) use walk::TraceWalk;

impl TraceWalk<'_> {
    /// The phases, barriers and loops of the group.
    pub(super) fn blocks(&mut self) -> Vec<Block> {
        let pieces = prepare::prepared(self);
        self.dependent = (!self.tracing).then(|| dependences::dependent(self, &pieces));
        if ordered::keeps_order(self.traced) {
            return priced::blocks(self, &pieces);
        }
        self.pieces(pieces, 1)
    }

    /// The blocks of pieces in a loop of that many iterations.
    fn pieces(&mut self, pieces: Vec<Piece>, iterations: u64) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut waits = Waits::new(if are_innermost(&pieces) { iterations } else { 1 });
        for piece in pieces {
            look(Phase::Lowering);
            match piece {
                Piece::Run(run) => self.run(run, &mut waits, &mut blocks),
                Piece::Loop(rounds) => {
                    self.wait(&mut waits, &mut blocks);
                    let iterations = whole_iterations(&rounds);
                    for round in rounds {
                        let body = self.pieces(round.pieces, iterations);
                        append(&mut blocks, repeat(round.times, body));
                    }
                }
                Piece::Sides(Fork::Groups, sides) => {
                    self.wait(&mut waits, &mut blocks);
                    let mut parts = Parts::default();
                    for (part, pieces) in sides {
                        let work = self.pieces(pieces, iterations);
                        append(&mut blocks, parts.part(work, share(part)));
                    }
                }
                Piece::Sides(Fork::Data(_), sides) => {
                    self.wait(&mut waits, &mut blocks);
                    for (share, pieces) in sides {
                        let mut work = self.pieces(pieces, iterations);
                        scale(&mut work, share);
                        append(&mut blocks, work);
                    }
                }
            }
        }
        self.wait(&mut waits, &mut blocks);
        blocks
    }

    /// Ends a stretch: its warps have waited for the loads.
    fn wait(&self, waits: &mut Waits, blocks: &mut Vec<Block>) {
        let free = self.most_registers.saturating_sub(self.registers).max(1);
        for work in waits.end(self.gpu, free) {
            join(blocks, Some(self.kept(work)));
        }
    }

    /// An execution of a block.
    fn run(&mut self, run: Run, waits: &mut Waits, blocks: &mut Vec<Block>) {
        let is_new = self.coded.insert((run.block, run.instructions.start));
        for (place, operations) in self.operations(run.block, run.instructions) {
            join(blocks, Some(self.kept(computed(place, operations, run.warps, is_new))));
        }
        for made in run.made {
            match made {
                // They stand in traces that keep their order.
                Made::Mark { .. } => {}
                Made::Barrier { place, is_of_grid, .. } => {
                    self.wait(waits, blocks);
                    blocks.push(Block::barrier(place, is_of_grid));
                }
                Made::Access(prepared) => {
                    let Prepared { access, mut work, waited, .. } = *prepared;
                    if !is_new {
                        work.code = Exact::ZERO;
                    }
                    waits.access(self.traced, run.block, &access, waited);
                    join(blocks, Some(self.kept(work)));
                }
            }
        }
        if self.waits_for_its_loads(run.block) {
            waits.end_block();
        }
    }

    /// True if a block uses what it loads.
    fn waits_for_its_loads(&mut self, block: BlockId) -> bool {
        let traced = self.traced;
        *self.waiting.entry(block).or_insert_with(|| traced.uses_its_loads(block))
    }

    /// The operations of a block's instructions: of each line if the lines are wanted.
    fn operations(&self, block: BlockId, instructions: Range<usize>) -> Vec<(Place, Operations)> {
        let prices = self.traced.kernel.prices.block(block);
        let mut lines: Vec<(Place, Operations)> = Vec::new();
        let each = instructions.map(|position| (position, &prices[position]));
        for (position, price) in each.filter(|(_, price)| price.all() > 0) {
            let place = self.traced.place(block, position);
            let known = lines.iter_mut().find(|(known, _)| !self.tracing || known.source_line() == place.source_line());
            match known {
                Some((_, sum)) => *sum = sum.plus(*price),
                None => lines.push((place, *price)),
            }
        }
        lines
    }

    /// A work, kept as a part of its sum too if the lines are wanted.
    fn kept(&self, work: Work) -> Work {
        if self.tracing { Work { parts: vec![work.clone()], ..work } } else { work }
    }
}
