//! The statements of a body whose order matters: copies, waits and matrix instructions, and what stands between them.

use std::sync::Arc;

use super::alike::{AlikeLoops, alike_loops};
use super::apart::{ends_with, extend_apart};
use super::around::LoopAround;
use super::extracted::{Extracted, ExtractedLoop, ExtractedProduct, ExtractedWait, SourceLines};
use super::extraction::Extraction;
use super::left_out::without_barriers;
use super::means::MeanCosts;
use super::pending::Pending;
use super::starts::Starts;
use super::stretch::Stretch;
use crate::lowering::exact::Exact;
use crate::lowering::phases::run::RunKind;
use crate::lowering::traced::executions::share;
use crate::lowering::traced::ordered;
use crate::lowering::traced::pieces::Prepared;
use crate::lowering::traced::prepare;
use crate::lowering::traced::queues::queue_name;
use crate::lowering::traced::sequence::{Accessed, Ordered, OrderedRun};
use crate::lowering::traced::walk::TraceWalk;
use autotune_kernel::source::{AccessKind, Fork};

/// The walk over a trace whose statements keep their order.
pub(super) struct InOrder<'e, 'a> {
    extraction: &'e Extraction<'a>,
    starts: Starts,
    loops: Vec<LoopAround>,
    means: MeanCosts,
}

/// The statements of the body.
pub(super) fn body(extraction: &Extraction<'_>, walk: &TraceWalk<'_>) -> Vec<Extracted> {
    let pieces = prepare::prepared(walk);
    let sequence = ordered::sequence(extraction.traced, &pieces);
    let (starts, loops, means) = (Starts::default(), Vec::new(), MeanCosts::default());
    InOrder { extraction, starts, loops, means }.sequence(&sequence, Exact::ONE)
}

