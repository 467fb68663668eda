//! Parts of matrices that a warp loads or stores at once.

use std::sync::Arc;

use super::super::ir::Typed;
use super::super::ptx::Fragment;
use super::super::trace::{AccessKind, SourceAccess, SourceMemory};
use super::super::value::{Known, Lanes, Mask, Value};
use super::memory::Accessing;
use super::state::Run;

/// Lanes of a warp that has matrix instructions of this kind.
const WARP: usize = 32;

impl Run<'_> {
    /// Notes the accesses of a warp to a fragment: from the address of its first element, with a stride in elements,
    /// which is `None` if it depends on data. `all` are the work items that execute the instruction.
    pub(super) fn fragment(
        &mut self,
        what: &Accessing,
        all: &Mask,
        (to, first): (&Typed, &Value),
        (fragment, stride): (&Fragment, Option<i64>),
        accesses: &mut Vec<SourceAccess>,
    ) {
        let is_local = self.memory_at(&to.of, first, what.mask) == SourceMemory::Local;
        let lanes = what.mask.len();
        for one in fragment.accesses(is_local, what.kind == AccessKind::Store, stride.unwrap_or(0)) {
            let mut part = what.mask.clone();
            (0..lanes).filter(|lane| lane % WARP >= one.offsets.len()).for_each(|lane| part.set(lane, false));
            if part.count_ones(..) == 0 {
                continue;
            }
            let address = match (first, stride) {
                (Value::Known(first), Some(_)) => {
                    let offset = |lane: usize| one.offsets.get(lane % WARP).copied().unwrap_or(0);
                    let offsets = Lanes::from_values((0..lanes).map(offset).collect(), &self.shape);
                    Value::Known(self.arithmetic().sum(first, &Known::fixed(offsets), 1, 64, true))
                }
                _ => Value::Unknown,
            };
            let access = Accessing { bytes: one.bytes, elements: one.bytes.div_ceil(4), mask: &part, ..*what };
            self.access(to, &address, &access, accesses);
            if let Some(access) = accesses.last_mut() {
                access.split = one.split;
                access.items = (part != *all).then(|| Arc::new(part));
            }
        }
    }
}
