//! The instructions that define a kernel's values.

use super::super::ir::{BlockId, IrFunction};

/// The block and the position of the instruction that defines each value; `None` for values that none defines.
pub(super) type Definitions = Vec<Option<(BlockId, usize)>>;

/// The definitions of a kernel's values.
pub(super) fn definitions(kernel: &IrFunction) -> Definitions {
    let mut all = vec![None; kernel.values];
    for (block, of) in (0..).map(BlockId).zip(&kernel.blocks) {
        for (position, instruction) in of.instructions.iter().enumerate() {
            if let Some(slot) = instruction.result.and_then(|result| all.get_mut(result.index())) {
                *slot = Some((block, position));
            }
        }
    }
    all
}
