//! Statements of inline assembly that reach no memory by addresses: groups, waits, products, exchanges.

use super::super::call::mark;
use super::super::state::Run;
use super::Text;
use crate::source::ir::{AssemblyOperand, AssemblyStatement};
use crate::source::ptx::{Product, Ptx};
use crate::source::trace::{AccessKind, Asynchronous, SourceAccess};
use crate::source::value::Known;

impl Run<'_> {
    /// Notes what a statement does beside memory.
    pub(super) fn marks(
        &mut self,
        text: &Text,
        does: Ptx,
        statement: &AssemblyStatement,
        accesses: &mut Vec<SourceAccess>,
    ) {
        let mut marked = |kind| accesses.push(mark(text.position, kind));
        match does {
            Ptx::Commit(what) => marked(AccessKind::Commit(what)),
            Ptx::Wait(what) => marked(AccessKind::Wait(what, self.pending(text, statement))),
            Ptx::WaitAll => {
                marked(AccessKind::Commit(Asynchronous::Copies));
                marked(AccessKind::Wait(Asynchronous::Copies, 0));
            }
            Ptx::Multiply(Product { times, shape, of }) => {
                (0..times).for_each(|_| marked(AccessKind::Product { shape, of }));
            }
            Ptx::MultiplyTogether(Product { shape, of, .. }) => {
                // A descriptor of local memory is one register, a factor in registers is a list.
                let has_local_a = !matches!(statement.operands.get(1), Some(AssemblyOperand::List(_)));
                marked(AccessKind::WarpGroupProduct { shape, of, has_local_a });
            }
            _ => marked(AccessKind::Shuffle),
        }
    }

    /// The number of groups that a wait leaves pending.
    fn pending(&mut self, text: &Text, statement: &AssemblyStatement) -> u32 {
        let pending = statement.operands.first().map(|operand| self.value(text, operand));
        let pending = pending.and_then(|value| value.known().and_then(Known::as_constant)).unwrap_or(0);
        u32::try_from(pending).unwrap_or(0)
    }
}
