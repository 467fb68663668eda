//! The values that follow from data, and the blocks that data lead to.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;

use super::super::execute::{DataSeeds, Executed, operands};
use super::super::flow::Flow;
use super::super::ir::{AddressSpace, BlockId, Instruction, IrFunction, Kind, Operand, Type, Typed, ValueId};
use super::super::trace::{AccessKind, SourceMemory, Step};

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
        let mut found = Self { values, blocks };
        if seeds.is_empty() {
            return found;
        }
        found.values.extend(seeds.values.iter().map(|value| value.index()));
        let mut open: BTreeSet<BlockId> = seeds.branches.clone();
        loop {
            for branch in &open {
                found.lead(kernel, flow, *branch);
            }
            let before = found.values.count_ones(..);
            for (index, block) in kernel.blocks.iter().enumerate() {
                let is_led = found.blocks.contains(index);
                for one in &block.instructions {
                    let Some(result) = one.result else { continue };
                    if is_led || found.follows(one) || seeds.is_private && loads_private(one) {
                        found.values.insert(result.index());
                    }
                }
            }
            open = found.branches(kernel);
            let is_known = |branch: &BlockId| found.blocks.contains(branch.index());
            if found.values.count_ones(..) == before && open.iter().all(is_known) {
                return found;
            }
        }
    }

    /// True if data decides the value of an instruction's operands, or whether its block is executed.
    pub(super) fn decides(&self, block: BlockId, instruction: &Instruction) -> bool {
        self.blocks.contains(block.index()) || self.follows(instruction)
    }

    /// True if an operand follows from data. What is stored does not matter.
    fn follows(&self, instruction: &Instruction) -> bool {
        let is_on_data = |operand: &Operand| operand.value().is_some_and(|id| self.values.contains(id.index()));
        match &instruction.kind {
            Kind::Store { to, .. } | Kind::Atomic(to, _) => is_on_data(&to.operand),
            Kind::Phi(_, incoming) => incoming.iter().any(|(_, operand)| is_on_data(operand)),
            kind => operands(kind).any(|id| self.values.contains(id.index())),
        }
    }

    /// The blocks whose branches follow from values that do.
    fn branches(&self, kernel: &IrFunction) -> BTreeSet<BlockId> {
        let is_on_data = |typed: &Typed| typed.operand.value().is_some_and(|id| self.values.contains(id.index()));
        let branches = (0..).map(BlockId).zip(&kernel.blocks).filter(|(_, block)| {
            block.instructions.last().is_some_and(|last| match &last.kind {
                Kind::Branch(condition, _) => is_on_data(condition),
                Kind::Switch(value, ..) => is_on_data(value),
                _ => false,
            })
        });
        branches.map(|(id, _)| id).collect()
    }

    /// Adds the blocks that a branch leads to before its sides meet, and the values that are chosen where they do.
    fn lead(&mut self, kernel: &IrFunction, flow: &Flow, branch: BlockId) {
        let after =
            |block: BlockId| kernel.blocks[block.index()].instructions.last().map(|last| last.kind.successors());
        let stop = flow.join(branch);
        let mut open = after(branch).unwrap_or_default();
        let mut seen = FixedBitSet::with_capacity(kernel.blocks.len());
        while let Some(block) = open.pop() {
            if seen.put(block.index()) {
                continue;
            }
            if flow.position(block) == stop {
                let phis = kernel.blocks[block.index()].instructions.iter();
                let phis = phis.take_while(|one| matches!(one.kind, Kind::Phi(..)));
                self.values.extend(phis.filter_map(|phi| phi.result).map(ValueId::index));
                continue;
            }
            self.blocks.insert(block.index());
            open.extend(after(block).unwrap_or_default());
        }
    }
}

/// True for a load of private memory.
fn loads_private(instruction: &Instruction) -> bool {
    matches!(&instruction.kind, Kind::Load { from, .. } if matches!(from.of, Type::Pointer(0 | PRIVATE)))
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
