//! The price of matrix instructions.

/// Products and sums of a matrix instruction that a processing element computes in a tick: the lanes of a warp of 32
/// share them.
pub(crate) const MACS_PER_TICK: u64 = 32;
