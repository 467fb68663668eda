//! The accesses of a trace as a GPU makes them, each with its work: the first of two passes over a trace.
//!
//! A *scope* lies between two barriers, with its loops. What one of its accesses brings into L2, the others find there,
//! those of the groups that run together too: DRAM supplies the union once. So the bytes of DRAM are known only when the
//! whole scope has been seen.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::access::Accessing;
use super::executions::{Repeated, share, warps};
use super::extent::Extents;
use super::merge;
use super::merge::Known;
use super::scope::{self, ScopeMemory};
use super::waits::Waited;
use super::walk::TraceWalk;
use crate::lowering::access::warp::SECTOR;
use crate::lowering::exact::Exact;
use crate::lowering::phases::work::Work;
use crate::source::{
    AccessKind, BlockId, BlockRun, Fork, LoopRun, Mask, RegionId, SourceAccess, SourceMemory, Step, Trace,
};
use crate::text::Place;

/// The most bytes of a group in a scope that are still in L2 when its neighbours want them.
const KEPT: u64 = 128 << 10;

/// A part of a trace with the work of its accesses.
pub(super) enum Piece {
    /// An execution of a block.
    Run(Run),
    /// The rounds of a loop.
    Loop(Vec<Round>),
    /// The sides of a branch on data, or what some groups execute, and their shares.
    Sides(Fork, Vec<(f64, Vec<Piece>)>),
}

/// Iterations of a loop that execute the same.
pub(super) struct Round {
    /// The number of iterations.
    pub(super) times: u64,
    /// The symbol that counts the iterations in the addresses; `None` if there is one.
    pub(super) counter: Option<u32>,
    pub(super) pieces: Vec<Piece>,
}

/// An execution of a block, to its end or to a barrier.
pub(super) struct Run {
    pub(super) block: BlockId,
    /// The positions of the instructions.
    pub(super) instructions: Range<usize>,
    /// The work items that execute the block.
    pub(super) items: Arc<Mask>,
    pub(super) warps: u64,
    pub(super) made: Vec<Made>,
}

/// What a block's execution does beside computing.
pub(super) enum Made {
    Barrier {
        place: Place,
        /// The position of the instruction in its block.
        instruction: usize,
    },
    /// The end of a group of what goes on while a warp does, or a wait for one.
    Mark {
        kind: AccessKind,
        place: Place,
        /// The position of the instruction in its block.
        instruction: usize,
    },
    Access(Box<Prepared>),
}

impl Made {
    /// The position of the instruction in its block.
    pub(super) fn position(&self) -> usize {
        match self {
            Self::Barrier { instruction, .. } | Self::Mark { instruction, .. } => *instruction,
            Self::Access(made) => made.access.instruction,
        }
    }
}

/// An access and its work.
pub(super) struct Prepared {
    pub(super) access: SourceAccess,
    pub(super) work: Work,
    /// The load that a warp waits for.
    pub(super) waited: Option<Waited>,
    /// What the access moves between L2 and DRAM; `None` if that is settled.
    memory: Option<Key>,
    /// The part of L2's bytes that DRAM moves if the access is alone in its scope.
    alone: Exact,
}

/// The accesses that share memory: of one kind to one array, in one scope.
type Key = (usize, RegionId, AccessKind);

/// The bytes that DRAM moves for the accesses of a launch.
enum Parts {
    /// Nothing: L2 has all arrays from the launch before.
    InL2,
    /// A part of L2's bytes, and the bytes that the groups that run together touch, by what shares memory.
    Of(HashMap<Key, (Exact, u64)>),
}

/// What accesses that share memory move.
#[derive(Default)]
struct Total {
    memory: ScopeMemory,
    /// Bytes that a group moves through L2.
    l2_bytes: Exact,
}

/// The first pass over a trace.
pub(super) struct Preparing<'a, 't> {
    walk: &'t TraceWalk<'a>,
    scope: usize,
    /// The loops around the scope.
    outer: usize,
    loops: Vec<Repeated>,
    /// The executions of the steps, as a factor.
    times: Exact,
    /// The executions of the scope, as a factor.
    scope_times: Exact,
    totals: HashMap<Key, Total>,
    /// The arrays of a launch that is repeated; `None` for another.
    extents: Option<Extents>,
    known: Known<'a>,
}

/// The pieces of a trace.
pub(super) fn prepared(walk: &TraceWalk<'_>) -> Vec<Piece> {
    let mut preparing = Preparing {
        walk,
        scope: 0,
        outer: 0,
        loops: Vec::new(),
        times: Exact::ONE,
        scope_times: Exact::ONE,
        totals: HashMap::new(),
        extents: walk.is_warm.then(Extents::default),
        known: Known::default(),
    };
    let mut pieces = preparing.steps(&walk.traced.executed.trace);
    let parts = if preparing.is_in_l2() { Parts::InL2 } else { Parts::Of(preparing.parts()) };
    settle(&mut pieces, &parts);
    pieces
}

