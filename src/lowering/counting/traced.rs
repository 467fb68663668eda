//! The executions of a kernel's source.

use crate::lowering::counts::{Amount, CountedAt, Counts, Quantity};
use crate::lowering::exact::Exact;
use crate::lowering::traced::{share, warps};
use crate::source::TracedKernel;
use crate::source::{AccessKind, BlockRun, SourceAccess, SourceMemory, Step, Trace};

/// The executions of the group that a trace is of.
pub(in crate::lowering) fn of_trace(traced: &TracedKernel, warp_size: u64) -> Counts {
    let mut walk = Walk { traced, warp_size, counts: Counts::default() };
    walk.steps(&traced.executed.trace, Exact::ONE);
    walk.counts.local_memory = [traced.local_bytes(1), traced.local_memory()];
    walk.counts
}

struct Walk<'a> {
    traced: &'a TracedKernel,
    warp_size: u64,
    counts: Counts,
}

impl Walk<'_> {
    fn steps(&mut self, trace: &Trace, times: Exact) {
        for step in trace {
            match step {
                Step::Block(run) => self.run(run, times),
                Step::Loop(run) => {
                    for round in &run.rounds {
                        self.steps(&round.steps, times * Exact::from(round.times));
                    }
                }
                Step::Sides(_, sides) => {
                    for side in sides {
                        self.steps(&side.steps, times * share(side.share));
                    }
                }
            }
        }
    }

    fn run(&mut self, run: &BlockRun, times: Exact) {
        let warps = times * Exact::from(warps(&run.items, self.warp_size));
        for (position, price) in self.traced.kernel.prices.block(run.block).iter().enumerate() {
            let of = |count: u64| Amount::of(warps * Exact::from(count));
            let at = self.at(run, position, String::new());
            self.counts.add(Quantity::Fp32, at.clone(), of(price.fp32));
            self.counts.add(Quantity::Other, at, of(price.all() - price.fp32));
        }
        for (joins, accesses) in [(false, self.traced.accesses(run, false)), (true, self.traced.accesses(run, true))] {
            for access in accesses {
                let executions = if access.kind == AccessKind::Barrier { times } else { warps };
                self.access(run, &access, executions, joins);
            }
        }
    }

    /// Adds an access to what is executed or, with `joins`, to what is executed once neighbours are one access.
    fn access(&mut self, run: &BlockRun, access: &SourceAccess, executions: Exact, joins: bool) {
        let amount = if joins {
            Amount { executions: Exact::ZERO, joined: executions, bytes: Exact::ZERO }
        } else {
            let bytes = executions * Exact::from(access.bytes);
            Amount { executions, joined: Exact::ZERO, bytes }
        };
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
        (AccessKind::Barrier, _) => &[Quantity::Barriers],
        (AccessKind::Shuffle, _) | (_, SourceMemory::Local) => &[Quantity::Local],
        (_, SourceMemory::Constant) => &[],
        (AccessKind::Load, _) => &[Quantity::Loads],
        (AccessKind::Store | AccessKind::Atomic, _) => &[Quantity::Stores],
    }
}
