//! The costs of a trace whose statements keep their order.

use super::computed::{computed, scale};
use super::executions::share;
use super::ordered;
use super::parts::Parts;
use super::pieces::Piece;
use super::sequence::{Accessed, Computed, Issued, Ordered, OrderedRun};
use super::walk::TraceWalk;
use crate::lowering::exact::Exact;
use crate::lowering::phases::block::{Block, append, join_in_order, repeat, settle};
use crate::lowering::phases::run::Run;
use crate::lowering::phases::work::Work;
use autotune_kernel::source::Fork;

/// The blocks of a trace whose statements keep their order.
pub(super) fn blocks(walk: &TraceWalk<'_>, pieces: &[Piece]) -> Vec<Block> {
    let mut blocks = Pricing { walk }.sequence(&ordered::sequence(walk.traced, pieces));
    settle(&mut blocks);
    blocks
}

struct Pricing<'w, 'a> {
    walk: &'w TraceWalk<'a>,
}

impl Pricing<'_, '_> {
    fn sequence(&self, sequence: &[Ordered<'_>]) -> Vec<Block> {
        let mut blocks = Vec::new();
        for part in sequence {
            match part {
                Ordered::Run(run) => {
                    let priced = Run::new(run.kind, self.run(run));
                    if run.joins {
                        join_in_order(&mut blocks, priced);
                    } else {
                        append(&mut blocks, vec![Block::Ordered(vec![priced])]);
                    }
                }
                Ordered::Barrier { place, is_of_grid, .. } => blocks.push(Block::barrier(*place, *is_of_grid)),
                Ordered::Loop(round, body) => append(&mut blocks, repeat(round.times, self.sequence(body))),
                Ordered::Sides(Fork::Groups, sides) => {
                    let mut parts = Parts::default();
                    for (part, side) in sides {
                        append(&mut blocks, parts.part(self.sequence(side), share(*part)));
                    }
                }
                Ordered::Sides(Fork::Data(_), sides) => {
                    for (part, side) in sides {
                        let mut work = self.sequence(side);
                        scale(&mut work, *part);
                        append(&mut blocks, work);
                    }
                }
            }
        }
        blocks
    }

    /// The work of neighbours; empty for a wait, and for a group without copies.
    fn run(&self, run: &OrderedRun<'_>) -> Work {
        sum(run.issued.iter().map(|issued| self.issued(issued))).unwrap_or_else(|| Work::at(run.place))
    }

    fn issued(&self, issued: &Issued<'_>) -> Work {
        let computed = sum(issued.computed.iter().flat_map(|computed| self.computed(computed)));
        let access = issued.access.as_ref().map(|access| self.access(access));
        sum(access.into_iter().chain(computed)).unwrap_or_default()
    }

    /// An access, as a part of the code if it is its first execution.
    fn access(&self, access: &Accessed<'_>) -> Work {
        let mut work = access.of.work.clone();
        if !access.is_new {
            work.code = Exact::ZERO;
        }
        self.walk.kept(work)
    }

    /// The work of each instruction that computes.
    fn computed(&self, of: &Computed<'_>) -> impl Iterator<Item = Work> {
        let (walk, block, warps, is_new) = (self.walk, of.by.block, of.by.warps, of.is_new);
        let each = walk.traced.kernel.prices.block(block);
        let priced = of.instructions.clone().filter(|position| each[*position].all() > 0);
        priced
            .map(move |position| walk.kept(computed(walk.traced.place(block, position), each[position], warps, is_new)))
    }
}

/// The sum of works; `None` if there are none.
fn sum(mut works: impl Iterator<Item = Work>) -> Option<Work> {
    let first = works.next()?;
    Some(works.fold(first, |mut sum, work| {
        sum += &work;
        sum
    }))
}
