//! The statements of a body between barriers and loops, whose order does not matter: what a trace's pieces cost, they say.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::alike::Alike;
use super::alike_pieces::{accesses, alike_pieces, apart, have_barrier};
use super::around::LoopAround;
use super::extracted::{Extracted, ExtractedLoop, Iterations, SourceLines};
use super::extraction::Extraction;
use super::left_out::without_barriers;
use super::means::MeanCosts;
use super::pending::Pending;
use super::stretch::Stretch;
use crate::lowering::exact::Exact;
use crate::lowering::traced::executions::share;
use crate::lowering::traced::pieces::{Made, Piece, Prepared, Round, Run, are_innermost, whole_iterations};
use crate::lowering::traced::prepare;
use crate::lowering::traced::walk::TraceWalk;
use autotune_base::limits::watch::{Phase, look};
use autotune_kernel::source::{AccessKind, BlockId, Fork};

/// The walk over the pieces of a trace.
pub(super) struct InPhases<'e, 'a> {
    extraction: &'e Extraction<'a>,
    loops: Vec<LoopAround>,
    means: MeanCosts,
    /// The blocks that use what they load.
    waiting: BTreeMap<BlockId, bool>,
}

/// The statements of the body.
pub(super) fn body(extraction: &Extraction<'_>, walk: &TraceWalk<'_>) -> Vec<Extracted> {
    let pieces = prepare::prepared(walk);
    let (loops, means, waiting) = (Vec::new(), MeanCosts::default(), BTreeMap::new());
    InPhases { extraction, loops, means, waiting }.pieces(&pieces, Exact::ONE, 1)
}

impl InPhases<'_, '_> {
    /// The statements of pieces in a loop of that many iterations, whose executed share is `part`.
    fn pieces(&mut self, pieces: &[Piece], part: Exact, iterations: u64) -> Vec<Extracted> {
        let mut statements = Vec::new();
        let mut stretch = Stretch::new(if are_innermost(pieces) { iterations } else { 1 });
        for piece in pieces {
            look(Phase::Lowering);
            if let Piece::Run(run) = piece {
                self.run(run, part, &mut stretch, &mut statements);
                continue;
            }
            self.end(&mut stretch, part, &mut statements);
            match piece {
                Piece::Run(_) => {}
                Piece::Loop(rounds) => {
                    let iterations = whole_iterations(rounds);
                    let keeps_apart = self.extraction.iterations == Iterations::Apart && have_barrier(rounds);
                    let shape = &self.extraction.traced.shape;
                    let alike = if keeps_apart { apart(rounds) } else { alike_pieces(rounds, shape) };
                    for alike in alike {
                        self.repeated(&alike, part, iterations, &mut statements);
                    }
                }
                Piece::Sides(Fork::Groups, sides) => {
                    for (taken, side) in sides {
                        let mut body = self.pieces(side, part * share(*taken), iterations);
                        if *taken < 0.5 {
                            without_barriers(&mut body);
                        }
                        statements.extend(body);
                    }
                }
                Piece::Sides(Fork::Data(_), sides) => {
                    let each = sides.iter().map(|(taken, side)| self.pieces(side, part * share(*taken), iterations));
                    let mut bodies: Vec<_> = each.collect();
                    bodies.retain(|body| !body.is_empty());
                    if !bodies.is_empty() {
                        statements.push(Extracted::Sides(bodies));
                    }
                }
            }
        }
        self.end(&mut stretch, part, &mut statements);
        statements
    }

    fn end(&self, stretch: &mut Stretch, part: Exact, statements: &mut Vec<Extracted>) {
        self.extraction.end(stretch, &self.loops, part, statements);
    }

    /// Adds iterations that are alike.
    fn repeated(&mut self, alike: &Alike<'_, Round>, part: Exact, iterations: u64, statements: &mut Vec<Extracted>) {
        let round = alike.round;
        let of_each = alike.all.iter().map(|round| (round.times, accesses(&round.pieces)));
        let of_each: Vec<(u64, Vec<&Prepared>)> = of_each.collect();
        self.means.average(&accesses(&round.pieces), &of_each);
        if alike.times == 1 {
            statements.extend(self.pieces(&round.pieces, part, iterations));
            return;
        }
        let lines: SourceLines = self.condition(&round.pieces).into_iter().collect();
        let var = self.extraction.counter_name(self.loops.len());
        let first = -alike.before.cast_signed();
        self.loops.push(LoopAround { counter: round.counter, times: alike.times, first, var: var.clone() });
        let body = self.pieces(&round.pieces, part, iterations);
        self.loops.pop();
        if !body.is_empty() {
            let var = round.counter.map(|_| var);
            statements.push(Extracted::Loop(ExtractedLoop { count: alike.times, var, body, lines }));
        }
    }

    /// The line at the end of an iteration: of the condition for another one.
    fn condition(&self, pieces: &[Piece]) -> Option<(Arc<str>, u32)> {
        let traced = self.extraction.traced;
        match pieces.last()? {
            Piece::Run(run) => traced.line_near(run.block, usize::MAX),
            Piece::Loop(rounds) => self.condition(&rounds.last()?.pieces),
            Piece::Sides(Fork::Data(block), _) => traced.line_near(*block, usize::MAX),
            Piece::Sides(Fork::Groups, sides) => self.condition(&sides.first()?.1),
        }
    }

    /// Adds an execution of a block.
    fn run(&mut self, run: &Run, part: Exact, stretch: &mut Stretch, statements: &mut Vec<Extracted>) {
        let traced = self.extraction.traced;
        self.extraction.compute((run.block, &run.items), run.instructions.clone(), part, stretch);
        for made in &run.made {
            match made {
                // They stand in traces that keep their order.
                Made::Mark { .. } => {}
                Made::Barrier { instruction, is_of_grid, .. } => {
                    self.end(stretch, part, statements);
                    let line = traced.line_near(run.block, *instruction);
                    let lines = line.into_iter().collect();
                    statements.push(Extracted::Barrier { lines, is_of_grid: *is_of_grid });
                }
                Made::Access(prepared) => self.access(prepared, run, stretch),
            }
        }
        if *self.waiting.entry(run.block).or_insert_with(|| traced.uses_its_loads(run.block)) {
            stretch.waits.end_block();
        }
    }

    /// Adds an access to those of the stretch.
    fn access(&self, prepared: &Prepared, run: &Run, stretch: &mut Stretch) {
        let (traced, access) = (self.extraction.traced, &prepared.access);
        let items = access.items.as_ref().unwrap_or(&run.items);
        let line = traced.line_near(run.block, access.instruction);
        // A warp waits for an atomic operation that returns something; a body has no word for it.
        let waited = prepared.waited.filter(|_| access.kind == AccessKind::Load);
        let level = waited.map(|waited| waited.level);
        let pending = Pending::new(access, items, &traced.shape, line, Some(self.means.of(prepared)), level);
        stretch.waits.access(traced, run.block, access, waited);
        stretch.access(pending, waited.is_some());
    }
}
