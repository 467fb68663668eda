//! The work of what only computes, and shares of blocks.

use super::executions::share;
use crate::lowering::exact::Exact;
use crate::lowering::phases::block::{Block, straight_runs};
use crate::lowering::phases::work::Work;
use autotune_base::text::Place;
use autotune_kernel::source::Operations;

/// The operations of a block by a number of warps.
pub(super) fn computed(place: Place, operations: Operations, warps: u64, is_new: bool) -> Work {
    let mut work = Work::at(place);
    if is_new {
        work.code = Exact::from(operations.all());
    }
    for (issued, warps) in [(&mut work.issued, warps), (&mut work.first_warp, 1)] {
        let of = |count: u64| Exact::from(count) * Exact::from(warps);
        issued.instructions = of(operations.all());
        issued.fp32 = of(operations.fp32);
        issued.int32 = of(operations.int32);
        issued.fp64 = of(operations.fp64);
        issued.fp16 = of(operations.fp16);
        issued.special = of(operations.special);
    }
    work
}

/// Multiplies the work of blocks by a share of executions.
pub(super) fn scale(blocks: &mut [Block], part: f64) {
    if (part - 1.0).abs() < f64::EPSILON {
        return;
    }
    let part = share(part);
    straight_runs(blocks, 1, &mut |run, _| run.scale(part));
}
