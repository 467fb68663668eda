//! The marks of a function.

use super::super::marks::Mark;
use super::instruction::{BlockId, Callee, Instruction, Kind, Marks};

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
