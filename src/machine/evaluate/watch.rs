//! Who is told what the warps of a wave do.

use super::state::Repetition;
use crate::machine::Server;

/// Told of each event of a wave, in the order in which they are run.
pub(super) trait Watch {
    /// A warp asks for a server, is served from and until when, and goes on: four moments in this order.
    fn uses(&mut self, warp: usize, server: Server, moments: [u64; 4]);

    /// A warp comes to a barrier.
    fn arrives(&mut self, warp: usize, now: u64);

    /// The last of its group has come: the warp goes on after the barrier's cost.
    fn leaves(&mut self, warp: usize, now: u64, cost: u64);

    /// A warp is at its end.
    fn ends(&mut self, warp: usize, now: u64);

    /// What happened before `now` comes again so often, and is not run.
    fn skips(&mut self, now: u64, repetition: Repetition);
}

/// Nobody.
impl Watch for () {
    fn uses(&mut self, _: usize, _: Server, _: [u64; 4]) {}
    fn arrives(&mut self, _: usize, _: u64) {}
    fn leaves(&mut self, _: usize, _: u64, _: u64) {}
    fn ends(&mut self, _: usize, _: u64) {}
    fn skips(&mut self, _: u64, _: Repetition) {}
}
