//! The origins of values that an execution does not know.

use std::collections::BTreeMap;

use super::execute::{FindingKind, SourceFinding, operands};
use super::ir::{Instruction, IrFunction, Kind, Operand, Type, Typed, ValueId};

/// The origin of a value that an execution does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnknownOrigin {
    /// These arguments without a value, at least one, and nothing from memory.
    Arguments(Vec<String>),
    /// Memory.
    Data,
    /// Neither: another value that is not known decides it, such as the iterations of a loop around it.
    Other,
}

/// The origin of what decides a branch, a number of iterations or an address. `given` are the positions of the arguments
/// with a value.
#[must_use]
pub fn unknown_origin(kernel: &IrFunction, finding: &SourceFinding, given: &[usize]) -> UnknownOrigin {
    let instructions = kernel.blocks.iter().flat_map(|block| &block.instructions);
    let here = instructions.filter(|instruction| instruction.places == finding.places);
    let decides = here.filter_map(|instruction| subject(&finding.kind, &instruction.kind));
    let walk = Walk::new(kernel, given);
    let mut origins: Vec<UnknownOrigin> = decides
        .map(|decides| match decides.operand {
            Operand::Value(value) => walk.origin(value),
            _ => UnknownOrigin::Data,
        })
        .collect();
    // A place may have several instructions: an argument is the answer to give, and data is more likely than neither.
    let is_argument = |origin: &UnknownOrigin| matches!(origin, UnknownOrigin::Arguments(_));
    match origins.iter().position(is_argument) {
        Some(at) => origins.swap_remove(at),
        None if origins.iter().all(|origin| *origin == UnknownOrigin::Other) && !origins.is_empty() => {
            UnknownOrigin::Other
        }
        None => UnknownOrigin::Data,
    }
}

/// The operand that decides what a finding is about; `None` if the instruction is another one.
fn subject<'a>(finding: &FindingKind, kind: &'a Kind) -> Option<&'a Typed> {
    match (finding, kind) {
        (
            FindingKind::BranchOnData { .. } | FindingKind::TripsOnData { .. },
            Kind::Branch(decides, _) | Kind::Switch(decides, ..),
        )
        | (
            FindingKind::AddressOnData(..),
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

    /// The arguments without a value, in their order, unless the value also comes from memory.
    fn origin(&self, from: ValueId) -> UnknownOrigin {
        let mut seen = vec![false; self.kernel.values];
        let mut open = vec![from];
        let mut found = BTreeMap::new();
        while let Some(value) = open.pop() {
            if std::mem::replace(&mut seen[value.index()], true) {
                continue;
            }
            match self.definitions[value.index()] {
                None => {
                    let parameters = self.kernel.parameters.iter().enumerate();
                    let parameter = parameters.filter(|(_, parameter)| matches!(parameter.of, Type::Integer(_)));
                    let mut missing = parameter.filter(|(position, _)| !self.given.contains(position));
                    let name = missing.find(|(_, one)| one.value == value);
                    found.extend(name.map(|(position, one)| (position, one.name.to_string())));
                }
                Some(Instruction { kind: Kind::Load { .. } | Kind::Atomic(..), .. }) => return UnknownOrigin::Data,
                Some(Instruction { kind: Kind::Phi(_, sources), .. }) => {
                    open.extend(sources.iter().filter_map(|(_, operand)| match operand {
                        Operand::Value(id) => Some(*id),
                        _ => None,
                    }));
                }
                Some(instruction) => open.extend(operands(&instruction.kind)),
            }
        }
        let names: Vec<String> = found.into_values().collect();
        if names.is_empty() { UnknownOrigin::Other } else { UnknownOrigin::Arguments(names) }
    }
}
