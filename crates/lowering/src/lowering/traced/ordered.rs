//! Traces with copies, waits and matrix instructions: straight runs that keep their order.
//!
//! A load is a start; its wait stands where its first result is used, through conversions and the values of the iteration
//! before. Copies up to the end of their group are one start. What only computes is issued with the next access.

use std::collections::{BTreeMap, BTreeSet};

use super::pieces::{Made, Piece, Prepared, Round, Run as BlockExecution};
use super::queues::{GLOBAL, LOCAL, Needs, queue_of};
use super::sequence::{Accessed, Computed, Issued, Ordered, OrderedRun, Position, last_kind};
use crate::lowering::phases::run::RunKind;
use autotune_base::limits::watch::{Phase, look};
use autotune_base::text::Place;
use autotune_kernel::source::{
    AccessKind, Asynchronous, BlockId, Instruction, Kind, SourceMemory, TracedKernel, ValueId, operands,
};
use autotune_machine::machine::{MOST_PENDING, Queue};

/// An execution of a block; true if it is the first one of the code.
type Execution<'p> = (&'p BlockExecution, bool);

/// The state between the statements of a trace.
#[derive(Default)]
struct State<'p> {
    /// The starts that each value needs; a value that needs none is missing.
    needs: BTreeMap<ValueId, Needs>,
    /// The number of starts in each queue.
    started: [u64; Queue::ALL.len()],
    /// The last start of each queue that the warp has waited for.
    waited: [u64; Queue::ALL.len()],
    /// Instructions that are not yet issued.
    computed: Vec<Computed<'p>>,
    /// The groups that have not ended.
    open: BTreeMap<Asynchronous, Vec<Issued<'p>>>,
}

/// The statements of a trace in the order that a warp keeps.
pub(super) fn sequence<'p>(traced: &'p TracedKernel, pieces: &'p [Piece]) -> Vec<Ordered<'p>> {
    let at = (BlockId(0), 0);
    let mut ordering = Ordering { traced, coded: BTreeSet::new(), at, state: State::default() };
    let mut blocks = ordering.pieces(pieces);
    ordering.commit_open(&mut blocks);
    ordering.issue(&mut blocks);
    blocks
}

struct Ordering<'p> {
    traced: &'p TracedKernel,
    /// The blocks whose code is counted.
    coded: BTreeSet<(BlockId, usize)>,
    /// The instruction that is executed.
    at: Position,
    state: State<'p>,
}

