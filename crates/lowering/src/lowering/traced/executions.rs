//! The number of executions: loops, warps and shares.

use crate::lowering::exact::Exact;
use autotune_kernel::source::Mask;

/// The number of parts that a share of executions is counted in.
const SHARES: u64 = 1 << 16;

/// A loop of many iterations around an access, the innermost last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Repeated {
    pub(super) counter: u32,
    pub(super) times: u64,
    /// The number of the first symbol of data that changes from one iteration to the next.
    pub(super) data_from: u32,
}

/// The number of warps with a work item in a mask.
pub(in crate::lowering) fn warps(items: &Mask, warp_size: u64) -> u64 {
    let mut last = None;
    let mut count = 0;
    for lane in items.ones() {
        let warp = lane as u64 / warp_size;
        count += u64::from(last != Some(warp));
        last = Some(warp);
    }
    count
}

/// A share of executions in parts.
pub(in crate::lowering) fn share(share: f64) -> Exact {
    let parts =
        num_traits::ToPrimitive::to_u64(&(share * num_traits::ToPrimitive::to_f64(&SHARES).unwrap_or(1.0)).round());
    Exact::ratio(parts.unwrap_or(SHARES), SHARES)
}
