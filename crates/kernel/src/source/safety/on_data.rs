//! The values that follow from data, and the blocks that data lead to.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;

use super::super::execute::{DataSeeds, Executed, FindingKind, operands};
use super::super::flow::Flow;
use super::super::ir::{AddressSpace, BlockId, Instruction, IrFunction, Kind, Type, ValueId};
use super::super::trace::{AccessKind, SourceMemory, Step};
use autotune_base::limits::watch::{Phase, look};

/// The address space of private memory.
const PRIVATE: AddressSpace = 5;

/// Values and blocks of a kernel that data decides.
#[derive(Debug)]
pub(super) struct OnData {
    values: FixedBitSet,
    blocks: FixedBitSet,
}

impl OnData {
    /// The values that follow from seeds.
    pub(super) fn new(kernel: &IrFunction, flow: &Flow, seeds: &DataSeeds) -> Self {
        let values = FixedBitSet::with_capacity(kernel.values);
        let blocks = FixedBitSet::with_capacity(kernel.blocks.len());
        let found = Self { values, blocks };
        if seeds.is_empty() { found } else { Search::new(kernel, flow, found).from(seeds) }
    }

    /// True if data decides the value of an instruction's operands, or whether its block is executed.
    pub(super) fn decides(&self, block: BlockId, instruction: &Instruction) -> bool {
        self.blocks.contains(block.index())
            || followed(&instruction.kind).iter().any(|id| self.values.contains(id.index()))
    }
}

/// The values that an instruction's result or address follows from. What is stored does not matter.
fn followed(kind: &Kind) -> Vec<ValueId> {
    match kind {
        Kind::Store { to, .. } | Kind::Atomic(to, _) => to.operand.value().into_iter().collect(),
        Kind::Phi(_, incoming) => incoming.iter().filter_map(|(_, operand)| operand.value()).collect(),
        kind => operands(kind).collect(),
    }
}

/// The value that decides which block follows; `None` if only one may.
fn condition(kind: &Kind) -> Option<ValueId> {
    match kind {
        Kind::Branch(of, _) | Kind::Switch(of, ..) => of.operand.value(),
        _ => None,
    }
}

/// The search for what follows from data. Each value, block and branch enters its set once and leaves none, so the search
/// ends, after a number of steps that grows with the number of operands.
struct Search<'a> {
    kernel: &'a IrFunction,
    flow: &'a Flow,
    found: OnData,
    /// The blocks whose ways to their joins are on data: a branch is led from, wherever it stands.
    led: FixedBitSet,
    /// The blocks that are new in `led`.
    open_blocks: Vec<BlockId>,
    /// The values that are new in `found`.
    open_values: Vec<ValueId>,
    joins: Joins,
    /// The values that follow from each value, and the blocks that a branch on it ends.
    uses: Vec<(Vec<ValueId>, Vec<BlockId>)>,
}

impl<'a> Search<'a> {
    fn new(kernel: &'a IrFunction, flow: &'a Flow, found: OnData) -> Self {
        let mut uses = vec![(Vec::new(), Vec::new()); kernel.values];
        for (id, block) in (0..).map(BlockId).zip(&kernel.blocks) {
            for one in &block.instructions {
                if let Some(result) = one.result {
                    for id in followed(&one.kind) {
                        uses[id.index()].0.push(result);
                    }
                }
                if let Some(of) = condition(&one.kind) {
                    uses[of.index()].1.push(id);
                }
            }
        }
        let led = FixedBitSet::with_capacity(kernel.blocks.len());
        let joins = Joins::new(flow);
        Self { kernel, flow, found, led, open_blocks: Vec::new(), open_values: Vec::new(), joins, uses }
    }

    fn from(mut self, seeds: &DataSeeds) -> OnData {
        seeds.values.iter().for_each(|id| self.add(*id));
        seeds.branches.iter().for_each(|branch| self.lead(*branch));
        let loads = self.kernel.blocks.iter().flat_map(|block| &block.instructions);
        let loads = loads.filter(|one| seeds.is_private && loads_private(one)).filter_map(|one| one.result);
        loads.for_each(|id| self.add(id));
        loop {
            look(Phase::OnData);
            if let Some(id) = self.open_values.pop() {
                let (values, branches) = std::mem::take(&mut self.uses[id.index()]);
                for value in values {
                    self.add(value);
                }
                for branch in branches {
                    self.lead(branch);
                }
            } else if let Some(block) = self.open_blocks.pop() {
                self.follow(block);
            } else {
                return self.found;
            }
        }
    }