impl InOrder<'_, '_> {
    /// The statements of a sequence whose executed share is `part`.
    fn sequence(&mut self, sequence: &[Ordered<'_>], part: Exact) -> Vec<Extracted> {
        let mut statements = Vec::new();
        let mut rest = sequence;
        while let Some((first, others)) = rest.split_first() {
            rest = others;
            match first {
                Ordered::Loop(round, body) => {
                    let alike = alike_loops((round, body), others, &self.extraction.traced.shape);
                    rest = &others[alike.all.len() - 1..];
                    self.average(&alike);
                    self.repeated(&alike, part, &mut statements);
                }
                Ordered::Run(run) => self.run(run, part, &mut statements),
                Ordered::Barrier { at: (block, instruction), is_of_grid, .. } => {
                    let line = self.extraction.traced.line_near(*block, *instruction);
                    let lines = line.into_iter().collect();
                    statements.push(Extracted::Barrier { lines, is_of_grid: *is_of_grid });
                }
                Ordered::Sides(Fork::Groups, sides) => {
                    for (taken, side) in sides {
                        let mut body = self.sequence(side, part * share(*taken));
                        if *taken < 0.5 {
                            without_barriers(&mut body);
                        }
                        extend_apart(&mut statements, body);
                    }
                }
                Ordered::Sides(Fork::Data(_), sides) => {
                    let mut bodies: Vec<_> =
                        sides.iter().map(|(taken, side)| self.sequence(side, part * share(*taken))).collect();
                    bodies.retain(|body| !body.is_empty());
                    if !bodies.is_empty() {
                        statements.push(Extracted::Sides(bodies));
                    }
                }
            }
        }
        statements
    }

    /// Notes the mean costs of accesses in loops that are alike: the addresses of some may lie otherwise.
    fn average(&mut self, alike: &AlikeLoops<'_, '_>) {
        let of_each = alike.all.iter().map(|(times, body)| (*times, accesses(body)));
        self.means.average(&accesses(alike.body), &of_each.collect::<Vec<_>>());
    }

    /// Adds the iterations of a loop: those whose waits count other starts than the next one's stand before the others.
    fn repeated(&mut self, alike: &AlikeLoops<'_, '_>, part: Exact, statements: &mut Vec<Extracted>) {
        let body = alike.body;
        let lines: SourceLines = self.condition(body).into_iter().collect();
        let mut around = LoopAround {
            counter: alike.round.counter,
            times: alike.times,
            first: -alike.before.cast_signed(),
            var: self.extraction.counter_name(self.loops.len()),
        };
        while around.times > 1 {
            let before = self.starts.clone();
            let iteration = self.iteration(body, around.clone(), part);
            if self.starts == before {
                if !iteration.is_empty() {
                    let var = around.counter.map(|_| around.var);
                    let repeated = ExtractedLoop { count: around.times, var, body: iteration, lines };
                    statements.push(Extracted::Loop(repeated));
                }
                return;
            }
            self.starts = before;
            let alone = self.iteration(body, LoopAround { times: 1, ..around.clone() }, part);
            extend_apart(statements, alone);
            (around.times, around.first) = (around.times - 1, around.first + 1);
        }
        extend_apart(statements, self.iteration(body, around, part));
    }

    fn iteration(&mut self, body: &[Ordered<'_>], around: LoopAround, part: Exact) -> Vec<Extracted> {
        // What is executed once has no counter.
        let is_loop = around.times > 1 || around.counter.is_some();
        self.loops.extend(is_loop.then_some(around));
        let statements = self.sequence(body, part);
        if is_loop {
            self.loops.pop();
        }
        statements
    }

    /// The line at the end of an iteration: of the condition for another one.
    fn condition(&self, body: &[Ordered<'_>]) -> Option<(Arc<str>, u32)> {
        match body.last()? {
            Ordered::Run(OrderedRun { at, .. }) | Ordered::Barrier { at, .. } => {
                self.extraction.traced.line_near(at.0, usize::MAX)
            }
            Ordered::Loop(_, body) => self.condition(body),
            Ordered::Sides(_, sides) => self.condition(&sides.first()?.1),
        }
    }

    /// Adds neighbouring statements of one kind. What is computed among them is issued before them.
    fn run(&mut self, run: &OrderedRun<'_>, part: Exact, statements: &mut Vec<Extracted>) {
        if let RunKind::Wait { queue, pending } = run.kind {
            let lines = self.extraction.traced.line_near(run.at.0, run.at.1).into_iter().collect();
            let (queue, pending) = (queue_name(queue), self.starts.pending(queue, pending));
            statements.push(Extracted::Wait(ExtractedWait { queue, pending, lines }));
            return;
        }
        let [computed, accessed] = self.statements(run, part);
        let is_start = accessed.iter().any(|statement| statement.queue().is_some());
        let goes_on = run.joins && is_start && ends_with(statements, &accessed);
        if goes_on {
            statements.extend(accessed);
            statements.extend(computed);
        } else {
            let is_apart = computed.is_empty();
            statements.extend(computed);
            if is_apart { extend_apart(statements, accessed) } else { statements.extend(accessed) }
        }
        let Some(queue) = run.kind.queue() else { return };
        if run.joins {
            self.starts.extend(queue, u64::from(is_start && !goes_on));
        } else {
            self.starts.add(queue, u64::from(is_start));
        }
    }

    /// The statements of neighbours: those that compute, and the others.
    fn statements(&self, run: &OrderedRun<'_>, part: Exact) -> [Vec<Extracted>; 2] {
        let extraction = self.extraction;
        let mut computed = Stretch::new(1);
        let mut accessed = Stretch::new(1);
        for issued in &run.issued {
            for of in &issued.computed {
                extraction.compute((of.by.block, &of.by.items), of.instructions.clone(), part, &mut computed);
            }
            if let Some(access) = &issued.access {
                self.access(access, run.kind, part, &mut accessed);
            }
        }
        [computed, accessed].map(|mut stretch| {
            let mut statements = Vec::new();
            extraction.end(&mut stretch, &self.loops, part, &mut statements);
            statements
        })
    }

    /// Adds an access to its neighbours.
    fn access(&self, accessed: &Accessed<'_>, kind: RunKind, part: Exact, stretch: &mut Stretch) {
        let Accessed { of, by, .. } = accessed;
        let traced = self.extraction.traced;
        let line = traced.line_near(by.block, of.access.instruction);
        if let Some(product) = of.access.kind.product() {
            let per_warp = part * self.extraction.share_of_warps(&by.items);
            let lines = line.into_iter().collect();
            stretch.product(ExtractedProduct::new(product, of.access.kind, per_warp, lines));
            return;
        }
        let items = of.access.items.as_ref().unwrap_or(&by.items);
        let pending = Pending::new(&of.access, items, &traced.shape, line, Some(self.means.of(of)), None);
        // A warp waits for an atomic operation that returns something; a body has no word for it.
        let queue = kind.queue().filter(|_| of.access.kind != AccessKind::Atomic).map(queue_name);
        stretch.access(pending.started_in(queue), false);
    }
}

/// The accesses of a sequence in order, a loop's once.
fn accesses<'p>(sequence: &[Ordered<'p>]) -> Vec<&'p Prepared> {
    let of_part = |part: &Ordered<'p>| match part {
        Ordered::Run(run) => run.issued.iter().filter_map(|issued| Some(issued.access.as_ref()?.of)).collect(),
        Ordered::Barrier { .. } => Vec::new(),
        Ordered::Loop(_, body) => accesses(body),
        Ordered::Sides(_, sides) => sides.iter().flat_map(|(_, side)| accesses(side)).collect(),
    };
    sequence.iter().flat_map(of_part).collect()
}
