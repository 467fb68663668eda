//! The values that two groups store to the same bytes, as far as the source tells that they differ.

use super::super::execute::Executed;
use super::super::ir::{BlockId, Instruction, IrFunction};
use super::super::trace::{AccessKind, SourceAccess, Step};
use super::super::value::{Shape, Slope, Symbol};
use super::stored::{Definitions, Stored, store_one_value};

/// Two groups of a launch, and the executed groups that stand for them.
pub(super) struct Told<'a> {
    pub(super) kernel: &'a IrFunction,
    pub(super) definitions: &'a Definitions<'a>,
    pub(super) executed: [&'a Executed; 2],
    /// The ids of the executed groups.
    pub(super) from: [[u64; 3]; 2],
    /// The ids of the groups that they represent.
    pub(super) to: [[u64; 3]; 2],
    pub(super) shape: &'a Shape,
}

impl Told<'_> {
    /// True if what a work item of each group stores is not the same, as far as the source tells.
    pub(super) fn differ(&self, stores: [&Instruction; 2], lanes: [usize; 2]) -> bool {
        let is_one = std::ptr::eq(stores[0], stores[1]);
        let loaded = [0, 1].map(|of| self.loaded(stores[of], of, lanes[of]));
        match stores.map(|store| self.definitions.stored(store)) {
            [Stored::Constant(one), Stored::Constant(other)] => one != other,
            [Stored::Uniform, Stored::Uniform] => !is_one && !store_one_value(stores),
            [Stored::Copied | Stored::Uniform, Stored::Copied | Stored::Uniform] => match &loaded {
                // The same address has the same data.
                [Some(one), Some(other)] => one != other,
                _ => false,
            },
            [Stored::Computed, Stored::Computed] => {
                !(is_one && lanes[0] == lanes[1] && self.definitions.stores_of_item(stores[0]))
            }
            _ => true,
        }
    }

    /// The array and the address that a stored value comes from unchanged in a work item of a group; `None` if it does not, or
    /// the address is not known.
    fn loaded(&self, store: &Instruction, of: usize, lane: usize) -> Option<(&str, i64)> {
        let load = self.definitions.load_behind(store)?;
        let (block, position) = self.place_of(load)?;
        let access = self.only_access(of, block, position)?;
        let (region, address) = (access.region?, access.address.as_ref()?);
        let mut at = address.base.at(lane, self.shape).wrapping_sub(region.address());
        for (symbol, slope) in &address.slopes {
            let Symbol::Group(axis) = symbol else { return None };
            let axis = usize::from(*axis);
            let distance = self.to[of][axis].cast_signed() - self.from[of][axis].cast_signed();
            match slope {
                Slope::By(slope) => at = at.wrapping_add(slope.at(lane, self.shape).wrapping_mul(distance)),
                Slope::Uneven(_) if distance == 0 => {}
                Slope::Uneven(_) => return None,
            }
        }
        Some((&self.executed[of].regions[region.0 as usize].name, at))
    }

    fn place_of(&self, load: &Instruction) -> Option<(BlockId, usize)> {
        (0..).map(BlockId).zip(&self.kernel.blocks).find_map(|(id, block)| {
            block.instructions.iter().position(|one| std::ptr::eq(one, load)).map(|position| (id, position))
        })
    }

    /// The access of an instruction that a group executes once; `None` if it executes the instruction several times.
    fn only_access(&self, of: usize, block: BlockId, position: usize) -> Option<&SourceAccess> {
        let runs = Step::all(&self.executed[of].trace).filter_map(|(step, _)| match step {
            Step::Block(run) if run.block == block => Some(run),
            _ => None,
        });
        let mut accesses = runs.flat_map(|run| &run.accesses).filter(|access| access.instruction == position);
        let access = accesses.next().filter(|access| access.kind == AccessKind::Load)?;
        accesses.next().is_none().then_some(access)
    }
}
