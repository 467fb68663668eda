//! The walk over a trace for one GPU, and what it knows.

use std::collections::{BTreeMap, BTreeSet};

use super::memo::Memo;
use super::waits::FreeRegisters;
use crate::gpu::Pipelined;
use crate::lowering::access::warp::Banks;
use crate::lowering::launch::Launched;
use crate::lowering::launch::registers::greatest_that_fits;
use crate::source::{BlockId, TracedKernel};

/// The walk over a trace for one GPU.
pub(in crate::lowering) struct TraceWalk<'a> {
    pub(super) traced: &'a TracedKernel,
    pub(super) gpu: &'a Pipelined,
    pub(super) banks: Banks,
    /// Groups that run together.
    pub(in crate::lowering) concurrent: u64,
    /// The groups of the launch along x, y and z.
    pub(super) grid: [u64; 3],
    /// True if the launch is repeated, so that it finds in L2 what fits there.
    pub(super) is_warm: bool,
    /// Registers of a work item that its loads may fill.
    pub(super) free: FreeRegisters,
    /// True if the work of each line is kept beside the sums.
    pub(super) tracing: bool,
    /// The blocks whose code is counted.
    pub(super) coded: BTreeSet<(BlockId, usize)>,
    /// The blocks that use what they load.
    pub(super) waiting: BTreeMap<BlockId, bool>,
    /// The counts of accesses so far.
    pub(super) memo: Memo,
}

impl<'a> TraceWalk<'a> {
    /// The walk over the trace of a launch. The work of each line is kept beside the sums if `tracing`.
    pub(in crate::lowering) fn new(
        traced: &'a TracedKernel,
        gpu: &'a Pipelined,
        banks: Banks,
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
            free: free(gpu, launched),
            tracing,
            coded: BTreeSet::new(),
            waiting: BTreeMap::new(),
            memo: Memo::default(),
        }
    }
}

/// The registers that a work item's loads may fill.
fn free(gpu: &Pipelined, launched: &Launched) -> FreeRegisters {
    let registers = &launched.registers;
    let groups = launched.occupancy.map_or(1, |occupancy| occupancy.groups);
    let without_cost = greatest_that_fits(gpu, registers.most, launched.geometry.work_group, groups);
    FreeRegisters {
        all: registers.most.saturating_sub(registers.number).max(1),
        without_cost: without_cost.saturating_sub(registers.number),
    }
}
