//! A trace on the abstract processor of the model-checking paper: between barriers, a warp takes as long as the one
//! that costs most.

use std::ops::Range;

use num_traits::ToPrimitive;

use super::executed::{self, ExecutedPart, GlobalAccess};
use super::products::MACS_PER_TICK;
use crate::gpu::Lockstep;
use crate::lowering::Origin;
use crate::lowering::exact::Exact;
use crate::lowering::traced::share;
use crate::spec::MATRIX;
use autotune_base::limits::watch::{Phase, look};
use autotune_base::text::{Place, SourceLine};
use autotune_kernel::source::{AccessKind, BlockRun, Fork, SourceAccess, SourceMemory, Step, Trace, TracedKernel};
use autotune_machine::machine::{BarrierScope, Server, Statement};

/// A piece of the body.
enum Piece {
    /// The work of each warp.
    Phase(Vec<Ticks>),
    Barrier(Place, BarrierScope),
    Loop(u64, Vec<Piece>),
}

/// The ticks of a warp in a phase.
#[derive(Debug, Clone, Default)]
struct Ticks {
    all: u64,
    /// The ticks of each line; empty unless the lines are wanted.
    lines: Vec<(SourceLine, u64)>,
    /// The same ticks in the order of the text; empty unless this order is wanted.
    parts: Vec<ExecutedPart>,
}

impl Ticks {
    fn add(&mut self, more: &Self) {
        self.all = self.all.saturating_add(more.all);
        for (line, ticks) in &more.lines {
            match self.lines.iter_mut().find(|(known, _)| known == line) {
                Some((_, sum)) => *sum = sum.saturating_add(*ticks),
                None => self.lines.push((*line, *ticks)),
            }
        }
        for part in &more.parts {
            executed::push(&mut self.parts, part.clone());
        }
    }

    fn repeat(&mut self, times: u64) {
        self.all = self.all.saturating_mul(times);
        self.lines.iter_mut().for_each(|(_, ticks)| *ticks = ticks.saturating_mul(times));
        self.parts = executed::repeated(times, std::mem::take(&mut self.parts));
    }
}

/// The statements of a configuration, and what the slowest warp of each phase executes in the order of the text.
pub(in crate::lowering) fn body(
    traced: &TracedKernel,
    gpu: &Lockstep,
    warps: u64,
) -> (Vec<Statement>, Vec<ExecutedPart>) {
    let pieces = Walk::new(traced, gpu, warps, Keep::Order).pieces(&traced.executed.trace);
    let executed = executed_parts(&pieces);
    (statements(pieces), executed)
}

/// The origins of the uses and barriers of a configuration's statements, in the order of the program's text.
pub(in crate::lowering) fn origins(traced: &TracedKernel, gpu: &Lockstep, warps: u64) -> Vec<Origin> {
    let mut origins = Vec::new();
    list(&Walk::new(traced, gpu, warps, Keep::Lines).pieces(&traced.executed.trace), &mut origins);
    origins
}

struct Walk<'a> {
    traced: &'a TracedKernel,
    gpu: &'a Lockstep,
    warps: usize,
    keep: Keep,
}

/// The parts of ticks that are kept beside their sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keep {
    /// The lines that they come from.
    Lines,
    /// Their order in the text.
    Order,
}

impl<'a> Walk<'a> {
    fn new(traced: &'a TracedKernel, gpu: &'a Lockstep, warps: u64, keep: Keep) -> Self {
        Self { traced, gpu, warps: usize::try_from(warps).unwrap_or(1).max(1), keep }
    }
}

