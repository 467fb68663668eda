//! The statements of a body that say what a group executed.

mod alike;
mod alike_pieces;
mod apart;
mod around;
mod costs;
pub(in crate::lowering) mod extracted;
mod extraction;
mod in_order;
mod in_phases;
mod left_out;
mod means;
mod pending;
mod starts;
mod stretch;

use std::sync::Arc;

use super::executions::share;
use super::ordered::keeps_order;
use super::queues::{queue_name, queue_of};
use crate::lowering::exact::Exact;
use alike::alike_rounds;
use around::LoopAround;
use autotune_kernel::source::{
    AccessKind, Asynchronous, BlockRun, Fork, LoopRun, SourceAccess, SourceMemory, Step, Trace,
};
use autotune_machine::machine::MOST_PENDING;
use extracted::{Extracted, ExtractedLoop, ExtractedProduct, ExtractedWait};
use left_out::{without_barriers, without_idle_waits};
use pending::Pending;
use stretch::Stretch;

pub(in crate::lowering) use extraction::Extraction;

impl Extraction<'_> {
    /// The statements of the body.
    pub(in crate::lowering) fn body(&self) -> Vec<Extracted> {
        let mut body = match &self.costs {
            Some(walk) if keeps_order(self.traced) => in_order::body(self, walk),
            Some(walk) => in_phases::body(self, walk),
            None => self.steps(&self.traced.executed.trace, &mut Vec::new(), Exact::ONE),
        };
        without_idle_waits(&mut body);
        body
    }

    /// The statements of steps on a lockstep GPU, which executes all sides of a branch.
    fn steps(&self, trace: &Trace, loops: &mut Vec<LoopAround>, part: Exact) -> Vec<Extracted> {
        let mut statements = Vec::new();
        let mut stretch = Stretch::new(1);
        for step in trace {
            if !matches!(step, Step::Block(_)) {
                self.end(&mut stretch, loops, part, &mut statements);
            }
            match step {
                Step::Block(run) => self.run(run, loops, part, &mut stretch, &mut statements),
                Step::Loop(run) => statements.extend(self.repeated(run, loops, part)),
                Step::Sides(Fork::Groups, sides) => {
                    for side in sides {
                        let mut body = self.steps(&side.steps, loops, part * share(side.share));
                        if side.share < 0.5 {
                            without_barriers(&mut body);
                        }
                        statements.extend(body);
                    }
                }
                Step::Sides(Fork::Data(_), sides) => {
                    let bodies = sides.iter().map(|side| self.steps(&side.steps, loops, part));
                    let bodies: Vec<_> = bodies.filter(|body| !body.is_empty()).collect();
                    if !bodies.is_empty() {
                        statements.push(Extracted::Sides(bodies));
                    }
                }
            }
        }
        self.end(&mut stretch, loops, part, &mut statements);
        statements
    }

    fn repeated(&self, run: &LoopRun, loops: &mut Vec<LoopAround>, part: Exact) -> Vec<Extracted> {
        let mut statements = Vec::new();
        for alike in alike_rounds(&run.rounds, &self.traced.shape) {
            let lines = self.condition(&alike.round.steps).into_iter().collect();
            if alike.times == 1 {
                statements.extend(self.steps(&alike.round.steps, loops, part));
                continue;
            }
            let var = self.counter_name(loops.len());
            let counter = alike.round.counter;
            let first = -alike.before.cast_signed();
            loops.push(LoopAround { counter, times: alike.times, first, var: var.clone() });
            let body = self.steps(&alike.round.steps, loops, part);
            loops.pop();
            if !body.is_empty() {
                let var = counter.map(|_| var);
                statements.push(Extracted::Loop(ExtractedLoop { count: alike.times, var, body, lines }));
            }
        }
        statements
    }

    /// The line at the end of an iteration: of the condition for another one.
    fn condition(&self, trace: &Trace) -> Option<(Arc<str>, u32)> {
        match trace.last()? {
            Step::Block(run) => self.traced.line_near(run.block, usize::MAX),
            Step::Loop(run) => self.condition(&run.rounds.last()?.steps),
            Step::Sides(Fork::Data(block), _) => self.traced.line_near(*block, usize::MAX),
            Step::Sides(Fork::Groups, sides) => self.condition(&sides.first()?.steps),
        }
    }

    fn run(
        &self,
        run: &BlockRun,
        loops: &[LoopAround],
        part: Exact,
        stretch: &mut Stretch,
        statements: &mut Vec<Extracted>,
    ) {
        let mut parts = self.traced.parts(run).into_iter();
        let by = (run.block, &run.items);
        self.compute(by, parts.next().unwrap_or_default(), part, stretch);
        for access in self.traced.elements(run) {
            let line = || self.traced.line_near(run.block, access.instruction).into_iter().collect();
            if let Some(product) = access.kind.product() {
                let per_warp = part * self.share_of_warps(&run.items);
                stretch.product(ExtractedProduct::new(product, access.kind, per_warp, line()));
                continue;
            }
            match (access.kind, access.memory) {
                (AccessKind::Barrier | AccessKind::GridBarrier, _) => {
                    self.end(stretch, loops, part, statements);
                    let is_of_grid = access.kind == AccessKind::GridBarrier;
                    statements.push(Extracted::Barrier { lines: line(), is_of_grid });
                    self.compute(by, parts.next().unwrap_or_default(), part, stretch);
                }
                // A wait costs nothing on a lockstep GPU.
                (AccessKind::Commit(_), _) => self.end(stretch, loops, part, statements),
                (AccessKind::Wait(what, pending), _) => {
                    self.end(stretch, loops, part, statements);
                    let pending = u64::from(pending).min(MOST_PENDING);
                    let wait = ExtractedWait { queue: queue_name(queue_of(what)), pending, lines: line() };
                    statements.push(Extracted::Wait(wait));
                }
                (kind, SourceMemory::Constant) if kind != AccessKind::Shuffle => {}
                _ => self.access(run, &access, stretch),
            }
        }
    }

    /// Adds an access to those of the stretch.
    fn access(&self, run: &BlockRun, access: &SourceAccess, stretch: &mut Stretch) {
        let items = access.items.as_ref().unwrap_or(&run.items);
        let line = self.traced.line_near(run.block, access.instruction);
        let pending = Pending::new(access, items, &self.traced.shape, line, None, None);
        let started = match access.kind {
            AccessKind::Copy => Some(Asynchronous::Copies),
            AccessKind::LoadTile => Some(Asynchronous::Tiles),
            _ => None,
        };
        let queue = started.map(|what| queue_name(queue_of(what)));
        stretch.access(pending.started_in(queue), false);
    }
}
