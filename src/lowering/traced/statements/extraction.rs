//! The trace whose statements are extracted, and the statements of a stretch of it.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use super::around::{LoopAround, Surroundings};
use super::extracted::{Extracted, ExtractedCompute};
use super::stretch::{Stretch, Stretched};
use crate::lowering::exact::Exact;
use crate::lowering::traced::executions::warps;
use crate::lowering::traced::walk::TraceWalk;
use crate::source::{BlockId, Mask, TracedKernel};
use crate::spec::OperationKind;

/// The walk over a trace.
pub(in crate::lowering) struct Extraction<'a> {
    pub(in crate::lowering) traced: &'a TracedKernel,
    /// The costs of the accesses; `None` on a lockstep GPU, where only counts have one.
    pub(in crate::lowering) costs: Option<TraceWalk<'a>>,
    /// The part of L2's bytes that DRAM moves for each access, by block and position of its instruction; empty for a trace
    /// that keeps its order.
    pub(in crate::lowering) dram_parts: HashMap<(BlockId, usize), Exact>,
    pub(in crate::lowering) warp_size: u64,
    /// Groups of the launch along x, y and z.
    pub(in crate::lowering) grid: [u64; 3],
    /// Names that counters must not have.
    pub(in crate::lowering) taken: BTreeSet<String>,
}

impl Extraction<'_> {
    /// A name for the counter of a loop at a depth.
    pub(super) fn counter_name(&self, depth: usize) -> String {
        let plain = ["i", "j", "k"].get(depth).map_or_else(|| format!("i{depth}"), |name| (*name).to_owned());
        let mut name = plain.clone();
        while self.taken.contains(&name) {
            name = format!("{name}_{plain}");
        }
        name
    }

    /// Adds the operations of a block's instructions.
    pub(super) fn compute(
        &self,
        (block, items): (BlockId, &Arc<Mask>),
        instructions: Range<usize>,
        part: Exact,
        stretch: &mut Stretch,
    ) {
        let prices = self.traced.kernel.prices.block(block);
        for kind in OperationKind::ALL {
            let counted = instructions.clone().map(|position| {
                let mut price = prices[position];
                let count = kind.count(&mut price).map_or(0, |count| *count);
                (position, count)
            });
            let counted: Vec<_> = counted.filter(|(_, count)| *count > 0).collect();
            let sum: u64 = counted.iter().map(|(_, count)| count).sum();
            if sum == 0 {
                continue;
            }
            let lines = counted.iter().filter_map(|(position, _)| self.traced.line_near(block, *position)).collect();
            let per_item = part * Exact::from(sum);
            stretch.compute(kind, per_item, lines, items);
        }
    }

    /// The part of the group's warps that have a work item in a mask.
    pub(super) fn share_of_warps(&self, items: &Mask) -> Exact {
        let all = (items.len() as u64).div_ceil(self.warp_size);
        Exact::ratio(warps(items, self.warp_size), all.max(1))
    }

    /// Ends a stretch.
    pub(super) fn end(
        &self,
        stretch: &mut Stretch,
        loops: &[LoopAround],
        part: Exact,
        statements: &mut Vec<Extracted>,
    ) {
        let levels = std::mem::take(&mut stretch.levels);
        let mut trips = Vec::new();
        if let Some(walk) = &self.costs {
            let free = walk.most_registers.saturating_sub(walk.registers).max(1);
            let waits = stretch.waits.end(walk.gpu, free);
            trips.extend(levels.into_iter().zip(waits.into_iter().map(|work| work.round_trips)));
        }
        let pending = std::mem::take(&mut stretch.statements);
        let loads = |level: u32| {
            let of_level = pending.iter().filter_map(|statement| match statement {
                Stretched::SourceAccess(access) if access.level == Some(level) => Some(access.bases.len() as u64),
                _ => None,
            });
            of_level.sum::<u64>()
        };
        // As many are under way together as make these trips.
        let in_flight: Vec<(u32, u64)> = trips
            .iter()
            .map(|(level, trips)| {
                let together = (Exact::from(loads(*level)) / *trips).to_f64().unwrap_or(1.0).round();
                (*level, num_traits::ToPrimitive::to_u64(&together).unwrap_or(1).max(1))
            })
            .collect();
        let around = Surroundings {
            traced: self.traced,
            loops,
            grid: self.grid,
            concurrent: self.costs.as_ref().map(|walk| walk.concurrent),
            banks: self.costs.as_ref().map(|walk| walk.banks),
            warp_size: self.warp_size,
            own: self.counter_name(loops.len()),
            part,
        };
        for statement in pending {
            statements.push(match statement {
                Stretched::Compute { of, items } => {
                    Extracted::Compute(ExtractedCompute { items: around.items(&items), ..of })
                }
                Stretched::SourceAccess(access) => {
                    let known = in_flight.iter().find(|(level, _)| Some(*level) == access.level);
                    Extracted::Access(Box::new(access.finish(&around, known.map(|(_, number)| *number))))
                }
                Stretched::Product(product) => Extracted::Matrix(product),
            });
        }
    }
}
