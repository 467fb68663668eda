//! The work of a whole group, for models that do not run the abstract machine.

use serde::{Deserialize, Serialize};

use super::block::Block;
use super::run::Run;
use super::servers::Servers;
use super::traffic::{Issued, Traffic};
use super::work::Work;
use crate::lowering::exact::Exact;
use crate::lowering::instruction_cycles::DependentCycles;
use crate::lowering::launch::registers::RegisterUse;
use crate::lowering::stop::{LoweringProblem, LoweringStop};

/// The work of one work group on a real GPU in one launch.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GroupWork {
    /// Instructions of all warps of the group.
    pub issued: Issued<f64>,
    /// Instructions of the first warp, which executes every statement.
    pub first_warp: Issued<f64>,
    /// The time of the first warp by the dependences of its instructions; `None` for a spec with a body, which does not state
    /// them.
    pub dependent: Option<DependentCycles>,
    /// Waits of a warp for global memory.
    pub round_trips: f64,
    /// Waits of a warp for local memory.
    pub local_round_trips: f64,
    /// Cycles of the matrix units of one scheduler for all warps.
    pub matrix_cycles: f64,
    /// Barriers that a warp meets.
    pub barriers: f64,
    /// Bytes loaded from global memory.
    pub loaded: Traffic<f64>,
    /// Bytes stored to global memory, with both directions of registers that spill.
    pub stored: Traffic<f64>,
    /// Bytes that all channels of L2 could move while those that have the group's bytes move them, less these bytes; 0 on GPUs
    /// that spread addresses over the channels.
    pub crowding_bytes: f64,
    /// Registers that a work item needs, including those that spill.
    pub registers: u64,
    /// Registers of the multiprocessor's file that a work item takes.
    pub held_registers: u64,
    /// True if the compiler may give a work item more registers than the group can have: the launch would fail.
    pub may_not_launch: bool,
    /// The number of sides of each branch on data in the kernel's source that a warp runs one after the other; empty for
    /// a spec with a body.
    pub sides: Vec<u64>,
    /// The lines of the source's loops whose ends depend on data and whose iterations the spec states; empty for a spec with a
    /// body.
    pub stated_loops: Vec<u32>,
}

impl GroupWork {
    /// The sum over all blocks of a body.
    pub(in crate::lowering) fn new(
        blocks: &[Block],
        servers: &Servers<'_>,
        registers: &RegisterUse,
    ) -> Result<Self, LoweringStop> {
        let (needed, held) = (registers.needed(), registers.held);
        let may_not_launch = registers.may_not_launch;
        let mut sum = Self { registers: needed, held_registers: held, may_not_launch, ..Self::default() };
        sum.add(blocks, servers, 1.0)?;
        Ok(sum)
    }

    fn add(&mut self, blocks: &[Block], servers: &Servers<'_>, times: f64) -> Result<(), LoweringStop> {
        for block in blocks {
            match block {
                Block::Phase(work) => {
                    self.add_phase(work, servers, times)
                        .ok_or(LoweringStop::At(work.place, LoweringProblem::TooMuch))?;
                }
                Block::Ordered(runs) => {
                    for Run { work, .. } in runs {
                        self.add_phase(work, servers, times)
                            .ok_or(LoweringStop::At(work.place, LoweringProblem::TooMuch))?;
                    }
                }
                Block::Barrier(..) => self.barriers += times,
                Block::Loop { count, body } => {
                    let count = Exact::from(*count).to_f64().unwrap_or(f64::INFINITY);
                    self.add(body, servers, times * count)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the work of a phase; `None` if a sum of the phase is undefined.
    fn add_phase(&mut self, work: &Work, servers: &Servers<'_>, times: f64) -> Option<()> {
        let &Work {
            mut issued,
            mut first_warp,
            mut loaded,
            mut stored,
            mut round_trips,
            mut matrix,
            mut crowding_bytes,
            ..
        } = work;
        let mut local_round_trips = servers.local_round_trips(work);
        let waits = [&mut self.round_trips, &mut self.local_round_trips];
        add(waits, [&mut round_trips, &mut local_round_trips], times)?;
        let own = [&mut self.matrix_cycles, &mut self.crowding_bytes];
        add(own, [&mut matrix, &mut crowding_bytes], times)?;
        add(self.issued.each(), issued.each(), times)?;
        add(self.first_warp.each(), first_warp.each(), times)?;
        add(self.loaded.each(), loaded.each(), times)?;
        add(self.stored.each(), stored.each(), times)?;
        Some(())
    }
}

/// Adds numbers, each `times` times, to their sums; `None` if a number is undefined.
fn add<const N: usize>(sums: [&mut f64; N], more: [&mut Exact; N], times: f64) -> Option<()> {
    for (sum, more) in sums.into_iter().zip(more) {
        *sum += times * more.to_f64()?;
    }
    Some(())
}
