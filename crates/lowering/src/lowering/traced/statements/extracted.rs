//! The statements of a body that say what a source's group executed: numbers, and the lines that they come from.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::lowering::exact::Exact;
use crate::lowering::traced::queues::{queue_name, queue_of};
use crate::spec::{Direction, OperationKind};
use autotune_kernel::source::{AccessKind, Asynchronous, MatrixShape, MatrixType};

/// Lines of the source: file and line.
pub(crate) type SourceLines = BTreeSet<(Arc<str>, u32)>;

/// The iterations of a loop with a barrier that differ in their addresses alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Iterations {
    /// One loop stands for all.
    Together,
    /// Those that were executed apart, as the first and the last one, stay apart: a warp goes on with them where the statements
    /// before and behind the loop are.
    Apart,
}

/// A statement of a body.
#[derive(Debug, Clone)]
pub(crate) enum Extracted {
    /// An access to global or local memory.
    Access(Box<ExtractedAccess>),
    /// Operations of one kind.
    Compute(ExtractedCompute),
    /// A barrier of the group, or of all groups.
    Barrier { lines: SourceLines, is_of_grid: bool },
    /// A wait.
    Wait(ExtractedWait),
    /// Instructions on the matrix units.
    Matrix(ExtractedProduct),
    /// Iterations that are alike.
    Loop(ExtractedLoop),
    /// The sides of a branch on data; warps may take both.
    Sides(Vec<Vec<Extracted>>),
}

/// A loop of several iterations.
#[derive(Debug, Clone)]
pub(crate) struct ExtractedLoop {
    /// The number of iterations.
    pub(crate) count: u64,
    /// The name of their counter; `None` if no address moves with it.
    pub(crate) var: Option<String>,
    /// The statements of an iteration.
    pub(crate) body: Vec<Extracted>,
    /// The line of the loop.
    pub(crate) lines: SourceLines,
}

/// Operations of a work item.
#[derive(Debug, Clone)]
pub(crate) struct ExtractedCompute {
    pub(crate) kind: OperationKind,
    pub(crate) per_item: Exact,
    /// The work items of the group that take part, as many warps' worth; `None` for all.
    pub items: Option<u64>,
    pub(crate) lines: SourceLines,
}

/// A wait for what was started in a queue.
#[derive(Debug, Clone)]
pub(crate) struct ExtractedWait {
    /// The queue's name.
    pub(crate) queue: &'static str,
    /// The number of last starts that need not be done.
    pub(crate) pending: u64,
    pub(crate) lines: SourceLines,
}

/// Instructions of a warp on the matrix units.
#[derive(Debug, Clone)]
pub(crate) struct ExtractedProduct {
    pub(crate) shape: MatrixShape,
    pub(crate) of: MatrixType,
    /// Instructions of one warp, as the mean over all warps of the group.
    pub(crate) per_warp: Exact,
    /// The name of the queue of instructions that are waited for later.
    pub(crate) queue: Option<&'static str>,
    /// Bytes of local memory that an instruction reads.
    pub(crate) local_bytes: u64,
    pub(crate) lines: SourceLines,
}

impl ExtractedProduct {
    /// The instructions of a shape and a type that accesses of a kind are.
    pub(super) fn new(
        (shape, of): (MatrixShape, MatrixType),
        kind: AccessKind,
        per_warp: Exact,
        lines: SourceLines,
    ) -> Self {
        let queue = kind.is_asynchronous().then(|| queue_name(queue_of(Asynchronous::Products)));
        Self { shape, of, per_warp, queue, local_bytes: kind.factor_bytes(), lines }
    }

    /// True if the instructions differ in nothing but their number.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let key = |one: &Self| (one.shape, one.of, one.queue, one.local_bytes);
        key(self) == key(other)
    }
}

/// The local memory that copies fill.
#[derive(Debug, Clone)]
pub(crate) struct ExtractedDestination {
    /// The array's name; empty if it is not known.
    pub array: String,
    /// Ways of the bank conflict.
    pub(crate) conflict: Exact,
}

/// The keyword of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExtractedKeyword {
    Load,
    /// A store; true if it is atomic.
    Store(bool),
    /// An access to local memory; `None` for an exchange between lanes.
    Local(Option<Direction>),
    /// A copy from global to local memory.
    Copy,
}

/// Accesses of a work item that differ in nothing but where they begin.
#[derive(Debug, Clone)]
pub(crate) struct ExtractedAccess {
    pub(crate) keyword: ExtractedKeyword,
    /// The array's name; empty if it is not known.
    pub array: String,
    pub(crate) per_item: Exact,
    /// The name of the counter of the repetitions, if the index uses one.
    pub(crate) var: Option<String>,
    /// Bytes of an element.
    pub bytes: u64,
    /// Elements of an access.
    pub(crate) vector: u64,
    pub(crate) pattern: ExtractedPattern,
    /// The work items of the group that take part, as many warps' worth; `None` for all.
    pub items: Option<u64>,
    /// The waits of one work item for the loads; `None` if the body need not state them.
    pub(crate) round_trips: Option<Exact>,
    /// Sectors that a warp asks for in an access; `None` if they follow from the pattern.
    pub sectors: Option<Exact>,
    /// Lines of L1 that a warp's access passes; `None` if they follow from the pattern.
    pub(crate) lines_of_l1: Option<Exact>,
    /// Sectors that a warp's store fills in part, or that its load reads alone in their line of L2; `None` if they follow from the
    /// pattern.
    pub(crate) partial: Option<Exact>,
    /// Unique bytes of an execution by a group; `None` if the body need not state them.
    pub group: Option<u64>,
    /// Unique bytes of an execution by the groups that run together; `None` if the body need not state them.
    pub(crate) together: Option<u64>,
    /// The name of the queue of an access that is waited for later.
    pub(crate) queue: Option<&'static str>,
    /// The destination of copies; `None` for other accesses.
    pub(crate) to: Option<ExtractedDestination>,
    pub(crate) lines: SourceLines,
}

/// The elements that the lanes access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ExtractedPattern {
    /// A subscript that is affine in ids and counters, of an array of `extent` elements.
    Index {
        /// The names and their factors.
        terms: Vec<(String, i64)>,
        /// The subscript where all names are 0.
        constant: i64,
        extent: u64,
        /// True if work items exist whose subscripts the source does not reach.
        guarded: bool,
    },
    /// Elements between neighbours along x, y and z.
    Strides([i64; 3]),
    /// Elements between neighbouring lanes.
    Lanes(u64),
    /// Ways of a bank conflict.
    Conflict(Exact),
}
