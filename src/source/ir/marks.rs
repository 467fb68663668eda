//! The marks of a function.

use std::collections::BTreeMap;

use super::super::marks::{CountedLoop, Mark};
use super::instruction::{BlockId, Callee, Instruction, Kind, ValueId};

/// The marks of a function that were set in the compiler's text before it was optimised.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::source) struct Marks {
    /// The conditions by their values.
    pub(in crate::source) conditions: BTreeMap<ValueId, Mark>,
    /// The loops whose iterations begin in a block.
    pub(in crate::source) iterations: BTreeMap<BlockId, Vec<CountedLoop>>,
}

impl Marks {
    /// Takes the marks out of a block's instructions.
    pub(super) fn take(&mut self, block: BlockId, instructions: &mut Vec<Instruction>) {
        instructions.retain_mut(|instruction| {
            let Kind::Call { callee: Callee::Named(name), arguments, .. } = &mut instruction.kind else { return true };
            match (Mark::of(name), instruction.result, arguments.pop()) {
                (Some(Mark::Iteration(counted)), ..) => {
                    self.iterations.entry(block).or_default().push(counted);
                    false
                }
                (Some(mark @ Mark::Condition { .. }), Some(result), Some(condition)) => {
                    self.conditions.insert(result, mark);
                    instruction.kind = Kind::Freeze(condition);
                    true
                }
                (_, _, last) => {
                    arguments.extend(last);
                    true
                }
            }
        });
    }
}
