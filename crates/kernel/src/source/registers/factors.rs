//! The parts of factors that a warp loads from local memory for its matrix instructions.

use super::super::functions::{Function, function};
use super::super::ir::{Callee, Kind};
use super::super::ptx::{Ptx, meaning};

/// The words of a work item that an instruction loads as a part of a factor; `None` if it does not.
pub(super) fn factor_words(kind: &Kind) -> Option<u64> {
    let Kind::Call { callee: Callee::Assembly(assembly), .. } = kind else { return None };
    let words = assembly.statements.iter().flatten().filter_map(|statement| match meaning(&statement.operation) {
        // A matrix of 8 rows of 16 bytes is a word of each lane.
        Ok(Ptx::LoadMatrices(matrices)) => Some(matrices),
        Ok(Ptx::MoveFragment(moved)) if !moved.is_store => moved.part.factor_words(),
        _ => None,
    });
    words.reduce(|one, other| one + other)
}

/// True for a barrier of the group or of all groups: loads from local memory stay on their side of it.
pub(super) fn is_barrier(kind: &Kind) -> bool {
    let Kind::Call { callee: Callee::Named(name), .. } = kind else { return false };
    matches!(function(name).does, Function::Barrier | Function::GridBarrier)
}
