//! The memory behind a pointer whose address depends on data, as the pointers that it comes from say it.

use std::collections::BTreeSet;

use super::super::ir::{Instruction, Kind, Operand, Type, Typed, ValueId};
use super::super::trace::SourceMemory;
use super::super::value::Value;
use super::memory::of_space;
use super::state::Run;

impl Run<'_> {
    /// The memory that an instruction of the block under way reaches, whatever its index: that of all pointers that its own
    /// may come from. `None` if one of them is not known, or they reach several memories.
    pub(super) fn memory_behind(&mut self, position: usize) -> Option<SourceMemory> {
        let instructions = &self.module.kernel.blocks[self.block.index()].instructions;
        let mut open = match &instructions.get(position)?.kind {
            Kind::Load { from, .. } => vec![from.clone()],
            Kind::Store { to, .. } | Kind::Atomic(to, _) => vec![to.clone()],
            _ => return None,
        };
        let (mut seen, mut found) = (BTreeSet::new(), BTreeSet::new());
        while let Some(pointer) = open.pop() {
            match (&pointer.of, &pointer.operand) {
                (_, Operand::Element(element)) => open.extend(element.1.first().cloned()),
                (Type::Pointer(space), _) if *space != 0 => drop(found.insert(of_space(*space))),
                (_, operand) => {
                    if let value @ Value::Known(_) = self.typed(&pointer) {
                        let all = self.context.clone();
                        found.extend(self.memories_at(&pointer.of, &value, &all));
                    } else {
                        let id = operand.value()?;
                        if seen.insert(id.index()) {
                            let (more, memory) = self.step_behind(id)?;
                            open.extend(more);
                            found.extend(memory);
                        }
                    }
                }
            }
        }
        if found.len() == 1 { found.pop_first() } else { None }
    }

    /// The pointers that a value is computed from, and the memory that it points to without them; `None` if nothing is known.
    fn step_behind(&mut self, id: ValueId) -> Option<(Vec<Typed>, Option<SourceMemory>)> {
        let kernel = &self.module.kernel;
        let Some((block, position)) = self.definitions.get(id.index()).copied().flatten() else {
            // Pointers that a launch passes, also in structures, are to global memory.
            return kernel
                .parameters
                .iter()
                .any(|one| one.value == id)
                .then_some((Vec::new(), Some(SourceMemory::Global)));
        };
        let Instruction { kind, .. } = &kernel.blocks[block.index()].instructions[position];
        let pointers = match kind {
            Kind::Element(_, all) => all.first().cloned().into_iter().collect(),
            Kind::Cast(_, one, _) | Kind::Freeze(one) | Kind::ExtractValue(one, _) => vec![one.clone()],
            Kind::Select([_, first, second]) => vec![first.clone(), second.clone()],
            Kind::Phi(of, incoming) => {
                incoming.iter().map(|(_, operand)| Typed { of: of.clone(), operand: operand.clone() }).collect()
            }
            Kind::Load { from, .. } => {
                let address = self.typed(from);
                let all = self.context.clone();
                let is_argument = self.memories_at(&from.of, &address, &all) == [SourceMemory::Constant];
                return is_argument.then_some((Vec::new(), Some(SourceMemory::Global)));
            }
            _ => return None,
        };
        Some((pointers, None))
    }
}
