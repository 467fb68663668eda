//! The marks of a function.

use super::super::marks::{Begin, Mark};
use super::instruction::{BlockId, Callee, Instruction, Kind, Marks};

impl Marks {
    /// Takes the marks out of a block's instructions.
    pub(super) fn take(&mut self, block: BlockId, instructions: &mut Vec<Instruction>) {
        instructions.retain_mut(|instruction| {
            let Kind::Call { callee: Callee::Named(name), arguments, .. } = &mut instruction.kind else { return true };
            match (Mark::of(name), instruction.result, arguments.pop()) {
                (Some(Mark::Iteration(counted)), ..) => {
                    self.beginnings.entry(block).or_default().push((counted, Begin::Iteration));
                    false
                }
                (Some(Mark::Entry(counted)), ..) => {
                    self.beginnings.entry(block).or_default().push((counted, Begin::Entry));
                    false
                }
                (Some(mark @ (Mark::Condition { .. } | Mark::Exit(_))), Some(result), Some(condition)) => {
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
