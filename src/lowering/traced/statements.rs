//! The statements of a body that say what a group executed.

mod alike;
pub(in crate::lowering) mod extracted;
mod pending;

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use super::access::Accessing;
use super::executions::{Repeated, share, warps};
use super::waits::Waits;
use super::walk::TraceWalk;
use crate::lowering::exact::Exact;
use crate::source::{
    AccessKind, BlockId, BlockRun, Fork, LoopRun, Mask, SourceAccess, SourceMemory, Step, Trace, TracedKernel,
};
use crate::spec::OperationKind;
use crate::text::Place;
use alike::alike_rounds;
use extracted::{Extracted, ExtractedCompute, ExtractedLoop, SourceLines};
use pending::{LoopAround, Pending, Surroundings};

/// The walk over a trace.
pub(in crate::lowering) struct Extraction<'a> {
    pub(in crate::lowering) traced: &'a TracedKernel,
    /// The costs of the accesses; `None` on a lockstep GPU, where only counts have one.
    pub(in crate::lowering) costs: Option<TraceWalk<'a>>,
    /// The part of L2's bytes that DRAM moves for each access, by block and position of its instruction.
    pub(in crate::lowering) dram_parts: HashMap<(BlockId, usize), Exact>,
    pub(in crate::lowering) warp_size: u64,
    /// Groups of the launch along x, y and z.
    pub(in crate::lowering) grid: [u64; 3],
    /// Names that counters must not have.
    pub(in crate::lowering) taken: BTreeSet<String>,
}

/// Statements between two barriers or loops.
struct Stretch {
    statements: Vec<Stretched>,
    waits: Waits,
    levels: BTreeSet<u32>,
}

enum Stretched {
    Compute { of: ExtractedCompute, items: Arc<Mask> },
    SourceAccess(Box<Pending>),
}

