//! Kernels that AMD's back end takes whatever its registers are.

use super::super::ir::{Callee, IrFunction, Kind};

/// The beginnings of the names of AMD's instructions that every target has.
const EVERYWHERE: [&str; 7] = [
    "llvm.amdgcn.workitem.id.",
    "llvm.amdgcn.workgroup.id.",
    "llvm.amdgcn.dispatch.ptr",
    "llvm.amdgcn.implicitarg.ptr",
    "llvm.amdgcn.kernarg.segment.ptr",
    "llvm.amdgcn.s.barrier",
    "llvm.amdgcn.wave.barrier",
];

/// True if nothing in a kernel is refused by a back end alone: no inline assembly, no instruction that some targets lack, and no
/// private memory, which has a limit.
#[must_use]
pub fn is_plain(kernel: &IrFunction) -> bool {
    let is_everywhere = |name: &str| {
        !name.starts_with("llvm.amdgcn.") || EVERYWHERE.iter().any(|beginning| name.starts_with(beginning))
    };
    kernel.blocks.iter().flat_map(|block| &block.instructions).all(|instruction| match &instruction.kind {
        Kind::Allocate(..) | Kind::Call { callee: Callee::Assembly(_) | Callee::Indirect, .. } => false,
        Kind::Call { callee: Callee::Named(name), .. } => is_everywhere(name),
        _ => true,
    })
}
