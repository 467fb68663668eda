//! What a user should know of an execution.

use std::sync::Arc;

use super::super::ir::SourcePlace;
use super::super::trace::{AccessKind, SourceMemory};

/// What a user should know, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFinding {
    /// The matter.
    pub kind: FindingKind,
    /// The places of the instruction, from the innermost function to the kernel.
    pub places: Arc<[SourcePlace]>,
    /// The number of times that it was met.
    pub times: u64,
}

impl SourceFinding {
    /// The innermost place in a file of the user; `None` if it has none.
    #[must_use]
    pub fn user_place(&self) -> Option<&SourcePlace> {
        self.places.iter().find(|place| place.is_users())
    }
}

/// A matter that a user should know.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// A branch depends on data; both sides are counted.
    BranchOnData {
        /// True if the work items of each warp take one side: the longer one is counted.
        is_shared: bool,
    },
    /// The number of iterations depends on data; this many are counted.
    TripsOnData {
        /// The number of iterations.
        counted: u64,
        /// True if the user did not say so.
        assumed: bool,
    },
    /// The address of an access depends on data.
    AddressOnData(AccessKind, SourceMemory),
    /// Some work items have returned before a barrier.
    ReturnedBeforeBarrier,
    /// A print, which counts nothing.
    Print,
    /// Inline assembly, whose effect is not known.
    Assembly,
    /// A function that is not known.
    UnknownFunction(Arc<str>),
    /// An access beyond the end of a local array.
    OutOfBounds {
        /// The array.
        array: Arc<str>,
        /// The bytes of the array.
        bytes: u64,
        /// The first byte of the access that lies furthest outside.
        at: i64,
    },
}
