//! The values that instructions store, as far as two stores to the same bytes may write the same.

use super::super::functions::{Function, function};
use super::super::ir::{Callee, Instruction, IrFunction, Kind, Operand, ValueId};

/// The instructions behind a value that are looked at.
const MOST_BEHIND: usize = 64;

/// The value that a store writes.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stored {
    /// A constant.
    Constant(Operand),
    /// A loaded value, unchanged, or a constant.
    Copied,
    /// A value that all work items share.
    Uniform,
    /// Anything else.
    Computed,
}

impl Stored {
    /// True if two stores may write the same for a reason that the source shows.
    pub(super) fn may_equal(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Constant(one), Self::Constant(other)) => one == other,
            (Self::Computed, _) | (_, Self::Computed) => false,
            _ => true,
        }
    }

    /// True if two stores write the same for sure; `is_one` if they are one instruction.
    pub(super) fn equals(&self, other: &Self, is_one: bool) -> bool {
        match (self, other) {
            (Self::Constant(one), Self::Constant(other)) => one == other,
            (Self::Uniform, Self::Uniform) => is_one,
            _ => false,
        }
    }
}

/// The instructions of a kernel by the values that they define.
pub(super) struct Definitions<'a>(Vec<Option<&'a Instruction>>);

impl<'a> Definitions<'a> {
    /// The definitions of all values.
    pub(super) fn new(kernel: &'a IrFunction) -> Self {
        let mut all = vec![None; kernel.values];
        for instruction in kernel.blocks.iter().flat_map(|block| &block.instructions) {
            if let Some(slot) = instruction.result.and_then(|result| all.get_mut(result.index())) {
                *slot = Some(instruction);
            }
        }
        Self(all)
    }

    /// The value that an instruction stores.
    pub(super) fn stored(&self, instruction: &Instruction) -> Stored {
        let Kind::Store { value, .. } = &instruction.kind else { return Stored::Computed };
        if value.operand.value().is_none() {
            return Stored::Constant(value.operand.clone());
        }
        if self.behind(&value.operand, is_uniform) {
            Stored::Uniform
        } else if self.behind(&value.operand, is_copied) {
            Stored::Copied
        } else {
            Stored::Computed
        }
    }

    /// The load whose value a store writes unchanged; `None` if there is no such one.
    pub(super) fn load_behind(&self, store: &Instruction) -> Option<&'a Instruction> {
        let Kind::Store { value, .. } = &store.kind else { return None };
        let mut next = value.operand.value();
        for _ in 0..MOST_BEHIND {
            let defining = self.0.get(next?.index()).copied().flatten()?;
            next = match &defining.kind {
                Kind::Load { .. } => return Some(defining),
                Kind::Cast(_, one, _) | Kind::Freeze(one) => one.operand.value(),
                _ => return None,
            };
        }
        None
    }

    /// True if a store writes what follows from arguments and from the place of the work item in its group alone.
    pub(super) fn stores_of_item(&self, store: &Instruction) -> bool {
        matches!(&store.kind, Kind::Store { value, .. } if self.behind(&value.operand, is_of_item))
    }

    /// True if a rule allows all instructions behind an operand. Parameters are allowed.
    fn behind(&self, operand: &Operand, rule: Rule) -> bool {
        let mut open: Vec<ValueId> = operand.value().into_iter().collect();
        let mut seen: Vec<ValueId> = Vec::new();
        while let Some(id) = open.pop() {
            if seen.contains(&id) {
                continue;
            }
            seen.push(id);
            let Some(defining) = self.0.get(id.index()).copied().flatten() else { continue };
            match rule(&defining.kind) {
                Some(operands) if seen.len() < MOST_BEHIND => {
                    open.extend(operands.into_iter().filter_map(Operand::value));
                }
                _ => return false,
            }
        }
        true
    }
}

/// True if two stores write one value of the kernel.
pub(super) fn store_one_value(stores: [&Instruction; 2]) -> bool {
    let value = |store: &Instruction| match &store.kind {
        Kind::Store { value, .. } => value.operand.value(),
        _ => None,
    };
    let [one, other] = stores.map(value);
    one.is_some() && one == other
}

/// The answer of a rule to an instruction: the operands that it depends on, if it may be there at all.
type Rule = fn(&Kind) -> Option<Vec<&Operand>>;

/// A value that moves what was loaded.
fn is_copied(kind: &Kind) -> Option<Vec<&Operand>> {
    match kind {
        Kind::Load { .. } => Some(Vec::new()),
        Kind::Cast(_, one, _) | Kind::Freeze(one) | Kind::ExtractValue(one, _) => Some(vec![&one.operand]),
        Kind::Extract(vector, _) => Some(vec![&vector.operand]),
        Kind::Insert([vector, element, _]) => Some(vec![&vector.operand, &element.operand]),
        Kind::Shuffle([first, second, _]) | Kind::Select([_, first, second]) => {
            Some(vec![&first.operand, &second.operand])
        }
        Kind::Phi(_, incoming) => Some(incoming.iter().map(|(_, operand)| operand).collect()),
        Kind::Call { callee: Callee::Named(name), .. } => {
            matches!(function(name).does, Function::CachedLoad | Function::LoadVector).then(Vec::new)
        }
        _ => None,
    }
}

/// A value that follows from the place of a work item in its group, and from what all work items share.
fn is_of_item(kind: &Kind) -> Option<Vec<&Operand>> {
    match kind {
        Kind::Call { callee: Callee::Named(name), .. } => {
            let of_item = ["get_local_id", "llvm.nvvm.read.ptx.sreg.tid.", "llvm.amdgcn.workitem.id."];
            of_item.iter().any(|start| function(name).name.starts_with(start)).then(Vec::new)
        }
        Kind::Load { .. } => None,
        kind => is_uniform(kind),
    }
}

/// A value that no work item of a group differs in.
fn is_uniform(kind: &Kind) -> Option<Vec<&Operand>> {
    match kind {
        Kind::Load { from, .. } => Some(vec![&from.operand]),
        Kind::Binary { left, right, .. } | Kind::Compare(_, left, right) | Kind::CompareFloat(_, left, right) => {
            Some(vec![&left.operand, right])
        }
        Kind::Cast(_, one, _) | Kind::Negate(one) | Kind::Freeze(one) => Some(vec![&one.operand]),
        Kind::Select(all) => Some(all.iter().map(|one| &one.operand).collect()),
        Kind::Element(_, all) => Some(all.iter().map(|one| &one.operand).collect()),
        _ => None,
    }
}