impl<'a> Preparing<'a, '_> {
    fn steps(&mut self, trace: &'a Trace) -> Vec<Piece> {
        let mut pieces = Vec::with_capacity(trace.len());
        for step in trace {
            match step {
                Step::Block(run) => self.run(run, &mut pieces),
                Step::Loop(run) => {
                    self.known.forget();
                    pieces.push(Piece::Loop(self.rounds(run)));
                    self.known.forget();
                }
                Step::Sides(fork, sides) => {
                    self.known.forget();
                    let scope = self.scope;
                    let sides = sides.iter().map(|side| {
                        let steps = self.times(share(side.share), |this| this.steps(&side.steps));
                        self.known.forget();
                        (side.share, steps)
                    });
                    pieces.push(Piece::Sides(*fork, sides.collect()));
                    // A scope that a barrier in a side began is one of its groups.
                    if self.scope != scope {
                        self.next_scope();
                    }
                }
            }
        }
        pieces
    }

    /// Does something that is executed a number of times.
    fn times<T>(&mut self, times: Exact, of: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.times;
        self.times = before * times;
        let done = of(self);
        self.times = before;
        done
    }

    fn rounds(&mut self, run: &'a LoopRun) -> Vec<Round> {
        let has_barrier = run.rounds.iter().any(|round| has_barrier(&round.steps));
        let mut rounds = Vec::with_capacity(run.rounds.len());
        for round in &run.rounds {
            let many = round.counter.map(|counter| Repeated { counter, times: round.times });
            self.loops.extend(many);
            let pieces = self.times(Exact::from(round.times), |this| {
                if has_barrier {
                    this.next_scope();
                }
                this.steps(&round.steps)
            });
            rounds.push(Round { times: round.times, counter: round.counter, pieces });
            self.known.forget();
            if many.is_some() {
                self.loops.pop();
            }
        }
        if has_barrier {
            self.next_scope();
        }
        rounds
    }

    fn next_scope(&mut self) {
        self.scope += 1;
        self.outer = self.loops.len();
        self.scope_times = self.times;
    }

    /// Adds an execution of a block, cut behind its barriers.
    fn run(&mut self, run: &'a BlockRun, pieces: &mut Vec<Piece>) {
        let traced = self.walk.traced;
        let warps = warps(&run.items, self.walk.gpu.warp_size);
        let mut parts = traced.parts(run).into_iter();
        let mut made = Vec::new();
        let mut end = |made| {
            let instructions = parts.next().unwrap_or_default();
            let items = Arc::clone(&run.items);
            pieces.push(Piece::Run(Run { block: run.block, instructions, items, warps, made }));
        };
        let merged =
            merge::merged(traced.function(), run, &traced.executed.regions, &traced.shape, &mut self.known, true);
        for access in merged {
            let place = traced.place(run.block, access.instruction);
            let instruction = access.instruction;
            if access.kind == AccessKind::Barrier {
                self.next_scope();
                made.push(Made::Barrier { place, instruction });
                end(std::mem::take(&mut made));
                continue;
            }
            if matches!(access.kind, AccessKind::Commit(_) | AccessKind::Wait(..)) {
                made.push(Made::Mark { kind: access.kind, place, instruction });
                continue;
            }
            let items = access.items.as_deref().unwrap_or(&run.items);
            let accessing = Accessing {
                walk: self.walk,
                access: &access,
                block: run.block,
                items,
                warps: super::executions::warps(items, self.walk.gpu.warp_size),
                loops: &self.loops,
                place,
            };
            let (Some(work), waited) = accessing.work() else { continue };
            let is_global = access.memory == SourceMemory::Global;
            let key = access.region.filter(|_| is_global).map(|region| (self.scope, region, access.kind));
            let alone = if is_global { accessing.shared() } else { Exact::ZERO };
            if let Some(key) = key {
                let distances = traced.distances(run.block, &access);
                self.share(key, &access, (items, distances), work.l2_bytes);
            } else if is_global && let Some(extents) = &mut self.extents {
                extents.add_unknown();
            }
            made.push(Made::Access(Box::new(Prepared { access, work, waited, memory: key, alone })));
        }
        end(made);
    }

    /// Adds an access to those that share memory.
    fn share(
        &mut self,
        key: Key,
        access: &SourceAccess,
        (items, distances): (&Mask, Option<&Arc<[i64]>>),
        l2_bytes: Exact,
    ) {
        let total = self.totals.entry(key).or_default();
        // The memory is that of one execution of the scope.
        total.l2_bytes += l2_bytes * self.times / self.scope_times;
        let Some(known) = &access.address else {
            total.memory.add_unknown();
            if let Some(extents) = &mut self.extents {
                extents.add_unknown();
            }
            return;
        };
        let shape = &self.walk.traced.shape;
        let all = (self.loops.as_slice(), self.walk.grid);
        if let Some(extents) = &mut self.extents {
            extents.add(key.1, (known, distances.map(|all| &**all)), access.bytes, all, shape);
        }
        let loops = &self.loops[self.outer.min(self.loops.len())..];
        total.memory.add((known, distances), items, access.bytes, loops, shape);
    }

    /// True if a repeated launch finds all its arrays in L2.
    fn is_in_l2(&self) -> bool {
        let all = self.extents.as_ref().and_then(Extents::bytes);
        all.zip(self.walk.gpu.l2_size_bytes).is_some_and(|(all, room)| all <= i128::from(room))
    }

    /// The part of L2's bytes that DRAM moves, and the bytes that the groups that run together touch.
    fn parts(&self) -> HashMap<Key, (Exact, u64)> {
        let walk = self.walk;
        let groups = walk.concurrent.min(walk.grid.iter().product()).max(1);
        let part = |(key, total): (&Key, &Total)| {
            let [own, all] = total.memory.touched(groups, walk.grid)?;
            let kept = scope::sectors(&own).saturating_mul(SECTOR) <= KEPT;
            let moved = Exact::from(scope::sectors(&all) * SECTOR) / Exact::from(groups);
            (kept && total.l2_bytes.is_positive())
                .then(|| (*key, ((moved / total.l2_bytes).min(Exact::ONE), scope::bytes(&all))))
        };
        self.totals.iter().filter_map(part).collect()
    }
}

