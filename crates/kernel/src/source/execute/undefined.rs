//! Values that are not defined: quotients by 0, and what is computed from them. They are an error where they are used.

use super::super::ir::{Instruction, Kind, Operand, ValueId};
use super::super::trace::SourceAccess;
use super::super::value::{Known, Mask};
use super::error::{ExecuteError, Undefined};
use super::fronts::{Arrival, Origin};
use super::levels::operands;
use super::state::Run;

impl Run<'_> {
    /// Follows values that are not defined through an instruction of the block, which has been executed; `accesses` are those
    /// that it has noted.
    ///
    /// # Errors
    /// If the address or the value of an access, or the condition of a branch, is not defined in a work item.
    pub(super) fn follow_undefined(
        &mut self,
        instruction: &Instruction,
        accesses: &[SourceAccess],
    ) -> Result<(), ExecuteError> {
        if self.undefined.is_empty() {
            return Ok(());
        }
        let Some((mut lanes, error)) = self.undefined_in(&instruction.kind) else {
            self.define(instruction.result);
            return Ok(());
        };
        let uses = match &instruction.kind {
            kind if kind.leaves() => true,
            Kind::Store { .. } | Kind::Load { .. } | Kind::Atomic(..) => true,
            // Work items that a predicate leaves out access nothing.
            Kind::Call { .. } => {
                let accessing = |lane: usize| {
                    accesses.iter().any(|access| access.items.as_ref().is_none_or(|items| items.contains(lane)))
                };
                lanes.ones().any(accessing)
            }
            _ => false,
        };
        if uses {
            return Err(error);
        }
        if let Some(result) = instruction.result {
            lanes.intersect_with(&self.items);
            self.set_undefined(result, lanes, error);
        }
        Ok(())
    }

    /// The phis of a block whose work items arrive with values that are not defined.
    pub(super) fn undefined_phis(&mut self, instructions: &[Instruction], arrivals: &[Arrival]) {
        if self.undefined.is_empty() {
            return;
        }
        let mut found = Vec::new();
        for instruction in instructions {
            let (Kind::Phi(_, incoming), Some(result)) = (&instruction.kind, instruction.result) else { break };
            let mut all: Option<Undefined> = None;
            for (origin, items) in arrivals {
                let is_from = |block| match origin {
                    Origin::Entry => false,
                    Origin::Block(from) => from == block,
                    Origin::Either(blocks) => blocks.contains(block),
                };
                for (_, operand) in incoming.iter().filter(|(block, _)| is_from(block)) {
                    all = joined(all, self.undefined_operand(operand), items);
                }
            }
            found.push((result, all));
        }
        for (result, all) in found {
            match all {
                Some((lanes, error)) => self.set_undefined(result, lanes, error),
                None => self.define(Some(result)),
            }
        }
    }

    fn undefined_operand(&self, operand: &Operand) -> Option<&Undefined> {
        self.undefined.get(&operand.value()?)
    }

    /// The work items of the block where an operand of an instruction is not defined; `None` if it is defined in all.
    fn undefined_in(&mut self, kind: &Kind) -> Option<Undefined> {
        if let Kind::Select([condition, first, second]) = kind {
            let mut taken = self.items.clone();
            let mut rest = self.items.clone();
            let known = self.typed(condition);
            if let Some(Known { base, .. }) = known.known().filter(|known| !known.is_on_data()) {
                self.items.ones().for_each(|lane| match base.at(lane, &self.shape) {
                    0 => taken.set(lane, false),
                    _ => rest.set(lane, false),
                });
            }
            let all = joined(None, self.undefined_operand(&condition.operand), &self.items);
            let all = joined(all, self.undefined_operand(&first.operand), &taken);
            return joined(all, self.undefined_operand(&second.operand), &rest);
        }
        let decides = match kind {
            Kind::Branch(condition, _) | Kind::Switch(condition, ..) => condition.operand.value(),
            Kind::ExtractValue(aggregate, _) => aggregate.operand.value(),
            _ => None,
        };
        let used: Vec<ValueId> = operands(kind).chain(decides).collect();
        used.iter().fold(None, |all, id| joined(all, self.undefined.get(id), &self.items))
    }

    /// Notes that a value is not defined in work items.
    pub(super) fn set_undefined(&mut self, id: ValueId, mut lanes: Mask, error: ExecuteError) {
        // Iterations are compared without it.
        self.walk_all();
        if let Some((before, _)) = self.undefined.remove(&id) {
            lanes.extend(before.ones().filter(|lane| !self.items.contains(*lane)));
        }
        self.undefined.insert(id, (lanes, error));
    }

    /// Notes that a value is defined in the work items of the block.
    fn define(&mut self, id: Option<ValueId>) {
        let Some(id) = id else { return };
        if let Some((mut lanes, error)) = self.undefined.remove(&id) {
            lanes.difference_with(&self.items);
            if !lanes.is_clear() {
                self.undefined.insert(id, (lanes, error));
            }
        }
    }
}

/// The work items of both; those of the second within others.
fn joined(all: Option<Undefined>, other: Option<&Undefined>, within: &Mask) -> Option<Undefined> {
    let other = other.and_then(|(lanes, error)| {
        let mut lanes = lanes.clone();
        lanes.intersect_with(within);
        (!lanes.is_clear()).then(|| (lanes, error.clone()))
    });
    match (all, other) {
        (Some((mut lanes, error)), Some((more, _))) => {
            lanes.union_with(&more);
            Some((lanes, error))
        }
        (all, other) => all.or(other),
    }
}
