//! The work of a whole group, for models that do not run the abstract machine.

use super::blocks::Block;
use super::exact::Exact;
use super::phase::Servers;
use super::stop::{LoweringProblem, Stop};
use super::work::Work;

/// Instructions of warps, by the unit that they need.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Issued<T> {
    /// All instructions, the following kinds included.
    pub instructions: T,
    /// Instructions of single precision.
    pub fp32: T,
    /// Integer instructions.
    pub int32: T,
    /// Instructions of double precision.
    pub fp64: T,
    /// Instructions of special functions.
    pub special: T,
    /// Loads, stores and local accesses.
    pub accesses: T,
}

/// Bytes to or from global memory.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
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

/// The work of one work group on a real GPU in one launch.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GroupWork {
    /// Instructions of all warps of the group.
    pub issued: Issued<f64>,
    /// Instructions of the first warp, which executes every statement.
    pub first_warp: Issued<f64>,
    /// Waits of a warp for global memory.
    pub round_trips: f64,
    /// Waits of a warp for local memory.
    pub local_round_trips: f64,
    /// Barriers that a warp meets.
    pub barriers: f64,
    /// Bytes loaded from global memory.
    pub loaded: Traffic<f64>,
    /// Bytes stored to global memory, with both directions of registers that spill.
    pub stored: Traffic<f64>,
    /// Registers that a work item needs, including those that spill.
    pub registers: u64,
}

impl<T> Issued<T> {
    pub(super) fn each(&mut self) -> [&mut T; 6] {
        let Self { instructions, fp32, int32, fp64, special, accesses } = self;
        [instructions, fp32, int32, fp64, special, accesses]
    }
}

impl<T> Traffic<T> {
    pub(super) fn each(&mut self) -> [&mut T; 6] {
        let Self { asked, moved, useful, uncoalesced, beyond_l1, beyond_l2 } = self;
        [asked, moved, useful, uncoalesced, beyond_l1, beyond_l2]
    }
}

impl GroupWork {
    /// The sum over all blocks of a body.
    pub(super) fn of(blocks: &[Block], servers: &Servers, registers: u64) -> Result<Self, Stop> {
        let mut sum = Self { registers, ..Self::default() };
        sum.add(blocks, servers, 1.0)?;
        Ok(sum)
    }

    fn add(&mut self, blocks: &[Block], servers: &Servers, times: f64) -> Result<(), Stop> {
        for block in blocks {
            match block {
                Block::Phase(work) => {
                    self.add_phase(work, servers, times).ok_or(Stop::At(work.place, LoweringProblem::TooMuch))?;
                }
                Block::Barrier(_) => self.barriers += times,
                Block::Loop { count, body } => {
                    let count = Exact::from(*count).to_f64().unwrap_or(f64::INFINITY);
                    self.add(body, servers, times * count)?;
                }
            }
        }
        Ok(())
    }

    /// Adds the work of a phase; `None` if a sum of the phase is undefined.
    fn add_phase(&mut self, work: &Work, servers: &Servers, times: f64) -> Option<()> {
        let mut work = work.clone();
        let local_round_trips = servers.local_round_trips(&work);
        let sums = [&mut self.round_trips, &mut self.local_round_trips].into_iter();
        let sums = sums.chain(self.issued.each()).chain(self.first_warp.each());
        let sums = sums.chain(self.loaded.each()).chain(self.stored.each());
        let more = [work.round_trips, local_round_trips].into_iter();
        let more = more.chain(work.issued.each().map(|one| *one)).chain(work.first_warp.each().map(|one| *one));
        let more = more.chain(work.loaded.each().map(|one| *one)).chain(work.stored.each().map(|one| *one));
        for (sum, more) in sums.zip(more) {
            *sum += times * more.to_f64()?;
        }
        Some(())
    }
}
