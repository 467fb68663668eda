//! The work of a whole group, for models that do not play the abstract machine.

use super::blocks::Block;
use super::exact::Exact;
use super::phase::Servers;
use super::stop::{LoweringProblem, Stop};
use super::work::Work;

/// Instructions of warps, by what they need.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Issued<T> {
    /// All instructions, those below among them.
    pub instructions: T,
    /// Of single precision.
    pub fp32: T,
    /// Of integers.
    pub int32: T,
    /// Of double precision.
    pub fp64: T,
    /// Of special functions.
    pub special: T,
    /// Loads, stores and local accesses.
    pub accesses: T,
}

/// Bytes to or from global memory.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Traffic<T> {
    /// What work items ask for.
    pub asked: T,
    /// What moves for them: the sectors that each warp asks for.
    pub moved: T,
    /// Of what moves, what somebody asked for.
    pub useful: T,
    /// What moves by accesses of more sectors than neighbours side by side would touch.
    pub uncoalesced: T,
    /// Of what moves, what L1 has not got.
    pub beyond_l1: T,
    /// Of that, what L2 has not got.
    pub beyond_l2: T,
}

/// What one work group does on a real GPU in one launch.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GroupWork {
    /// What all its warps issue.
    pub issued: Issued<f64>,
    /// What its first warp issues: it executes every statement.
    pub first_warp: Issued<f64>,
    /// How often a warp waits for global memory.
    pub round_trips: f64,
    /// How often a warp waits for local memory.
    pub local_round_trips: f64,
    /// Barriers that a warp meets.
    pub barriers: f64,
    /// What it loads.
    pub loaded: Traffic<f64>,
    /// What it stores, and both ways of registers that spill.
    pub stored: Traffic<f64>,
    /// Registers that a work item needs, those that spill included.
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

    /// None if a sum of the phase has no value.
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
