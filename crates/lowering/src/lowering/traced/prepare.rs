//! The accesses of a trace as a GPU makes them, each with its work: the first of two passes over a trace.
//!
//! A *scope* lies between two barriers, with its loops. What one of its accesses brings into L2, the others find there,
//! those of the groups that run together too: DRAM supplies the union once. Where L2 has room for all that these groups
//! touch, a scope finds there, too, what an earlier one brought. Of a launch whose arrays fit L2 together DRAM supplies
//! each byte once. So the bytes of DRAM are known only when all scopes have been seen.

use std::collections::HashMap;
use std::sync::Arc;

use super::access::Accessing;
use super::dram::{self, Direction, Parts, direction};
use super::executions::{Repeated, share, warps};
use super::extent::Extents;
use super::merge;
use super::merge::Known;
use super::pieces::{Key, Made, Piece, Prepared, Round, Run};
use super::scope::{self, ScopeMemory};
use super::walk::TraceWalk;
use crate::lowering::access::warp::SECTOR;
use crate::lowering::exact::Exact;
use autotune_kernel::source::{AccessKind, BlockRun, LoopRun, Mask, SourceAccess, SourceMemory, Step, Trace};

/// The most bytes of a group in a scope that are still in L2 when its neighbours want them.
const KEPT: u64 = 128 << 10;

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
    /// The memory that a group reads of each array, or writes, in all scopes.
    arrays: HashMap<Direction, ScopeMemory>,
    /// The arrays of the launch.
    extents: Extents,
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
        arrays: HashMap::new(),
        extents: Extents::default(),
        known: Known::default(),
    };
    let mut pieces = preparing.steps(&walk.traced.executed.trace);
    let fits = walk.gpu.l2_size_bytes.is_some_and(|room| preparing.extents.fit(room));
    let parts = if fits && walk.is_warm { Parts::InL2 } else { Parts::Of(preparing.parts()) };
    dram::settle(&mut pieces, &parts);
    if fits {
        let groups = walk.grid.iter().product();
        dram::move_once(&mut pieces, &|(region, _)| preparing.extents.bytes(region), groups);
    } else if let Some(kept) = preparing.kept() {
        dram::move_once(&mut pieces, &|direction| kept.get(&direction).copied(), preparing.together());
    }
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
                    let sides = sides.iter().filter(|side| side.is_taken()).map(|side| {
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
            let many = round.counter.map(|counter| Repeated { counter, times: round.times, data_from: run.data_from });
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
        let merged = merge::merged(traced, run, &mut self.known, true);
        for access in merged {
            let place = traced.place(run.block, access.instruction);
            let instruction = access.instruction;
            if access.kind.is_barrier() {
                self.next_scope();
                let is_of_grid = access.kind == AccessKind::GridBarrier;
                made.push(Made::Barrier { place, instruction, is_of_grid });
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
            } else if is_global {
                self.extents.add_unknown();
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
            self.arrays.entry(direction(key.1, access.kind)).or_default().add_unknown();
            self.extents.add_unknown();
            return;
        };
        let shape = &self.walk.traced.shape;
        let all = (self.loops.as_slice(), self.walk.grid);
        self.extents.add(key.1, (known, distances.map(|all| &**all)), access.bytes, all, shape);
        let loops = &self.loops[self.outer.min(self.loops.len())..];
        total.memory.add((known, distances), items, access.bytes, loops, shape);
        let whole = self.arrays.entry(direction(key.1, access.kind)).or_default();
        whole.add((known, distances), items, access.bytes, &self.loops, shape);
    }

    /// The number of groups that run together.
    fn together(&self) -> u64 {
        self.walk.concurrent.min(self.walk.grid.iter().product()).max(1)
    }

    /// The bytes of each array that the groups that run together read or write in all scopes, if L2 has room for them: then a
    /// scope finds there what an earlier one brought. `None` if there is no earlier one, no room, or the bytes are not known.
    fn kept(&self) -> Option<HashMap<Direction, u64>> {
        let room = self.walk.gpu.l2_size_bytes.filter(|_| self.scope > 0 && self.extents.are_known())?;
        let groups = self.together();
        let touched = |(direction, memory): (&Direction, &ScopeMemory)| {
            let [_, all] = memory.touched(groups, self.walk.grid)?;
            Some((*direction, scope::sectors(&all).saturating_mul(SECTOR)))
        };
        let kept = self.arrays.iter().map(touched).collect::<Option<HashMap<Direction, u64>>>()?;
        (kept.values().fold(0, |sum: u64, bytes| sum.saturating_add(*bytes)) <= room).then_some(kept)
    }

    /// The part of L2's bytes that DRAM moves, and the bytes that the groups that run together touch.
    fn parts(&self) -> HashMap<Key, (Exact, u64)> {
        let walk = self.walk;
        let groups = self.together();
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

/// True if steps contain a barrier.
fn has_barrier(trace: &Trace) -> bool {
    let is_barrier = |access: &SourceAccess| access.kind.is_barrier();
    Step::all(trace).any(|(step, _)| matches!(step, Step::Block(run) if run.accesses.iter().any(is_barrier)))
}
