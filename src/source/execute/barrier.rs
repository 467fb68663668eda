//! Barriers of the group: all work items that have not returned must reach one together.

use super::super::ir::{BlockId, Callee, Instruction, Kind};
use super::super::value::Mask;
use super::error::{ExecuteError, ExecuteProblem};
use super::finding::FindingKind;
use super::state::Run;
use crate::source::functions::{Function, function};

impl Run<'_> {
    /// Passes a barrier with the work items of a mask.
    pub(super) fn barrier(&mut self, instruction: &Instruction, mask: &Mask) -> Result<(), ExecuteError> {
        let mut expected = self.context.clone();
        expected.difference_with(&self.returned);
        let standing = self.fronts.all().filter(|(position, _)| *position < self.flow.end());
        let standing = standing.map(|(position, arrivals)| (self.flow.block(position), arrivals));
        // Compilers join all returns of a kernel in one block at its end.
        let (returning, elsewhere): (Vec<_>, Vec<_>) = standing.partition(|(block, _)| self.only_returns(*block));
        for (_, items) in returning.into_iter().flat_map(|(_, arrivals)| arrivals) {
            expected.difference_with(items);
        }
        if *mask != expected {
            let missing = expected.difference_count(mask);
            let block = elsewhere.first().map(|(block, _)| &self.module.kernel.blocks[block.index()]);
            let elsewhere =
                block.and_then(|block| block.instructions.iter().find_map(Instruction::user_place)).cloned();
            let problem = ExecuteProblem::LonelyBarrier { missing, of: self.shape.lanes(), elsewhere };
            return Err(ExecuteError { problem, places: instruction.places.clone() });
        }
        if expected != self.context {
            self.find(FindingKind::ReturnedBeforeBarrier, &instruction.places);
        }
        Ok(())
    }

    /// True for a block that does nothing but return.
    fn only_returns(&self, block: BlockId) -> bool {
        self.module.kernel.blocks[block.index()].instructions.iter().all(|instruction| match &instruction.kind {
            Kind::Return => true,
            Kind::Call { callee: Callee::Named(name), .. } => function(name).does == Function::Nothing,
            _ => false,
        })
    }
}
