//! A trace on the abstract processor of the model-checking paper: between barriers, a warp takes as long as the one
//! that costs most.

use super::TracedKernel;
use crate::gpu::Lockstep;
use crate::machine::{Server, Statement};
use crate::source::{AccessKind, BlockRun, Memory, Step, Trace};

/// A piece of the body.
enum Piece {
    /// The ticks of each warp.
    Phase(Vec<u64>),
    Barrier,
    Loop(u64, Vec<Piece>),
}

/// The statements of a configuration.
pub(in crate::lowering) fn body(traced: &TracedKernel, gpu: &Lockstep, warps: u64) -> Vec<Statement> {
    let walk = Walk { traced, gpu, warps: usize::try_from(warps).unwrap_or(1).max(1) };
    statements(walk.pieces(&traced.executed.trace))
}

struct Walk<'a> {
    traced: &'a TracedKernel,
    gpu: &'a Lockstep,
    warps: usize,
}

impl Walk<'_> {
    fn pieces(&self, trace: &Trace) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for step in trace {
            match step {
                Step::Block(run) => self.run(run, &mut pieces),
                Step::Loop(run) => {
                    for round in &run.rounds {
                        append(&mut pieces, repeat(round.times, self.pieces(&round.steps)));
                    }
                }
                Step::Sides(_, sides) => {
                    sides.iter().for_each(|side| append(&mut pieces, self.pieces(&side.steps)));
                }
            }
        }
        pieces
    }

    fn run(&self, run: &BlockRun, pieces: &mut Vec<Piece>) {
        let of_each = self.traced.kernel.prices.block(run.block).iter().map(|price| price.all()).sum::<u64>();
        self.add(run, of_each, pieces);
        for access in &run.accesses {
            if access.kind == AccessKind::Barrier {
                pieces.push(Piece::Barrier);
                continue;
            }
            let price = match access.memory {
                Memory::Global => self.gpu.global_memory_ticks,
                Memory::Local => self.gpu.local_memory_ticks,
                Memory::Constant | Memory::Private => 0,
            };
            self.add(run, price * access.elements.max(1), pieces);
        }
    }

    /// Adds ticks to each warp that takes part.
    fn add(&self, run: &BlockRun, ticks: u64, pieces: &mut Vec<Piece>) {
        let mut phase = vec![0; self.warps];
        let items = self.traced.shape.lanes();
        for lane in run.items.ones() {
            phase[(lane * self.warps / items.max(1)).min(self.warps - 1)] = ticks;
        }
        append(pieces, vec![Piece::Phase(phase)]);
    }
}

/// Repeats pieces. A loop without a barrier dissolves into its phase.
fn repeat(times: u64, mut body: Vec<Piece>) -> Vec<Piece> {
    match body.as_mut_slice() {
        [] => body,
        [Piece::Phase(phase)] => {
            phase.iter_mut().for_each(|ticks| *ticks = ticks.saturating_mul(times));
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
                phase.iter_mut().zip(more).for_each(|(ticks, more)| *ticks = ticks.saturating_add(more));
            }
            (_, piece) => pieces.push(piece),
        }
    }
}

fn statements(pieces: Vec<Piece>) -> Vec<Statement> {
    let statement = |piece| match piece {
        Piece::Phase(phase) => {
            let ticks = phase.into_iter().max().unwrap_or(0);
            (ticks > 0).then_some(Statement::Use { server: Server::Dispatcher, occupancy: ticks, latency: ticks })
        }
        Piece::Barrier => Some(Statement::Barrier { cost: 0 }),
        Piece::Loop(count, body) => Some(Statement::Loop { count, body: statements(body) }),
    };
    pieces.into_iter().filter_map(statement).collect()
}
