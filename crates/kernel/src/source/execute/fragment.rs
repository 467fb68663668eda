//! Parts of matrices that a warp loads or stores at once.

use super::super::ir::Type;
use super::super::ptx::Fragment;
use super::super::trace::{AccessKind, SourceAccess, SourceMemory};
use super::super::value::{Known, Lanes, Mask, Value};
use super::memory::{Accessing, in_first_lanes, restrict};
use super::state::Run;

/// Lanes of a warp, as PTX knows it.
pub(super) const WARP: usize = 32;

impl Run<'_> {
    /// Notes the accesses of a warp to a fragment: from the address of its first element, with a stride in elements,
    /// which is `None` if it depends on data. `all` are the work items that execute the instruction.
    pub(super) fn fragment(
        &mut self,
        what: &Accessing,
        all: &Mask,
        (of, first): (&Type, &Value),
        (fragment, stride): (&Fragment, Option<i64>),
        accesses: &mut Vec<SourceAccess>,
    ) {
        let is_local = self.memories_at(of, first, what.mask) == [SourceMemory::Local];
        let lanes = what.mask.len();
        for one in fragment.accesses(is_local, what.kind == AccessKind::Store, stride.unwrap_or(0)) {
            let part = in_first_lanes(what.mask, one.offsets.len(), WARP);
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
            let noted = accesses.len();
            self.access(of, &address, &access, accesses);
            accesses[noted..].iter_mut().for_each(|access| access.split = one.split);
            restrict(&mut accesses[noted..], &part, all);
        }
    }
}
