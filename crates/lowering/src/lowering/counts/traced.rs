//! The executions of a kernel's source.

use crate::lowering::counts::{Amount, CountedAt, Counts, Quantity};
use crate::lowering::exact::Exact;
use crate::lowering::traced::{accesses, share, warps as warps_of};
use autotune_base::limits::watch::{Phase, look};
use autotune_kernel::source::TracedKernel;
use autotune_kernel::source::{AccessKind, BlockRun, Fork, SourceAccess, SourceMemory, Step, Trace};

/// The executions of the group that a trace is of. A lockstep GPU makes each element's access by itself.
pub(in crate::lowering) fn of_trace(traced: &TracedKernel, warp_size: u64, is_lockstep: bool) -> Counts {
    let mut walk = Walk { traced, warp_size, is_lockstep, counts: Counts::default() };
    walk.steps(&traced.executed.trace, Exact::ONE);
    walk.counts.local_memory = [traced.local_bytes(1), traced.local_memory()];
    walk.counts
}

struct Walk<'a> {
    traced: &'a TracedKernel,
    warp_size: u64,
    is_lockstep: bool,
    counts: Counts,
}

impl Walk<'_> {
    fn steps(&mut self, trace: &Trace, times: Exact) {
        for step in trace {
            look(Phase::Lowering);
            match step {
                Step::Block(run) => self.run(run, times),
                Step::Loop(run) => {
                    for round in &run.rounds {
                        self.steps(&round.steps, times * Exact::from(round.times));
                    }
                }
                Step::Sides(fork, sides) => {
                    // A lockstep GPU executes all sides of a branch on data.
                    let takes_all = self.is_lockstep && matches!(fork, Fork::Data(_));
                    for side in sides {
                        let part = if takes_all { Exact::ONE } else { share(side.share) };
                        self.steps(&side.steps, times * part);
                    }
                }
            }
        }
    }

    fn run(&mut self, run: &BlockRun, times: Exact) {
        let warps = times * Exact::from(warps_of(&run.items, self.warp_size));
        for (position, price) in self.traced.kernel.prices.block(run.block).iter().enumerate() {
            let of = |count: u64| Amount::without_bytes(warps * Exact::from(count));
            let at = self.at(run, position, String::new());
            self.counts.add(Quantity::Fp32, at.clone(), of(price.fp32));
            self.counts.add(Quantity::Other, at, of(price.all() - price.fp32));
        }
        let warp_size = self.warp_size;
        let of = |access: &SourceAccess| match &access.items {
            _ if access.kind.is_barrier() => times,
            Some(items) => times * Exact::from(warps_of(items, warp_size)),
            None => warps,
        };
        for access in accesses(self.traced, run, false) {
            let executions = of(&access);
            let bytes = executions * Exact::from(access.bytes);
            self.access(run, &access, Amount { executions, bytes, ..Amount::ZERO });
        }
        for access in accesses(self.traced, run, true) {
            self.access(run, &access, Amount { joined: of(&access), ..Amount::ZERO });
        }
        let elements = if self.is_lockstep { self.traced.elements(run) } else { Vec::new() };
        for access in elements {
            self.access(run, &access, Amount { elements: of(&access), ..Amount::ZERO });
        }
    }

    fn access(&mut self, run: &BlockRun, access: &SourceAccess, amount: Amount) {
        for quantity in quantities(access) {
            let at = self.at(run, access.instruction, self.array(access));
            self.counts.add(*quantity, at, amount);
        }
    }

    fn at(&self, run: &BlockRun, position: usize, array: String) -> CountedAt {
        let (file, line) = self.traced.line_near(run.block, position).unzip();
        CountedAt { file, line: line.unwrap_or(0), array }
    }

    /// The name of the array as the source has it.
    fn array(&self, access: &SourceAccess) -> String {
        let region = access.region.map(|region| &self.traced.executed.regions[region.0 as usize]);
        region.map_or_else(String::new, |region| self.traced.array_name(region))
    }
}

/// The quantities that an access counts for.
fn quantities(access: &SourceAccess) -> &'static [Quantity] {
    match (access.kind, access.memory) {
        (AccessKind::Barrier | AccessKind::GridBarrier, _) => &[Quantity::Barriers],
        (AccessKind::Product { .. } | AccessKind::WarpGroupProduct { .. }, _) => &[Quantity::Other],
        (AccessKind::Commit(_) | AccessKind::Wait(..), _) => &[],
        (AccessKind::Shuffle, _) | (_, SourceMemory::Local) => &[Quantity::Local],
        (_, SourceMemory::Constant) => &[],
        (AccessKind::Load | AccessKind::Copy | AccessKind::LoadTile, _) => &[Quantity::Loads],
        (AccessKind::Store | AccessKind::StoreTile | AccessKind::Atomic, _) => &[Quantity::Stores],
    }
}
