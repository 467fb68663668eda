//! The arguments whose values an execution lacks.

use super::execute::{Finding, FindingKind, operands};
use super::ir::{Instruction, IrFunction, Kind, Operand, Type, Typed, ValueId};

/// The integer argument without a value on which a branch, a number of iterations or an address depends; `None` if it
/// depends on data, or on nothing that a user can give. `given` are the positions of the arguments with a value.
#[must_use]
pub fn missing_argument(kernel: &IrFunction, finding: &Finding, given: &[usize]) -> Option<String> {
    let instructions = kernel.blocks.iter().flat_map(|block| &block.instructions);
    let mut here = instructions.filter(|instruction| instruction.places == finding.places);
    here.find_map(|instruction| {
        let first = subject(&finding.kind, &instruction.kind)?;
        let Operand::Value(value) = first.operand else { return None };
        Walk::new(kernel, given).argument(value)
    })
}

/// The operand that decides what a finding is about; `None` if the instruction is another one.
fn subject<'a>(finding: &FindingKind, kind: &'a Kind) -> Option<&'a Typed> {
    match (finding, kind) {
        (
            FindingKind::BranchOnData | FindingKind::TripsOnData { .. },
            Kind::Branch(decides, _) | Kind::Switch(decides, ..),
        )
        | (
            FindingKind::AddressOnData(_),
            Kind::Load { from: decides, .. } | Kind::Store { to: decides, .. } | Kind::Atomic(decides, _),
        ) => Some(decides),
        _ => None,
    }
}

/// A walk from a value to all that it is computed from.
struct Walk<'a> {
    kernel: &'a IrFunction,
    given: &'a [usize],
    definitions: Vec<Option<&'a Instruction>>,
}

impl<'a> Walk<'a> {
    fn new(kernel: &'a IrFunction, given: &'a [usize]) -> Self {
        let mut definitions = vec![None; kernel.values];
        for instruction in kernel.blocks.iter().flat_map(|block| &block.instructions) {
            if let Some(result) = instruction.result {
                definitions[result.index()] = Some(instruction);
            }
        }
        Self { kernel, given, definitions }
    }

    /// The first argument without a value; `None` if the value also comes from memory.
    fn argument(&self, from: ValueId) -> Option<String> {
        let mut seen = vec![false; self.kernel.values];
        let mut open = vec![from];
        let mut found = None;
        while let Some(value) = open.pop() {
            if std::mem::replace(&mut seen[value.index()], true) {
                continue;
            }
            match self.definitions[value.index()] {
                None => {
                    let parameters = self.kernel.parameters.iter().enumerate();
                    let parameter = parameters.filter(|(_, parameter)| matches!(parameter.of, Type::Integer(_)));
                    let missing = parameter.filter(|(position, _)| !self.given.contains(position));
                    let name = missing.map(|(_, one)| one).find(|one| one.value == value);
                    found = found.or(name.map(|one| one.name.to_string()));
                }
                Some(Instruction { kind: Kind::Load { .. } | Kind::Atomic(..), .. }) => return None,
                Some(Instruction { kind: Kind::Phi(_, sources), .. }) => {
                    open.extend(sources.iter().filter_map(|(_, operand)| match operand {
                        Operand::Value(id) => Some(*id),
                        _ => None,
                    }));
                }
                Some(instruction) => open.extend(operands(&instruction.kind)),
            }
        }
        found
    }
}
