//! The meaning of operations of PTX.

use super::products::{MovedFragment, Product};
use crate::source::prices::Operations;
use crate::source::trace::Asynchronous;

/// The effect of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::source) enum Ptx {
    /// `cp.async`: work items copy from global to local memory and go on.
    Copy,
    /// The end of a group of copies, or of products of four warps.
    Commit(Asynchronous),
    /// A wait for all such groups but the last ones: their number is the operand, or 0.
    Wait(Asynchronous),
    /// A wait for all copies, also for copies of no group.
    WaitAll,
    /// `ldmatrix` of this many matrices of 8 rows of 16 bytes.
    LoadMatrices(u64),
    /// `stmatrix`.
    StoreMatrices(u64),
    /// `mma` and `wmma.mma`: products of a warp.
    Multiply(Product),
    /// `wgmma`: a warp's part of a product of four warps.
    MultiplyTogether(Product),
    /// `wmma.load` and `wmma.store`.
    MoveFragment(MovedFragment),
    /// `cp.async.bulk` to local memory: a work item starts the copy of a tile, which ends at a barrier in local memory.
    LoadTile {
        /// True if a description of a tensor says what is copied.
        is_tensor: bool,
    },
    /// `cp.async.bulk` to global memory.
    StoreTile {
        /// True if a description of a tensor says what is copied.
        is_tensor: bool,
    },
    /// `mbarrier.arrive.expect_tx`: the bytes that copies bring until a barrier in local memory is passed.
    ExpectBytes,
    /// `mbarrier.try_wait`: a wait for the copies that end at a barrier in local memory.
    AwaitTiles,
    /// `tensormap.replace`.
    DescribeTensor(TensorField),
    /// `tensormap.cp_fenceproxy`: a description is copied.
    CopyDescription,
    /// `elect.sync`: one work item of each warp.
    Elect,
    /// A load of this many bytes from global memory.
    Load(u64),
    /// A store of this many bytes to global memory.
    Store(u64),
    /// A load of this many bytes from local memory.
    LoadLocal(u64),
    /// A store of this many bytes to local memory.
    StoreLocal(u64),
    /// An atomic operation on this many bytes of global memory.
    Atomic(u64),
    /// An atomic operation on this many bytes of local memory.
    AtomicLocal(u64),
    /// A comparison with a predicate as its result.
    Compare {
        /// True if equal operands make the predicate true.
        equal: bool,
    },
    /// The address of local memory that a generic address is.
    ToLocal,
    /// The same value under another type.
    Same,
    /// An exchange between lanes.
    Shuffle,
    /// A barrier of the group.
    Barrier,
    /// Operations on registers.
    Computes(Operations),
}

/// A part of what describes a tensor in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::source) enum TensorField {
    /// The address of the first element.
    Address,
    /// The type of the elements.
    Type,
    /// The elements of a copy along a dimension.
    Box,
    /// The bytes between neighbours along a dimension behind the first.
    Stride,
    /// A part that does not change how much is copied.
    Other,
}

/// An instruction that only takes an issue slot.
pub(super) const SLOT: Ptx = Ptx::Computes(Operations { any: 1, ..Operations::NONE });

/// The reason why an operation has no meaning here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::source) enum Untold {
    /// The operation is not in the table.
    Unknown,
    /// The machine cannot say it, for this reason.
    Refused(&'static str),
}

impl Untold {
    pub(in crate::source) fn is_unknown(self) -> bool {
        self == Self::Unknown
    }

    /// The reason in words.
    pub(in crate::source) fn words(self) -> &'static str {
        match self {
            Self::Unknown => "this instruction of inline assembly is not known",
            Self::Refused(why) => why,
        }
    }
}