impl Extraction<'_> {
    /// The statements of the body.
    pub(in crate::lowering) fn body(&self) -> Vec<Extracted> {
        self.steps(&self.traced.executed.trace, &mut Vec::new(), Exact::ONE)
    }

    /// The statements of steps whose executed share is `part`.
    fn steps(&self, trace: &Trace, loops: &mut Vec<LoopAround>, part: Exact) -> Vec<Extracted> {
        let mut statements = Vec::new();
        let times = loops.iter().rev().find(|around| around.counter.is_some()).map_or(1, |around| around.times);
        let mut stretch = Stretch { statements: Vec::new(), waits: Waits::new(times), levels: BTreeSet::new() };
        for step in trace {
            match step {
                Step::Block(run) => self.run(run, loops, part, &mut stretch, &mut statements),
                Step::Loop(run) => {
                    self.end(&mut stretch, loops, part, &mut statements);
                    statements.extend(self.repeated(run, loops, part));
                }
                Step::Sides(Fork::Groups, sides) => {
                    self.end(&mut stretch, loops, part, &mut statements);
                    for side in sides {
                        let mut body = self.steps(&side.steps, loops, part * share(side.share));
                        if side.share < 0.5 {
                            without_barriers(&mut body);
                        }
                        statements.extend(body);
                    }
                }
                Step::Sides(Fork::Data(_), sides) => {
                    self.end(&mut stretch, loops, part, &mut statements);
                    let mut bodies = sides
                        .iter()
                        .map(|side| {
                            // A lockstep GPU executes all sides.
                            let side_part = if self.costs.is_none() { Exact::ONE } else { share(side.share) };
                            self.steps(&side.steps, loops, part * side_part)
                        })
                        .collect::<Vec<_>>();
                    bodies.retain(|body| !body.is_empty());
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
            loops.push(LoopAround { counter, times: alike.times, before: alike.before, var: var.clone() });
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

    /// A name for the counter of a loop at a depth.
    pub(super) fn counter_name(&self, depth: usize) -> String {
        let plain = ["i", "j", "k"].get(depth).map_or_else(|| format!("i{depth}"), |name| (*name).to_owned());
        let mut name = plain.clone();
        while self.taken.contains(&name) {
            name = format!("{name}_{plain}");
        }
        name
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
        self.compute(run, parts.next().unwrap_or_default(), part, stretch);
        let is_lockstep = self.costs.is_none();
        let accesses = if is_lockstep { self.traced.elements(run) } else { self.traced.accesses(run, true) };
        for access in accesses {
            match (access.kind, access.memory) {
                (AccessKind::Barrier, _) => {
                    self.end(stretch, loops, part, statements);
                    let line = self.traced.line_near(run.block, access.instruction);
                    statements.push(Extracted::Barrier(line.into_iter().collect()));
                    self.compute(run, parts.next().unwrap_or_default(), part, stretch);
                }
                (kind, SourceMemory::Constant) if kind != AccessKind::Shuffle => {}
                _ => self.access(run, &access, loops, stretch),
            }
        }
    }

    /// Adds the operations of a block's instructions.
    fn compute(&self, run: &BlockRun, instructions: Range<usize>, part: Exact, stretch: &mut Stretch) {
        let prices = self.traced.kernel.prices.block(run.block);
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
            let lines =
                counted.iter().filter_map(|(position, _)| self.traced.line_near(run.block, *position)).collect();
            let per_item = part * Exact::from(sum);
            stretch.compute(kind, per_item, lines, &run.items);
        }
    }

    /// Adds an access to those of the stretch.
    fn access(&self, run: &BlockRun, access: &SourceAccess, loops: &[LoopAround], stretch: &mut Stretch) {
        let repeated: Vec<Repeated> = loops
            .iter()
            .filter_map(|around| Some(Repeated { counter: around.counter?, times: around.times }))
            .collect();
        let cost = self.costs.as_ref().map(|walk| {
            let warps = warps(&run.items, self.warp_size);
            let place = Place::default();
            Accessing { walk, access, items: &run.items, warps, loops: &repeated, place, block: run.block }.work()
        });
        let (mut work, waited) = cost.unwrap_or_default();
        let mut waited = waited.filter(|_| access.kind == AccessKind::Load);
        if let (Some(work), Some(part)) = (&mut work, self.dram_parts.get(&(run.block, access.instruction))) {
            work.dram_bytes = work.l2_bytes * *part;
            if let Some(waited) = &mut waited {
                waited.bytes[2] = work.dram_bytes;
            }
        }
        if let Some(waited) = waited {
            stretch.levels.insert(waited.level);
            stretch.waits.extend(Some(waited));
        }
        let line = self.traced.line_near(run.block, access.instruction);
        let pending = Pending::new(access, &run.items, &self.traced.shape, line, work, waited);
        for statement in &mut stretch.statements {
            if let Stretched::SourceAccess(known) = statement
                && known.takes(&pending)
            {
                return;
            }
        }
        stretch.statements.push(Stretched::SourceAccess(Box::new(pending)));
    }

    /// Ends a stretch.
    fn end(&self, stretch: &mut Stretch, loops: &[LoopAround], part: Exact, statements: &mut Vec<Extracted>) {
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
            });
        }
    }
}

/// Leaves out the barriers of statements that fewer than half of the groups execute.
fn without_barriers(statements: &mut Vec<Extracted>) {
    statements.retain(|statement| !matches!(statement, Extracted::Barrier(_)));
    for statement in statements {
        match statement {
            Extracted::Loop(repeated) => without_barriers(&mut repeated.body),
            Extracted::Sides(sides) => sides.iter_mut().for_each(without_barriers),
            Extracted::Access(_) | Extracted::Compute(_) | Extracted::Barrier(_) => {}
        }
    }
}

impl Stretch {
    /// Adds operations to those of the same kind by the same work items.
    fn compute(&mut self, kind: OperationKind, per_item: Exact, lines: SourceLines, by: &Arc<Mask>) {
        for statement in &mut self.statements {
            if let Stretched::Compute { of, items } = statement
                && of.kind == kind
                && items == by
            {
                of.per_item += per_item;
                of.lines.extend(lines);
                return;
            }
        }
        let of = ExtractedCompute { kind, per_item, items: None, lines };
        self.statements.push(Stretched::Compute { of, items: Arc::clone(by) });
    }
}
