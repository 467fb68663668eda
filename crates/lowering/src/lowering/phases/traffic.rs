//! Amounts that a group issues and moves.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::lowering::exact::Exact;

/// Instructions of warps, by the unit that they need.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Issued<T> {
    /// All instructions, the following kinds included.
    pub instructions: T,
    /// Instructions of single precision.
    pub fp32: T,
    /// Integer instructions.
    pub int32: T,
    /// Instructions of double precision.
    pub fp64: T,
    /// Instructions on 16-bit floating-point numbers or on pairs of them; of those on bf16 as many as take the same
    /// time.
    pub fp16: T,
    /// Instructions of special functions.
    pub special: T,
    /// Loads, stores and local accesses.
    pub accesses: T,
}

/// Bytes to or from global memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Traffic<T> {
    /// Bytes that work items ask for.
    pub asked: T,
    /// Bytes of the sectors that the warps ask for.
    pub moved: T,
    /// The moved bytes that work items ask for: the lesser of `asked` and `moved`.
    pub useful: T,
    /// Moved bytes of accesses that touch more sectors than accesses of neighbouring elements would.
    pub uncoalesced: T,
    /// Moved bytes that miss L1.
    pub beyond_l1: T,
    /// Moved bytes that miss L2.
    pub beyond_l2: T,
}

impl<T> Issued<T> {
    pub(in crate::lowering) fn each(&mut self) -> [&mut T; 7] {
        let Self { instructions, fp32, int32, fp64, fp16, special, accesses } = self;
        [instructions, fp32, int32, fp64, fp16, special, accesses]
    }
}

impl AddAssign for Issued<Exact> {
    fn add_assign(&mut self, mut other: Self) {
        self.each().into_iter().zip(other.each()).for_each(|(sum, more)| *sum += *more);
    }
}

impl AddAssign for Traffic<Exact> {
    fn add_assign(&mut self, mut other: Self) {
        self.each().into_iter().zip(other.each()).for_each(|(sum, more)| *sum += *more);
    }
}

impl Traffic<Exact> {
    /// The traffic of an access for whose `asked` bytes the warps move sectors. `moved` are the bytes of these; `l2` and
    /// `dram` are the bytes that L2 and DRAM supply or take.
    pub(in crate::lowering) fn new(asked: Exact, [moved, l2, dram]: [Exact; 3], scattered: bool) -> Self {
        let beyond_l1 = l2.min(moved);
        Self {
            asked,
            moved,
            useful: asked.min(moved),
            uncoalesced: if scattered { moved } else { Exact::ZERO },
            beyond_l1,
            beyond_l2: dram.min(beyond_l1),
        }
    }
}

impl<T> Traffic<T> {
    pub(in crate::lowering) fn each(&mut self) -> [&mut T; 6] {
        let Self { asked, moved, useful, uncoalesced, beyond_l1, beyond_l2 } = self;
        [asked, moved, useful, uncoalesced, beyond_l1, beyond_l2]
    }
}