impl Walk<'_> {
    fn pieces(&self, trace: &Trace) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for step in trace {
            look(Phase::Lowering);
            match step {
                Step::Block(run) => self.run(run, &mut pieces),
                Step::Loop(run) => {
                    for round in &run.rounds {
                        append(&mut pieces, repeat(round.times, self.pieces(&round.steps)));
                    }
                }
                Step::Sides(fork, sides) => {
                    for side in sides {
                        let work = self.pieces(&side.steps);
                        let is_part = *fork == Fork::Groups;
                        append(&mut pieces, if is_part { part_of(work, share(side.share)) } else { work });
                    }
                }
            }
        }
        pieces
    }

    fn run(&self, run: &BlockRun, pieces: &mut Vec<Piece>) {
        let mut begin = 0;
        for access in &run.accesses {
            let is_barrier = access.kind.is_barrier();
            let end = begin.max(access.instruction + usize::from(is_barrier));
            self.compute(run, std::mem::replace(&mut begin, end)..end, pieces);
            let place = self.traced.place(run.block, access.instruction);
            if is_barrier {
                let is_of_grid = access.kind == AccessKind::GridBarrier;
                let scope = if is_of_grid { BarrierScope::Grid } else { BarrierScope::Group };
                pieces.push(Piece::Barrier(place, scope));
            } else if let Some((shape, _)) = access.kind.product() {
                let ticks = shape.products().div_ceil(MACS_PER_TICK);
                self.add(run, place, operation(MATRIX, ticks), ticks, pieces);
            } else if !access.kind.is_mark() {
                self.access(run, place, access, pieces);
            }
        }
        let end = self.traced.kernel.prices.block(run.block).len();
        self.compute(run, begin..end.max(begin), pieces);
    }

    /// Adds an access to memory.
    fn access(&self, run: &BlockRun, place: Place, access: &SourceAccess, pieces: &mut Vec<Piece>) {
        let elements = access.elements.max(1);
        let is_load = matches!(access.kind, AccessKind::Load | AccessKind::Copy | AccessKind::LoadTile);
        let price = match access.memory {
            SourceMemory::Global if is_load => self.gpu.load_ticks(),
            SourceMemory::Global => self.gpu.store_ticks(),
            SourceMemory::Local => self.gpu.local_memory_ticks,
            SourceMemory::Constant | SourceMemory::Private => 0,
        };
        let ticks = price.saturating_mul(elements);
        let part = if access.memory == SourceMemory::Global {
            let region = access.region.map(|region| &self.traced.executed.regions[region.0 as usize]);
            let name = region.map_or_else(String::new, |region| region.name.to_string());
            if is_load {
                let accesses = vec![GlobalAccess { name, accesses: elements, ticks: price }];
                ExecutedPart::Loads { level: access.level, accesses }
            } else {
                ExecutedPart::Store(GlobalAccess { name, accesses: elements, ticks: price })
            }
        } else {
            operation("local", ticks)
        };
        self.add(run, place, part, ticks, pieces);
    }

    /// Adds the operations of a block's instructions.
    fn compute(&self, run: &BlockRun, instructions: Range<usize>, pieces: &mut Vec<Piece>) {
        let prices = self.traced.kernel.prices.block(run.block);
        let price = |position: usize| prices[position].all().saturating_mul(self.gpu.compute_ticks());
        let each = instructions.map(|position| (position, price(position))).filter(|(_, ticks)| *ticks > 0);
        if self.keep == Keep::Lines {
            for (position, ticks) in each {
                self.add(run, self.traced.place(run.block, position), operation("compute", ticks), ticks, pieces);
            }
        } else {
            let ticks = each.map(|(_, ticks)| ticks).sum();
            self.add(run, Place::default(), operation("compute", ticks), ticks, pieces);
        }
    }

    /// Adds ticks to each warp that takes part.
    fn add(&self, run: &BlockRun, place: Place, part: ExecutedPart, ticks: u64, pieces: &mut Vec<Piece>) {
        let mut ticks = Ticks { all: ticks, ..Ticks::default() };
        match self.keep {
            _ if ticks.all == 0 => {}
            Keep::Lines => ticks.lines.push((place.source_line(), ticks.all)),
            Keep::Order => ticks.parts.push(part),
        }
        let mut phase = vec![Ticks::default(); self.warps];
        let items = self.traced.shape.lanes();
        for lane in run.items.ones() {
            phase[(lane * self.warps / items.max(1)).min(self.warps - 1)].clone_from(&ticks);
        }
        append(pieces, vec![Piece::Phase(phase)]);
    }
}

fn operation(name: &str, ticks: u64) -> ExecutedPart {
    ExecutedPart::Operation { name: name.to_owned(), ticks }
}

