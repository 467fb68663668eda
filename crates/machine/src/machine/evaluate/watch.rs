//! The interface for observers of a wave's events.

use super::state::Repetition;
use crate::machine::Server;

/// An observer, called at each event of a wave, in the order of the events.
pub(super) trait Watch {
    /// A warp uses a server; `moments` are its request, the begin and end of service, and the tick when it goes on.
    fn uses(&mut self, warp: usize, server: Server, moments: [u64; 4]);

    /// A warp waits for its starts from `now` until `until`.
    fn waits(&mut self, warp: usize, now: u64, until: u64);

    /// A warp arrives at a barrier at `now`.
    fn arrives(&mut self, warp: usize, now: u64);

    /// The last warp of the group has arrived at `now`: `warp` goes on `cost` ticks later.
    fn leaves(&mut self, warp: usize, now: u64, cost: u64);

    /// A warp ends at `now`.
    fn ends(&mut self, warp: usize, now: u64);

    /// The events before `now` come again as `repetition` says, and are not run.
    fn skips(&mut self, now: u64, repetition: Repetition);
}

/// The observer that ignores all events.
impl Watch for () {
    fn uses(&mut self, _: usize, _: Server, _: [u64; 4]) {}
    fn waits(&mut self, _: usize, _: u64, _: u64) {}
    fn arrives(&mut self, _: usize, _: u64) {}
    fn leaves(&mut self, _: usize, _: u64, _: u64) {}
    fn ends(&mut self, _: usize, _: u64) {}
    fn skips(&mut self, _: u64, _: Repetition) {}
}
