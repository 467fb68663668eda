//! Traces with copies, waits and matrix instructions: straight runs that keep their order.
//!
//! A load is a start; its wait stands where its first result is used, through conversions and the values of the iteration
//! before. Copies up to the end of their group are one start. What only computes is issued with the next access.

use std::collections::BTreeMap;

use super::computed::{computed, scale};
use super::executions::share;
use super::parts::Parts;
use super::prepare::{self, Made, Piece, Prepared, Run as BlockExecution};
use super::walk::TraceWalk;
use crate::lowering::exact::Exact;
use crate::lowering::phases::block::{Block, append, join_in_order, repeat, settle};
use crate::lowering::phases::run::{Run, RunKind};
use crate::lowering::phases::work::Work;
use crate::machine::{MOST_PENDING, Queue};
use crate::source::{AccessKind, Fork, Instruction, Kind, SourceMemory, TracedKernel, ValueId, operands};
use crate::text::Place;

/// The queue of copies.
const COPIES: Queue = Queue::A;
/// The queue of loads from local memory.
const LOCAL: Queue = Queue::B;
/// The queue of loads from global memory.
const GLOBAL: Queue = Queue::C;

/// The last start of each queue that a value needs, by its number there; 0 if it needs none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Needs([u64; Queue::ALL.len()]);

impl Needs {
    fn of(queue: Queue, number: u64) -> Self {
        let mut needs = Self::default();
        needs.0[queue as usize] = number;
        needs
    }

    /// The needs of two values together.
    fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|queue| self.0[queue].max(other.0[queue])))
    }

    fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// The state between the statements of a trace.
#[derive(Debug, Clone, Default)]
struct State {
    /// The starts that each value needs; a value that needs none is missing.
    needs: BTreeMap<ValueId, Needs>,
    /// The number of starts in each queue.
    started: [u64; Queue::ALL.len()],
    /// The last start of each queue that the warp has waited for.
    waited: [u64; Queue::ALL.len()],
    /// Instructions that are not yet issued.
    computed: Option<Work>,
    /// Copies of a group that has not ended.
    copied: Option<Work>,
}

/// The blocks of a trace whose statements keep their order.
pub(super) fn blocks(walk: &mut TraceWalk<'_>) -> Vec<Block> {
    let pieces = prepare::prepared(walk);
    let mut ordering = Ordering { walk, state: State::default() };
    let mut blocks = ordering.pieces(&pieces);
    ordering.commit_open(&mut blocks);
    ordering.issue(&mut blocks);
    settle(&mut blocks);
    blocks
}

struct Ordering<'w, 'a> {
    walk: &'w mut TraceWalk<'a>,
    state: State,
}

