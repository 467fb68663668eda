//! The costs of accesses that a body states.

use crate::lowering::exact::Exact;
use crate::lowering::phases::work::Work;

/// The costs of accesses by a group.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Costs {
    /// Bytes of the sectors that the warps ask for.
    pub(super) moved_bytes: Exact,
    /// Bytes of the passes of L1.
    pub(super) l1_bytes: Exact,
    pub(super) l2_bytes: Exact,
    /// The bytes of L2 that the group loads for the first time.
    pub(super) fresh_bytes: Exact,
    /// The bytes of L2 in sectors that take more than a slot each.
    pub(super) slotted_bytes: Exact,
    pub(super) dram_bytes: Exact,
    /// Passes of local memory.
    pub(super) local_passes: Exact,
}

impl Costs {
    /// The costs of a work.
    pub(super) fn of(work: &Work) -> Self {
        Self {
            moved_bytes: work.loaded.moved + work.stored.moved,
            l1_bytes: work.l1_bytes,
            l2_bytes: work.l2_bytes,
            fresh_bytes: work.fresh_bytes,
            slotted_bytes: work.slotted_bytes,
            dram_bytes: work.dram_bytes,
            local_passes: work.local_passes,
        }
    }

    /// The sum with other costs, each taken that often.
    pub(super) fn plus(self, more: Self, times: Exact) -> Self {
        Self {
            moved_bytes: self.moved_bytes + more.moved_bytes * times,
            l1_bytes: self.l1_bytes + more.l1_bytes * times,
            l2_bytes: self.l2_bytes + more.l2_bytes * times,
            fresh_bytes: self.fresh_bytes + more.fresh_bytes * times,
            slotted_bytes: self.slotted_bytes + more.slotted_bytes * times,
            dram_bytes: self.dram_bytes + more.dram_bytes * times,
            local_passes: self.local_passes + more.local_passes * times,
        }
    }
}
