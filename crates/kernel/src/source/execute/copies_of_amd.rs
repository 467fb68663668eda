//! The copies to local memory by AMD's instructions, and who waits for them.

use super::super::ir::{Callee, IrFunction, Kind};

/// The copies to local memory that a kernel makes by AMD's instructions.
pub(super) struct CopiesOfAmd {
    pub(super) are_made: bool,
    /// True if the kernel waits for copies by itself.
    are_waited_for: bool,
}

impl CopiesOfAmd {
    pub(super) fn new(kernel: &IrFunction) -> Self {
        let names = || {
            let all = kernel.blocks.iter().flat_map(|block| &block.instructions);
            all.filter_map(|one| match &one.kind {
                Kind::Call { callee: Callee::Named(name), .. } => name.strip_prefix("llvm.amdgcn."),
                _ => None,
            })
        };
        let calls = |end: &str| names().any(|name| name.ends_with(end));
        Self { are_made: calls("load.lds"), are_waited_for: calls("s.waitcnt") }
    }

    /// True if barriers wait for the copies: the compiler waits for them where the kernel does not.
    pub(super) fn end_at_barriers(&self) -> bool {
        self.are_made && !self.are_waited_for
    }
}
