//! The execution of a configuration by a work group.

mod facts;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

pub use facts::PrivateArray;

use super::analyse::SourceKernel;
use super::error::AnalysisError;
use super::execute::{AssumedAddress, Executed, SourceFinding};
use super::functions::{Function, function};
use super::groups::{GroupDistances, GroupSample, LookedAt};
use super::ir::{AddressSpace, BlockId, Callee, Instruction, Kind, SourcePlace, Type};
use super::safety::Safety;
use super::trace::{AccessKind, BlockRun, Region, SourceAccess, SourceMemory, Step};
use super::value::{Known, Shape};

/// The address space of local memory.
const LOCAL: AddressSpace = 3;

/// Trace of a work group of a configuration, or the mean over many.
#[derive(Debug, Clone)]
pub struct TracedKernel {
    /// The instructions.
    pub kernel: Arc<SourceKernel>,
    /// The blocks, loops and accesses of the group.
    pub executed: Executed,
    /// The work items of the group.
    pub shape: Shape,
    /// The bytes of local memory that all arrays without a size share; 0 if there is none.
    pub shared: u64,
    /// The user's assumptions about addresses that depend on data, by line.
    pub addresses: BTreeMap<u32, AssumedAddress>,
    /// The groups that were executed beside this one, and those that the trace is the mean of.
    pub sample: GroupSample,
    /// The errors of the executed groups.
    pub safety: Safety,
    /// The groups in the corners of the launch that were executed since a condition sends them another way.
    pub edges: Vec<SearchedGroup>,
    /// The executed groups of the launch, and those that do what they do.
    pub looked_at: LookedAt,
    /// The distances between the groups' addresses that do not change evenly with the ids.
    pub(super) distances: GroupDistances,
}

/// A group at the edge of a launch that was executed for what it does wrong.
#[derive(Debug, Clone)]
pub struct SearchedGroup {
    /// The ids along x, y and z.
    pub group: [u64; 3],
    /// The faults of the group, or the reason why it cannot be executed.
    pub faults: Result<GroupFaults, AnalysisError>,
}

/// The faults of an executed group.
#[derive(Debug, Clone, Default)]
pub struct GroupFaults {
    /// What a user should know of the execution.
    pub findings: Vec<SourceFinding>,
    /// The errors.
    pub safety: Safety,
}

impl TracedKernel {
    /// The blocks that are executed, once for each execution, loops and sides included.
    pub fn runs(&self) -> impl Iterator<Item = &BlockRun> {
        Step::all(&self.executed.trace)
            .filter_map(|(step, _)| if let Step::Block(run) = step { Some(run) } else { None })
    }

    /// The positions of a block's instructions, cut behind each barrier that was executed.
    #[must_use]
    pub fn parts(&self, run: &BlockRun) -> Vec<Range<usize>> {
        let barriers = run.accesses.iter().filter(|access| access.kind.is_barrier());
        let ends = barriers.map(|barrier| barrier.instruction + 1);
        let mut begin = 0;
        let ends = ends.chain([self.kernel.module.kernel.blocks[run.block.index()].instructions.len()]);
        ends.map(|end| std::mem::replace(&mut begin, end)..end).collect()
    }

    /// True if the groups wait for each other at a barrier of all groups.
    #[must_use]
    pub fn has_grid_barrier(&self) -> bool {
        self.runs().any(|run| run.accesses.iter().any(|access| access.kind == AccessKind::GridBarrier))
    }

    /// True if another group of the launch may do something wrong: the kernel has a barrier, an operation of warps, local memory
    /// or an array of global memory whose size is stated.
    pub(super) fn may_go_wrong(&self) -> bool {
        let is_stated = |region: &Region| region.memory == SourceMemory::Global && region.bytes.is_some();
        let is_shared = |access: &SourceAccess| {
            access.memory == SourceMemory::Local || access.kind.is_barrier() || access.kind == AccessKind::Shuffle
        };
        self.executed.regions.iter().any(is_stated)
            || self.runs().any(|run| run.accesses.iter().any(is_shared))
            || self.kernel.module.kernel.blocks.iter().flat_map(|block| &block.instructions).any(shares)
    }

    /// True if a group of the launch may do something wrong that no executed group does: conditions send it another way.
    #[must_use]
    pub fn has_open_groups(&self) -> bool {
        self.may_go_wrong() && self.looked_at.rest().number > 0
    }

    /// The distances of an access's addresses in the launch's first groups from the first one's; `None` if they change
    /// evenly with the ids, or are not known.
    #[must_use]
    pub fn distances(&self, block: BlockId, access: &SourceAccess) -> Option<&Arc<[i64]>> {
        let is_uneven = access.address.as_ref().is_some_and(Known::is_uneven_in_groups);
        // What the first work item reaches says nothing of other memories.
        self.distances.of(block, access.instruction).filter(|_| is_uneven && access.part.is_none())
    }

    /// The place in a file of the user of an access of a block; `None` if it has none.
    #[must_use]
    pub fn place_of_access(&self, run: &BlockRun, access: &SourceAccess) -> Option<&SourcePlace> {
        self.kernel.module.kernel.blocks[run.block.index()].instructions[access.instruction].user_place()
    }
}

/// True for an instruction where the work items of a group meet: a barrier, an operation of warps, or an access to local memory.
fn shares(instruction: &Instruction) -> bool {
    let is_local = |of: &Type| *of == Type::Pointer(LOCAL);
    match &instruction.kind {
        Kind::Load { from, .. } => is_local(&from.of),
        Kind::Store { to, .. } | Kind::Atomic(to, _) => is_local(&to.of),
        Kind::Call { callee: Callee::Named(name), .. } => {
            matches!(
                function(name).does,
                Function::Barrier | Function::GridBarrier | Function::WarpBarrier | Function::Shuffle
            )
        }
        Kind::Call { callee: Callee::Assembly(_), .. } => true,
        _ => false,
    }
}