impl<'p> Ordering<'p> {
    fn pieces(&mut self, pieces: &'p [Piece]) -> Vec<Ordered<'p>> {
        let mut blocks = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Run(run) => self.run(run, &mut blocks),
                Piece::Loop(rounds) => {
                    self.issue(&mut blocks);
                    for round in rounds {
                        let body = self.round(round);
                        blocks.push(Ordered::Loop(round, body));
                    }
                }
                Piece::Sides(fork, sides) => {
                    self.issue(&mut blocks);
                    let sides = sides.iter().map(|(part, pieces)| (*part, self.side(pieces))).collect();
                    blocks.push(Ordered::Sides(*fork, sides));
                }
            }
        }
        blocks
    }

    fn side(&mut self, pieces: &'p [Piece]) -> Vec<Ordered<'p>> {
        let mut blocks = self.pieces(pieces);
        self.issue(&mut blocks);
        blocks
    }

    /// The rounds of a loop: as an iteration that is neither the first nor the last executes it.
    fn round(&mut self, round: &'p Round) -> Vec<Ordered<'p>> {
        if round.times > 1 {
            let coded = self.coded.clone();
            self.side(&round.pieces);
            self.coded = coded;
        }
        self.side(&round.pieces)
    }

    /// An execution of a block, instruction by instruction.
    fn run(&mut self, run: &'p BlockExecution, blocks: &mut Vec<Ordered<'p>>) {
        let is_new = self.coded.insert((run.block, run.instructions.start));
        let mut made = run.made.iter().peekable();
        // A text of inline assembly may have a barrier before what else it does.
        while let Some(one) = made.next_if(|one| one.position() < run.instructions.start) {
            self.at = (run.block, one.position());
            self.made(one, (run, is_new), blocks);
        }
        for position in run.instructions.clone() {
            look(Phase::Lowering);
            self.at = (run.block, position);
            let instruction = &self.traced.function().blocks[run.block.index()].instructions[position];
            let needed = self.needed(instruction);
            let mut started = Needs::default();
            let mut accesses = false;
            while let Some(one) = made.next_if(|one| one.position() == position) {
                self.wait_for(needed, blocks);
                started = started.and(self.made(one, (run, is_new), blocks));
                accesses = true;
            }
            if self.traced.kernel.prices.block(run.block)[position].all() > 0 {
                self.wait_for(needed, blocks);
                self.compute(run, position, is_new);
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
    fn wait_for(&mut self, needs: Needs, blocks: &mut Vec<Ordered<'p>>) {
        for queue in Queue::ALL {
            let number = needs.0[queue as usize];
            if self.state.waited[queue as usize] < number {
                let pending = (self.state.started[queue as usize] - number).min(MOST_PENDING);
                self.wait(Place::default(), queue, pending, blocks);
            }
        }
    }

    fn wait(&mut self, place: Place, queue: Queue, pending: u64, blocks: &mut Vec<Ordered<'p>>) {
        if pending == 0 {
            withdraw_empty_start(queue, blocks);
        }
        self.issue(blocks);
        blocks.push(self.run_of(RunKind::Wait { queue, pending }, place, Vec::new()));
        let waited = &mut self.state.waited[queue as usize];
        *waited = (*waited).max(self.state.started[queue as usize].saturating_sub(pending));
    }

    /// Statements beside those before them, which they do not go on with.
    fn run_of(&self, kind: RunKind, place: Place, issued: Vec<Issued<'p>>) -> Ordered<'p> {
        Ordered::Run(OrderedRun { kind, place, at: self.at, joins: false, issued })
    }

    fn compute(&mut self, by: &'p BlockExecution, position: usize, is_new: bool) {
        match self.state.computed.last_mut() {
            // What lies between computes nothing.
            Some(last) if std::ptr::eq(last.by, by) => last.instructions.end = position + 1,
            _ => self.state.computed.push(Computed { by, instructions: position..position + 1, is_new }),
        }
    }

    /// An access with the instructions before it that only compute.
    fn issued(&mut self, access: Option<Accessed<'p>>) -> Issued<'p> {
        Issued { access, computed: std::mem::take(&mut self.state.computed) }
    }

    /// Issues what was only computed.
    fn issue(&mut self, blocks: &mut Vec<Ordered<'p>>) {
        if !self.state.computed.is_empty() {
            let issued = vec![self.issued(None)];
            blocks.push(self.run_of(RunKind::Compute, Place::default(), issued));
        }
    }

    /// Ends the groups that nothing has ended.
    fn commit_open(&mut self, blocks: &mut Vec<Ordered<'p>>) {
        while let Some((what, _)) = self.state.open.first_key_value() {
            self.commit(*what, Place::default(), blocks);
        }
    }

    /// Ends a group. Two groups are two starts.
    fn commit(&mut self, what: Asynchronous, place: Place, blocks: &mut Vec<Ordered<'p>>) {
        let mut issued = self.state.open.remove(&what).unwrap_or_default();
        if !self.state.computed.is_empty() {
            issued.push(self.issued(None));
        }
        let queue = queue_of(what);
        let kind = match what {
            Asynchronous::Copies | Asynchronous::Tiles => RunKind::Copy(queue),
            Asynchronous::Products => RunKind::Matrix(Some(queue)),
        };
        blocks.push(self.run_of(kind, place, issued));
        self.state.started[queue as usize] += 1;
    }

    /// Adds what an instruction does beside computing; returns the start that its result needs.
    fn made(&mut self, made: &'p Made, by: Execution<'p>, blocks: &mut Vec<Ordered<'p>>) -> Needs {
        match made {
            Made::Barrier { place, is_of_grid, .. } => {
                self.issue(blocks);
                blocks.push(Ordered::Barrier { place: *place, is_of_grid: *is_of_grid, at: self.at });
            }
            Made::Mark { kind: AccessKind::Commit(what), place, .. } => {
                self.commit(*what, *place, blocks);
            }
            Made::Mark { kind: AccessKind::Wait(what, pending), place, .. } => {
                self.wait(*place, queue_of(*what), u64::from(*pending).min(MOST_PENDING), blocks);
            }
            Made::Mark { .. } => {}
            Made::Access(access) => return self.access(access, by, blocks),
        }
        Needs::default()
    }

    /// Adds an access; returns the start that its result needs.
    fn access(&mut self, of: &'p Prepared, (by, is_new): Execution<'p>, blocks: &mut Vec<Ordered<'p>>) -> Needs {
        let accessed = Accessed { of, by, is_new };
        let kind = match (of.access.kind, of.access.memory) {
            // A warp waits for their groups, not for their results.
            (AccessKind::Copy, _) => return self.hold(Asynchronous::Copies, accessed),
            (AccessKind::LoadTile, _) => return self.start_tile(accessed, blocks),
            (AccessKind::WarpGroupProduct { .. }, _) => return self.hold(Asynchronous::Products, accessed),
            (AccessKind::Product { .. }, _) => RunKind::Matrix(None),
            (AccessKind::Shuffle, _) | (AccessKind::Load, SourceMemory::Local) => RunKind::Local(Some(LOCAL)),
            (_, SourceMemory::Local) => RunKind::LocalStore,
            (AccessKind::Load | AccessKind::Atomic, SourceMemory::Global) if of.waited.is_some() => {
                RunKind::Load(Some(GLOBAL))
            }
            _ => RunKind::Store,
        };
        let issued = self.issued(Some(accessed));
        let is_first = self.join(kind, issued, blocks);
        let Some(queue) = kind.queue() else { return Needs::default() };
        let started = &mut self.state.started[queue as usize];
        *started += u64::from(is_first);
        Needs::of(queue, *started)
    }

    /// Adds an access to the group that has not ended.
    fn hold(&mut self, what: Asynchronous, accessed: Accessed<'p>) -> Needs {
        self.state.open.entry(what).or_default().push(Issued { access: Some(accessed), computed: Vec::new() });
        Needs::default()
    }

    /// Starts the copy of a tile. Accesses of no instruction are further rows of the tile before them.
    fn start_tile(&mut self, accessed: Accessed<'p>, blocks: &mut Vec<Ordered<'p>>) -> Needs {
        let kind = RunKind::Copy(queue_of(Asynchronous::Tiles));
        let goes_on = accessed.of.access.split == 0;
        let issued = self.issued(Some(accessed));
        match blocks.last_mut() {
            Some(Ordered::Run(run)) if goes_on && run.kind == kind => run.issued.push(issued),
            _ => {
                blocks.push(self.run_of(kind, Place::default(), vec![issued]));
                self.state.started[queue_of(Asynchronous::Tiles) as usize] += 1;
            }
        }
        Needs::default()
    }

    /// Adds an access to its neighbours of the kind. True if there are none.
    fn join(&mut self, kind: RunKind, issued: Issued<'p>, blocks: &mut Vec<Ordered<'p>>) -> bool {
        let joins = last_kind(blocks) == Some(kind);
        match blocks.last_mut() {
            Some(Ordered::Run(run)) if joins => {
                run.issued.push(issued);
                run.at = self.at;
            }
            _ => {
                let run = OrderedRun { kind, place: Place::default(), at: self.at, joins, issued: vec![issued] };
                blocks.push(Ordered::Run(run));
            }
        }
        !joins
    }
}

/// Removes the last start of a queue if it starts nothing: who waits for all starts does not wait for its turn at the server.
fn withdraw_empty_start(queue: Queue, blocks: &mut Vec<Ordered<'_>>) {
    let Some(Ordered::Run(run)) = blocks.last_mut() else { return };
    if run.kind.queue() != Some(queue) || run.issued.iter().any(|issued| issued.access.is_some()) {
        return;
    }
    run.kind = RunKind::Compute;
    if run.issued.is_empty() {
        blocks.pop();
    }
}

/// True if the accesses of a block keep their order.
pub(in crate::lowering) fn keeps_order(traced: &TracedKernel) -> bool {
    traced.runs().any(|run| run.accesses.iter().any(|access| access.kind.keeps_order()))
}