/// Pieces that a part of the groups executes, as a part of what each does: ticks and iterations are rounded, and a barrier
/// stays if at least half of the groups meet it.
fn part_of(pieces: Vec<Piece>, part: Exact) -> Vec<Piece> {
    let rounded = |number: u64| (Exact::from(number) * part + Exact::ratio(1, 2)).floor().unwrap_or(number);
    let mut parts = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Phase(mut phase) => {
                for ticks in &mut phase {
                    ticks.all = rounded(ticks.all);
                    ticks.lines.iter_mut().for_each(|(_, ticks)| *ticks = rounded(*ticks));
                    // Rounded down, so that the parts are no more than their sum.
                    let scale = |ticks| (Exact::from(ticks) * part).floor().unwrap_or(ticks);
                    executed::scaled(&mut ticks.parts, &scale);
                }
                append(&mut parts, vec![Piece::Phase(phase)]);
            }
            Piece::Barrier(..) if part < Exact::ratio(1, 2) => {}
            Piece::Barrier(..) => parts.push(piece),
            Piece::Loop(count, body) => match rounded(count) {
                0 => append(&mut parts, part_of(body, Exact::from(count) * part)),
                iterations => append(&mut parts, repeat(iterations, body)),
            },
        }
    }
    parts
}

/// Repeats pieces. A loop without a barrier dissolves into its phase.
fn repeat(times: u64, mut body: Vec<Piece>) -> Vec<Piece> {
    match body.as_mut_slice() {
        [] => body,
        [Piece::Phase(phase)] => {
            for ticks in phase {
                ticks.repeat(times);
            }
            body
        }
        _ if times == 1 => body,
        _ => vec![Piece::Loop(times, body)],
    }
}

fn append(pieces: &mut Vec<Piece>, more: Vec<Piece>) {
    for piece in more {
        match (pieces.last_mut(), piece) {
            (Some(Piece::Phase(phase)), Piece::Phase(more)) => {
                phase.iter_mut().zip(&more).for_each(|(ticks, more)| ticks.add(more));
            }
            (_, piece) => pieces.push(piece),
        }
    }
}

fn statements(pieces: Vec<Piece>) -> Vec<Statement> {
    let statement = |piece| match piece {
        Piece::Phase(phase) => {
            let ticks = phase.into_iter().map(|warp| warp.all).max().unwrap_or(0);
            (ticks > 0).then_some(Statement::Use { server: Server::Dispatcher, occupancy: ticks, latency: ticks })
        }
        Piece::Barrier(_, scope) => Some(Statement::Barrier { cost: 0, scope }),
        Piece::Loop(count, body) => Some(Statement::Loop { count, body: statements(body) }),
    };
    pieces.into_iter().filter_map(statement).collect()
}

/// The statements of each phase by the warp that takes longest.
fn executed_parts(pieces: &[Piece]) -> Vec<ExecutedPart> {
    let mut executed = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Phase(phase) => {
                executed
                    .extend(phase.iter().max_by_key(|warp| warp.all).into_iter().flat_map(|warp| warp.parts.clone()));
            }
            Piece::Barrier(..) => executed.push(ExecutedPart::Barrier),
            Piece::Loop(count, body) => {
                executed.push(ExecutedPart::Loop { count: *count, body: executed_parts(body) });
            }
        }
    }
    executed
}

/// Lists the origins of the uses and barriers that [`statements`] makes of the pieces.
fn list(pieces: &[Piece], origins: &mut Vec<Origin>) {
    for piece in pieces {
        match piece {
            Piece::Phase(phase) => {
                let longest = phase.iter().max_by_key(|warp| warp.all).filter(|warp| warp.all > 0);
                origins.extend(longest.map(|warp| {
                    let all = warp.all.to_f64().unwrap_or(f64::MAX);
                    let share =
                        |(line, ticks): &(SourceLine, u64)| (Some(*line), ticks.to_f64().unwrap_or_default() / all);
                    Origin { occupancy: warp.lines.iter().map(share).collect(), ..Origin::default() }
                }));
            }
            Piece::Barrier(place, _) => origins.push(Origin::of_place(*place)),
            Piece::Loop(count, body) if *count > 0 => list(body, origins),
            Piece::Loop(..) => {}
        }
    }
}
