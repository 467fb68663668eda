//! The trace whose statements are extracted, and the statements of a stretch of it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::around::{LoopAround, Surroundings};
use super::extracted::{Extracted, ExtractedCompute, Iterations};
use super::stretch::{Stretch, Stretched};
use crate::lowering::exact::Exact;
use crate::lowering::traced::executions::warps;
use crate::lowering::traced::walk::TraceWalk;
use crate::spec::OperationKind;
use autotune_kernel::source::{BlockId, Mask, TracedKernel};

/// The walk over a trace.
pub(in crate::lowering) struct Extraction<'a> {
    pub(in crate::lowering) traced: &'a TracedKernel,
    /// The costs of the accesses; `None` on a lockstep GPU, where only counts have one.
    pub(in crate::lowering) costs: Option<TraceWalk<'a>>,
    pub(in crate::lowering) iterations: Iterations,
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
        let free = |walk: &TraceWalk<'_>| walk.most_registers.saturating_sub(walk.registers).max(1);
        let trips = self.costs.as_ref().map(|walk| stretch.trips(free(walk))).unwrap_or_default();
        let pending = std::mem::take(&mut stretch.statements);
        let around = Surroundings {
            traced: self.traced,
            loops,
            grid: self.grid,
            concurrent: self.costs.as_ref().map(|walk| walk.concurrent),
            banks: self.costs.as_ref().map(|walk| walk.banks),
            line: self.costs.as_ref().map_or(0, |walk| walk.gpu.l1_pass_bytes),
            l1_keeps_loads: self.costs.as_ref().is_some_and(|walk| walk.gpu.l1_keeps_global_loads),
            warp_size: self.warp_size,
            own: self.counter_name(loops.len()),
            part,
        };
        for (number, statement) in pending.into_iter().enumerate() {
            statements.push(match statement {
                Stretched::Compute { of, items } => {
                    Extracted::Compute(ExtractedCompute { items: around.items(&items), ..of })
                }
                Stretched::SourceAccess(access) => {
                    Extracted::Access(Box::new(access.finish(&around, trips.get(&number).copied())))
                }
                Stretched::Product(product) => Extracted::Matrix(product),
            });
        }
    }
}
