//! The origins of values that an execution does not know.

use std::collections::BTreeMap;

use super::execute::{FindingKind, KnownField, SourceFinding, operands};
use super::ir::{Instruction, IrModule, Kind, Operand, Type, Typed, ValueId};
use super::run::KnownArguments;

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

/// The origin of what decides a branch, a number of iterations or an address. `given` are the values of arguments.
#[must_use]
pub fn unknown_origin(module: &IrModule, finding: &SourceFinding, given: &KnownArguments) -> UnknownOrigin {
    let instructions = module.kernel.blocks.iter().flat_map(|block| &block.instructions);
    let here = instructions.filter(|instruction| instruction.places == finding.places);
    let decides = here.filter_map(|instruction| subject(&finding.kind, &instruction.kind));
    let walk = Walk::new(module, given);
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

/// The ways to numbers that show a tensor of torch: without its sizes and strides, the kernel has no addresses.
const TENSOR: [&str; 2] = [".sizes_[0]", ".strides_[0]"];

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
    module: &'a IrModule,
    given: &'a KnownArguments,
    definitions: Vec<Option<&'a Instruction>>,
}

impl<'a> Walk<'a> {
    fn new(module: &'a IrModule, given: &'a KnownArguments) -> Self {
        let kernel = &module.kernel;
        let mut definitions = vec![None; kernel.values];
        for instruction in kernel.blocks.iter().flat_map(|block| &block.instructions) {
            if let Some(result) = instruction.result {
                definitions[result.index()] = Some(instruction);
            }
        }
        Self { module, given, definitions }
    }

    /// The arguments without a value, in their order, unless the value also comes from memory.
    fn origin(&self, from: ValueId) -> UnknownOrigin {
        let mut seen = vec![false; self.module.kernel.values];
        let mut open = vec![from];
        let mut found = BTreeMap::new();
        while let Some(value) = open.pop() {
            if std::mem::replace(&mut seen[value.index()], true) {
                continue;
            }
            match self.definitions[value.index()] {
                None => {
                    let parameters = self.module.kernel.parameters.iter().enumerate();
                    let parameter = parameters.filter(|(_, parameter)| matches!(parameter.of, Type::Integer(_)));
                    let is_given = |position: usize| self.given.values.iter().any(|(given, _)| *given == position);
                    let mut missing = parameter.filter(|(position, _)| !is_given(*position));
                    let name = missing.find(|(_, one)| one.value == value);
                    found.extend(name.map(|(position, one)| ((position, 0), one.name.to_string())));
                }
                Some(Instruction { kind: Kind::Load { of, from, .. }, .. }) if self.is_of_tensor(from) => {
                    if let (Type::Integer(_), Some((position, first))) = (of.element(), self.place(from)) {
                        let places = (0..of.elements()).map(|at| first + at * self.module.size(of.element()));
                        let missing =
                            places.filter_map(|place| Some(((position, place), self.missing_field(position, place)?)));
                        found.extend(missing);
                    }
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

    /// True for an address in a tensor that is passed by value.
    fn is_of_tensor(&self, address: &Typed) -> bool {
        let declared = self.place(address).and_then(|(position, _)| self.module.kernel.declared.get(position));
        declared.is_some_and(|parameter| TENSOR.iter().all(|way| parameter.of.at(way).is_some()))
    }

    /// The name of the number at a place in a structure; `None` if it has a value, or if there is none.
    fn missing_field(&self, position: usize, place: u64) -> Option<String> {
        let is_here = |field: &KnownField| field.parameter == position && field.offset == place;
        let declared = self.module.kernel.declared.get(position).filter(|_| !self.given.fields.iter().any(is_here))?;
        Some(format!("{}{}", declared.name, declared.of.path_to(place)?))
    }

    /// The parameter, a structure that is passed by value, and the byte in it that a constant address leads to; `None` for
    /// other addresses.
    fn place(&self, address: &Typed) -> Option<(usize, u64)> {
        let value = address.operand.value()?;
        match &self.definitions[value.index()] {
            None => {
                let mut parameters = self.module.kernel.parameters.iter();
                Some((parameters.position(|one| one.value == value && one.by_value)?, 0))
            }
            Some(Instruction { kind: Kind::Cast(_, from, _), .. }) => self.place(from),
            Some(Instruction { kind: Kind::Element(of, all), .. }) => {
                let (base, indices) = all.split_first()?;
                let (position, mut place) = self.place(base)?;
                let (mut of, mut is_inside) = (of.clone(), false);
                for index in indices {
                    let index = match index.operand {
                        Operand::Integer(index) => u64::try_from(index).ok()?,
                        Operand::Zero => 0,
                        _ => return None,
                    };
                    let (behind, inner) = match &of {
                        _ if !std::mem::replace(&mut is_inside, true) => {
                            (index.checked_mul(self.module.size(&of))?, of.clone())
                        }
                        Type::Array(_, element) => (index.checked_mul(self.module.size(element))?, (**element).clone()),
                        structure => self.module.field(structure, usize::try_from(index).ok()?)?,
                    };
                    (place, of) = (place.checked_add(behind)?, inner);
                }
                Some((position, place))
            }
            _ => None,
        }
    }
}