/// The part of L2's bytes that DRAM moves for each access, by block and position of its instruction.
pub(in crate::lowering) fn dram_parts(walk: &TraceWalk<'_>) -> HashMap<(BlockId, usize), Exact> {
    let mut moved: HashMap<(BlockId, usize), [Exact; 2]> = HashMap::new();
    add_moved(&prepared(walk), &mut moved);
    let moved = moved.into_iter().filter(|(_, [l2, _])| l2.is_positive());
    moved.map(|(access, [l2, dram])| (access, dram / l2)).collect()
}

fn add_moved(pieces: &[Piece], moved: &mut HashMap<(BlockId, usize), [Exact; 2]>) {
    for piece in pieces {
        match piece {
            Piece::Run(run) => {
                for made in &run.made {
                    if let Made::Access(access) = made {
                        let [l2, dram] = moved.entry((run.block, access.access.instruction)).or_default();
                        *l2 += access.work.l2_bytes;
                        *dram += access.work.dram_bytes;
                    }
                }
            }
            Piece::Loop(rounds) => rounds.iter().for_each(|round| add_moved(&round.pieces, moved)),
            Piece::Sides(_, sides) => sides.iter().for_each(|(_, pieces)| add_moved(pieces, moved)),
        }
    }
}

/// Gives each access its bytes of DRAM.
fn settle(pieces: &mut [Piece], parts: &Parts) {
    for piece in pieces {
        match piece {
            Piece::Run(run) => {
                for made in &mut run.made {
                    if let Made::Access(access) = made {
                        access.settle(parts);
                    }
                }
            }
            Piece::Loop(rounds) => rounds.iter_mut().for_each(|round| settle(&mut round.pieces, parts)),
            Piece::Sides(_, sides) => sides.iter_mut().for_each(|(_, pieces)| settle(pieces, parts)),
        }
    }
}

impl Prepared {
    fn settle(&mut self, parts: &Parts) {
        let found = match parts {
            Parts::InL2 => None,
            Parts::Of(parts) => self.memory.take().and_then(|key| Some((key, parts.get(&key)?))),
        };
        let alone = if matches!(parts, Parts::InL2) { Exact::ZERO } else { self.alone };
        let part = found.map_or(alone, |(_, (part, _))| *part);
        let work = &mut self.work;
        work.dram_bytes = work.l2_bytes * part;
        for traffic in [&mut work.loaded, &mut work.stored] {
            traffic.beyond_l2 = traffic.beyond_l1 * part;
        }
        if let Some(waited) = &mut self.waited {
            waited.bytes[2] = work.dram_bytes;
        }
        if let Some(((_, _, AccessKind::Atomic), (_, changed))) = found {
            work.contended = work.stored.asked / Exact::from((*changed).max(1));
        }
    }
}

/// True if steps contain a barrier.
fn has_barrier(trace: &Trace) -> bool {
    let is_barrier = |access: &SourceAccess| access.kind == AccessKind::Barrier;
    Step::all(trace).any(|(step, _)| matches!(step, Step::Block(run) if run.accesses.iter().any(is_barrier)))
}