    fn add(&mut self, id: ValueId) {
        if !self.found.values.put(id.index()) {
            self.open_values.push(id);
        }
    }

    /// Leads from a block, once.
    fn lead(&mut self, block: BlockId) {
        if !self.led.put(block.index()) {
            self.open_blocks.push(block);
        }
    }

    /// Adds the blocks between a block and its join, and the values that are chosen there. The ways from a block on are
    /// its own to its join and, as each block between is led from too, theirs to their joins.
    fn follow(&mut self, block: BlockId) {
        let kernel = self.kernel;
        // What is never reached leads nowhere.
        let last =
            kernel.blocks[block.index()].instructions.last().filter(|_| self.flow.position(block) < self.flow.end());
        let stop = self.flow.join(block);
        for next in last.map(|last| last.kind.successors()).unwrap_or_default() {
            for between in self.joins.take(self.flow.position(next), stop) {
                let between = self.flow.block(between);
                self.found.blocks.insert(between.index());
                kernel.blocks[between.index()]
                    .instructions
                    .iter()
                    .filter_map(|one| one.result)
                    .for_each(|id| self.add(id));
                self.lead(between);
            }
        }
        if stop < self.flow.end() {
            let phis = kernel.blocks[self.flow.block(stop).index()].instructions.iter();
            let phis = phis.take_while(|one| matches!(one.kind, Kind::Phi(..)));
            phis.filter_map(|phi| phi.result).for_each(|id| self.add(id));
        }
    }
}

/// The tree of joins, whose root is the kernel's end; blocks that were taken are stepped over. All by position.
struct Joins {
    /// The nearest position on the way to the end that is not known to be taken; that of a block itself until then.
    next: Vec<usize>,
    above: Vec<usize>,
    depths: Vec<usize>,
}

impl Joins {
    fn new(flow: &Flow) -> Self {
        let end = flow.end();
        let above: Vec<usize> = (0..end).map(|position| flow.join(flow.block(position))).chain([end]).collect();
        let mut depths = vec![None; end + 1];
        depths[end] = Some(0);
        for position in 0..end {
            let way: Vec<usize> = std::iter::successors(Some(position), |at| Some(above[*at]))
                .take_while(|at| depths[*at].is_none())
                .collect();
            for at in way.into_iter().rev() {
                depths[at] = depths[above[at]].map(|depth: usize| depth + 1);
            }
        }
        Self { next: (0..=end).collect(), above, depths: depths.into_iter().map(Option::unwrap_or_default).collect() }
    }

    /// The nearest position from a block on, itself included, that was not taken.
    fn open(&mut self, from: usize) -> usize {
        let mut at = from;
        while self.next[at] != at {
            // Halves the way for those who come later.
            self.next[at] = self.next[self.next[at]];
            at = self.next[at];
        }
        at
    }

    /// Takes the blocks from a block on, itself included, up to a join of it; without a way there, up to the end.
    fn take(&mut self, from: usize, stop: usize) -> Vec<usize> {
        let mut taken = Vec::new();
        let mut at = self.open(from);
        // A block that never reaches the end hangs on it, so its depth says nothing.
        while at != stop && (at == from || self.depths[at] > self.depths[stop]) {
            taken.push(at);
            self.next[at] = self.above[at];
            at = self.open(at);
        }
        taken
    }
}

/// True for a load of private memory.
fn loads_private(instruction: &Instruction) -> bool {
    matches!(&instruction.kind, Kind::Load { from, .. } if matches!(from.of, Type::Pointer(0 | PRIVATE)))
}

/// True if a group executes what is not known.
pub(super) fn is_open(executed: &Executed) -> bool {
    let is_open = |kind: &FindingKind| matches!(kind, FindingKind::Assembly | FindingKind::UnknownFunction(_));
    executed.findings.iter().any(|finding| is_open(&finding.kind))
}

/// The accesses of an execution to memory that work items share, by block and position.
pub(super) fn accesses(executed: &Executed) -> BTreeSet<(u32, usize)> {
    let runs = Step::all(&executed.trace).filter_map(|(step, _)| match step {
        Step::Block(run) => Some(run),
        _ => None,
    });
    let is_shared = |kind: AccessKind, memory| {
        matches!(kind, AccessKind::Load | AccessKind::Store | AccessKind::Atomic) && memory == SourceMemory::Local
    };
    runs.flat_map(|run| {
        let shared = run.accesses.iter().filter(move |access| is_shared(access.kind, access.memory));
        shared.map(|access| (run.block.0, access.instruction))
    })
    .collect()
}