impl Ordering<'_, '_> {
    fn pieces(&mut self, pieces: &[Piece]) -> Vec<Block> {
        let mut blocks = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Run(run) => self.run(run, &mut blocks),
                Piece::Loop(rounds) => {
                    self.issue(&mut blocks);
                    for (times, pieces) in rounds {
                        append(&mut blocks, self.round(*times, pieces));
                    }
                }
                Piece::Sides(Fork::Groups, sides) => {
                    self.issue(&mut blocks);
                    let mut parts = Parts::default();
                    for (part, pieces) in sides {
                        let work = self.side(pieces);
                        append(&mut blocks, parts.part(work, share(*part)));
                    }
                }
                Piece::Sides(Fork::Data(_), sides) => {
                    self.issue(&mut blocks);
                    for (part, pieces) in sides {
                        let mut work = self.side(pieces);
                        scale(&mut work, *part);
                        append(&mut blocks, work);
                    }
                }
            }
        }
        blocks
    }

    fn side(&mut self, pieces: &[Piece]) -> Vec<Block> {
        let mut blocks = self.pieces(pieces);
        self.issue(&mut blocks);
        blocks
    }

    /// The rounds of a loop: as an iteration that is neither the first nor the last executes it.
    fn round(&mut self, times: u64, pieces: &[Piece]) -> Vec<Block> {
        if times > 1 {
            let coded = self.walk.coded.clone();
            self.side(pieces);
            self.walk.coded = coded;
        }
        let body = self.side(pieces);
        repeat(times, body)
    }

    /// An execution of a block, instruction by instruction.
    fn run(&mut self, run: &BlockExecution, blocks: &mut Vec<Block>) {
        let is_new = self.walk.coded.insert((run.block, run.instructions.start));
        let mut made = run.made.iter().peekable();
        // A text of inline assembly may have a barrier before what else it does.
        while let Some(one) = made.next_if(|one| one.position() < run.instructions.start) {
            self.made(one, is_new, blocks);
        }
        for position in run.instructions.clone() {
            let instruction = &self.walk.traced.function().blocks[run.block.index()].instructions[position];
            let needed = self.needed(instruction);
            let mut started = Needs::default();
            let mut accesses = false;
            while let Some(one) = made.next_if(|one| one.position() == position) {
                self.wait_for(needed, blocks);
                started = started.and(self.made(one, is_new, blocks));
                accesses = true;
            }
            let price = self.walk.traced.kernel.prices.block(run.block)[position];
            if price.all() > 0 {
                self.wait_for(needed, blocks);
                let place = self.walk.traced.place(run.block, position);
                self.compute(self.walk.kept(computed(place, price, run.warps, is_new)));
            }
            if let Some(result) = instruction.result {
                let needs = if accesses { started } else { needed };
                if needs.is_empty() {
                    self.state.needs.remove(&result);
                } else {
                    self.state.needs.insert(result, needs);
                }
            }
        }
    }

    /// The starts that an instruction's operands need.
    fn needed(&self, instruction: &Instruction) -> Needs {
        let all = |ids: &mut dyn Iterator<Item = ValueId>| {
            ids.filter_map(|id| self.state.needs.get(&id)).fold(Needs::default(), |sum, needs| sum.and(*needs))
        };
        match &instruction.kind {
            Kind::Phi(_, incoming) => all(&mut incoming.iter().filter_map(|(_, operand)| operand.value())),
            Kind::ExtractValue(from, _) => all(&mut from.operand.value().into_iter()),
            kind => all(&mut operands(kind)),
        }
    }

    /// Waits for the starts that the warp has not waited for.
    fn wait_for(&mut self, needs: Needs, blocks: &mut Vec<Block>) {
        for queue in Queue::ALL {
            let number = needs.0[queue as usize];
            if self.state.waited[queue as usize] < number {
                let pending = (self.state.started[queue as usize] - number).min(MOST_PENDING);
                self.wait(Place::default(), queue, pending, blocks);
            }
        }
    }

    fn wait(&mut self, place: Place, queue: Queue, pending: u64, blocks: &mut Vec<Block>) {
        self.issue(blocks);
        join_in_order(blocks, Run::wait(place, queue, pending));
        let waited = &mut self.state.waited[queue as usize];
        *waited = (*waited).max(self.state.started[queue as usize].saturating_sub(pending));
    }

    fn compute(&mut self, work: Work) {
        match &mut self.state.computed {
            Some(computed) => *computed += work,
            None => self.state.computed = Some(work),
        }
    }

    /// Issues what was only computed.
    fn issue(&mut self, blocks: &mut Vec<Block>) {
        if let Some(work) = self.state.computed.take() {
            join_in_order(blocks, Run::new(RunKind::Compute, work));
        }
    }

    /// Ends a group of copies that nothing has ended.
    fn commit_open(&mut self, blocks: &mut Vec<Block>) {
        if let Some(work) = self.state.copied.take() {
            self.commit(work, blocks);
        }
    }

    fn commit(&mut self, mut work: Work, blocks: &mut Vec<Block>) {
        if let Some(computed) = self.state.computed.take() {
            work += computed;
        }
        // Two groups are two starts.
        append(blocks, vec![Block::Ordered(vec![Run::new(RunKind::Copy(COPIES), work)])]);
        self.state.started[COPIES as usize] += 1;
    }

    /// Adds what an instruction does beside computing; returns the start that its result needs.
    fn made(&mut self, made: &Made, is_new: bool, blocks: &mut Vec<Block>) -> Needs {
        match made {
            Made::Barrier { place, .. } => {
                self.issue(blocks);
                blocks.push(Block::Barrier(*place));
            }
            Made::Mark { kind: AccessKind::Commit, place, .. } => {
                let work = self.state.copied.take().unwrap_or_else(|| Work::at(*place));
                self.commit(work, blocks);
            }
            Made::Mark { kind: AccessKind::Wait(pending), place, .. } => {
                self.wait(*place, COPIES, u64::from(*pending).min(MOST_PENDING), blocks);
            }
            Made::Mark { .. } => {}
            Made::Access(access) => return self.access(access, is_new, blocks),
        }
        Needs::default()
    }

    /// Adds an access; returns the start that its result needs.
    fn access(&mut self, access: &Prepared, is_new: bool, blocks: &mut Vec<Block>) -> Needs {
        let kind = match (access.kind, access.space) {
            (AccessKind::Copy, _) => {
                let work = self.coded(&access.work, is_new);
                match &mut self.state.copied {
                    Some(copied) => *copied += work,
                    None => self.state.copied = Some(work),
                }
                return Needs::default();
            }
            (AccessKind::Product { .. }, _) => RunKind::Matrix(None),
            (AccessKind::Shuffle, _) | (AccessKind::Load, SourceMemory::Local) => RunKind::Local(Some(LOCAL)),
            (_, SourceMemory::Local) => RunKind::LocalStore,
            (AccessKind::Load | AccessKind::Atomic, SourceMemory::Global) if access.waited.is_some() => {
                RunKind::Load(Some(GLOBAL))
            }
            _ => RunKind::Store,
        };
        let is_first = self.join(kind, &access.work, is_new, blocks);
        let Some(queue) = kind.queue() else { return Needs::default() };
        let started = &mut self.state.started[queue as usize];
        *started += u64::from(is_first);
        Needs::of(queue, *started)
    }

    /// Adds an access and what was computed before it to its neighbours of the kind. True if there are none.
    fn join(&mut self, kind: RunKind, work: &Work, is_new: bool, blocks: &mut Vec<Block>) -> bool {
        let mut work = self.coded(work, is_new);
        if let Some(computed) = self.state.computed.take() {
            work += computed;
        }
        let last = match blocks.last() {
            Some(Block::Ordered(runs)) => runs.last().map(|run| run.kind),
            _ => None,
        };
        join_in_order(blocks, Run::new(kind, work));
        last != Some(kind)
    }

    /// A work as a part of the code if it is its first execution.
    fn coded(&self, work: &Work, is_new: bool) -> Work {
        let mut work = work.clone();
        if !is_new {
            work.code = Exact::ZERO;
        }
        self.walk.kept(work)
    }
}

/// True if the accesses of a block keep their order.
pub(in crate::lowering) fn keeps_order(traced: &TracedKernel) -> bool {
    traced.runs().any(|run| run.accesses.iter().any(|access| access.kind.keeps_order()))
}
