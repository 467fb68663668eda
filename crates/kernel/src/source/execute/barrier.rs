//! Barriers of the group: all work items that have not returned must reach one together.

use super::super::ir::{BlockId, Callee, Instruction, Kind};
use super::super::value::{Known, Mask, Value};
use super::error::{ExecuteError, ExecuteProblem};
use super::finding::FindingKind;
use super::fronts::Arrival;
use super::state::Run;
use crate::source::functions::{Function, function};

/// The reason why a barrier of a part of the group is refused.
pub(super) const OF_A_PART: &str = "barriers of a part of the group come in a later version";

impl Run<'_> {
    /// Passes a barrier with the work items of a mask.
    pub(super) fn barrier(&mut self, instruction: &Instruction, mask: &Mask) -> Result<(), ExecuteError> {
        let expected = self.expected();
        if *mask != expected {
            let missing = expected.difference_count(mask);
            let elsewhere = self.elsewhere().find(|(block, _)| !self.only_returns(*block));
            let block = elsewhere.map(|(block, _)| &self.module.kernel.blocks[block.index()]);
            let elsewhere =
                block.and_then(|block| block.instructions.iter().find_map(Instruction::user_place)).cloned();
            let place = |lane: Option<usize>| lane.map_or([0; 3], |lane| self.shape.coordinates()[lane]);
            let items = Box::new([place(mask.minimum()), place(expected.difference(mask).next())]);
            let of = self.shape.lanes();
            let problem = ExecuteProblem::LonelyBarrier { missing, of, items, elsewhere };
            return Err(ExecuteError { problem, places: instruction.places.clone() });
        }
        if expected != self.context {
            self.find(FindingKind::ReturnedBeforeBarrier, &instruction.places);
        }
        Ok(())
    }

    /// True if a barrier with a number, and with a count of work items if it has one, is not known to be one of the whole group:
    /// some of its work items wait for each other, and the others do not.
    pub(super) fn is_of_a_part(&self, [id, count]: [Option<&Value>; 2], mask: &Mask) -> bool {
        let items = self.shape.lanes();
        let of_all = [items, items.div_ceil(self.warp()) * self.warp()];
        let counts_all = |count: &Value| {
            let count = count.known().and_then(Known::as_constant).and_then(|count| usize::try_from(count).ok());
            count.is_some_and(|count| of_all.contains(&count))
        };
        let is_one = |id: &Value| match id {
            Value::Known(id) => {
                let mut all = mask.ones().map(|lane| id.base.at(lane, &self.shape));
                let first = all.next();
                all.all(|other| Some(other) == first)
            }
            _ => false,
        };
        !count.is_none_or(counts_all) || !id.is_none_or(is_one)
    }

    /// The work items that have not returned and do not stand where nothing but the end follows.
    pub(super) fn expected(&self) -> Mask {
        let mut expected = self.context.clone();
        expected.difference_with(&self.returned);
        // Compilers join all returns of a kernel in one block at its end.
        for (_, arrivals) in self.elsewhere().filter(|(block, _)| self.only_returns(*block)) {
            for (_, items) in arrivals {
                expected.difference_with(items);
            }
        }
        expected
    }

    /// The blocks where work items stand that are not in the block under way.
    pub(super) fn elsewhere(&self) -> impl Iterator<Item = (BlockId, &Vec<Arrival>)> {
        let standing = self.fronts.all().filter(|(position, _)| *position < self.flow.end());
        standing.map(|(position, arrivals)| (self.flow.block(position), arrivals))
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
