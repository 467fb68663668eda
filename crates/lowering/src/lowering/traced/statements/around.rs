//! The configuration and the loops around an access.

use crate::lowering::access::warp::MemoryBanks;
use crate::lowering::exact::Exact;
use crate::lowering::traced::executions::warps;
use autotune_kernel::source::{Mask, TracedKernel};

/// A loop around the statements.
#[derive(Debug, Clone)]
pub(super) struct LoopAround {
    /// The counter of the executed iterations that stand for all of them; `None` if no address moves with it.
    pub(super) counter: Option<u32>,
    pub(super) times: u64,
    /// The counter in the first iteration of the body's loop; below 0 if iterations before those that it counts are alike.
    pub(super) first: i64,
    /// The counter's name in the body.
    pub(super) var: String,
}

/// The configuration and the loops around an access.
pub(super) struct Surroundings<'a> {
    pub(super) traced: &'a TracedKernel,
    pub(super) loops: &'a [LoopAround],
    pub(super) grid: [u64; 3],
    pub(super) concurrent: Option<u64>,
    pub(super) banks: Option<MemoryBanks>,
    /// Bytes of a line of L1; 0 on a lockstep GPU.
    pub(super) line: u64,
    /// True if L1 keeps what a group loads.
    pub(super) l1_keeps_loads: bool,
    pub(super) warp_size: u64,
    /// The name of a counter of the access's own repetitions.
    pub(super) own: String,
    /// The share of the executions.
    pub(super) part: Exact,
}

impl Surroundings<'_> {
    /// The number of work items that stands for a mask: as many as make its warps; `None` for all.
    pub(in crate::lowering) fn items(&self, mask: &Mask) -> Option<u64> {
        let (all, active) = (self.traced.shape.lanes() as u64, mask.count_ones(..) as u64);
        let warps = warps(mask, self.warp_size);
        let items = if active.div_ceil(self.warp_size) == warps { active } else { (warps * self.warp_size).min(all) };
        (active < all).then_some(items)
    }
}
