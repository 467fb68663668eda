//! What a work group does between two barriers, before it is divided among turns.

use std::ops::AddAssign;

use crate::spec::{Kind, Place};

use super::exact::Exact;

/// The work of one phase: sums over the warps of a group, unless said otherwise.
#[derive(Debug, Clone, Default)]
pub(super) struct Work {
    /// Instructions that are issued.
    pub(super) instructions: Exact,
    /// Operations of the lanes for single precision.
    pub(super) fp32: Exact,
    /// Operations of the lanes for integers.
    pub(super) int32: Exact,
    /// Operations of the lanes for double precision.
    pub(super) fp64: Exact,
    /// Operations of the lanes for special functions.
    pub(super) special: Exact,
    /// Loads, stores and local accesses that are issued.
    pub(super) accesses: Exact,
    /// Passes of local memory.
    pub(super) local_passes: Exact,
    /// Local accesses, by which the latency of local memory is waited for.
    pub(super) local_accesses: Exact,
    /// Bytes of the passes of L1.
    pub(super) l1_bytes: Exact,
    /// Bytes that L2 supplies or takes.
    pub(super) l2_bytes: Exact,
    /// Bytes that DRAM supplies or takes.
    pub(super) dram_bytes: Exact,
    /// Whether it loads from global memory.
    pub(super) loads: bool,
    /// How often a warp waits for a load.
    pub(super) round_trips: Exact,
    /// Cycles that a warp waits for its loads.
    pub(super) load_latency: Exact,
    /// Instructions of its code, every loop's body once.
    pub(super) code: Exact,
    /// Where its first statement stands.
    pub(super) place: Place,
}

impl Work {
    /// None yet.
    pub(super) fn at(place: Place) -> Self {
        Self { place, ..Self::default() }
    }

    /// All sums of it: what a repetition multiplies.
    fn sums(&mut self) -> [&mut Exact; 13] {
        [
            &mut self.instructions,
            &mut self.fp32,
            &mut self.int32,
            &mut self.fp64,
            &mut self.special,
            &mut self.accesses,
            &mut self.local_passes,
            &mut self.local_accesses,
            &mut self.l1_bytes,
            &mut self.l2_bytes,
            &mut self.dram_bytes,
            &mut self.round_trips,
            &mut self.load_latency,
        ]
    }

    /// Operations of the lanes of a kind; none for `any`.
    pub(super) fn lanes(&mut self, kind: Kind) -> Option<&mut Exact> {
        match kind {
            Kind::Fp32 => Some(&mut self.fp32),
            Kind::Int32 => Some(&mut self.int32),
            Kind::Fp64 => Some(&mut self.fp64),
            Kind::Special => Some(&mut self.special),
            Kind::Any => None,
        }
    }

    /// The same work so many times, by a loop around it: its code stays.
    pub(super) fn repeat(&mut self, count: u64) {
        if count != 1 {
            for sum in self.sums() {
                *sum = *sum * Exact::from(count);
            }
        }
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, mut other: Self) {
        for (sum, more) in self.sums().into_iter().zip(other.sums()) {
            *sum += *more;
        }
        self.code += other.code;
        self.loads |= other.loads;
    }
}
