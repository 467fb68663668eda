//! The walk over a trace for one GPU, and what it knows.

use std::collections::{BTreeMap, BTreeSet};

use super::memo::Memo;
use crate::gpu::Pipelined;
use crate::lowering::access::warp::MemoryBanks;
use crate::lowering::instruction_cycles::DependentCycles;
use crate::lowering::launch::Launched;
use autotune_kernel::source::{BlockId, TracedKernel};

/// The walk over a trace for one GPU.
pub(in crate::lowering) struct TraceWalk<'a> {
    pub(super) traced: &'a TracedKernel,
    pub(super) gpu: &'a Pipelined,
    pub(super) banks: MemoryBanks,
    /// Groups that run together.
    pub(in crate::lowering) concurrent: u64,
    /// The groups of the launch along x, y and z.
    pub(super) grid: [u64; 3],
    /// True if the launch is repeated, so that it finds in L2 what fits there.
    pub(super) is_warm: bool,
    /// Registers of a work item.
    pub(super) registers: u64,
    /// The most registers that the compiler gives a work item.
    pub(super) most_registers: u64,
    /// True if the work of each line is kept beside the sums.
    pub(super) tracing: bool,
    /// The blocks whose code is counted.
    pub(super) coded: BTreeSet<(BlockId, usize)>,
    /// The blocks that use what they load.
    pub(super) waiting: BTreeMap<BlockId, bool>,
    /// The counts of accesses so far.
    pub(super) memo: Memo,
    /// The time of a warp by its dependences; `None` before the walk, and if the work of each line is kept.
    pub(in crate::lowering) dependent: Option<DependentCycles>,
}

impl<'a> TraceWalk<'a> {
    /// The walk over the trace of a launch. The work of each line is kept beside the sums if `tracing`.
    pub(in crate::lowering) fn new(
        traced: &'a TracedKernel,
        gpu: &'a Pipelined,
        banks: MemoryBanks,
        launched: &Launched,
        tracing: bool,
    ) -> Self {
        Self {
            traced,
            gpu,
            banks,
            concurrent: launched.concurrent,
            grid: launched.geometry.grid,
            is_warm: launched.geometry.is_warm,
            registers: launched.registers.number,
            most_registers: launched.registers.most,
            tracing,
            coded: BTreeSet::new(),
            waiting: BTreeMap::new(),
            memo: Memo::default(),
            dependent: None,
        }
    }
}
