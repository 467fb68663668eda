//! The sums that bound the time of a part of the body.

use std::ops::Add;

use super::bound::{Bound, By};
use crate::machine::{Program, Server};

const SERVERS: [Server; 3] = [Server::Memory, Server::Local, Server::Dispatcher];

/// The sums over all that one warp does between two places of the body.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Stretch {
    /// The sum of all latencies and barrier costs, in ticks.
    path: u64,
    /// The sums for each of the [`SERVERS`]; `None` if the stretch does not use it.
    uses: [Option<Uses>; 3],
}

#[derive(Debug, Clone, Copy)]
struct Uses {
    /// The sum of the latencies and costs before the first use, in ticks.
    head: u64,
    /// The sum of the occupancies, in ticks.
    busy: u64,
    /// The last use's latency beyond its occupancy, and all latencies and costs after that use, in ticks.
    tail: u64,
}

impl Stretch {
    pub(super) fn of_wait(cost: u64) -> Self {
        Self { path: cost, ..Self::default() }
    }

    pub(super) fn of_use(server: Server, occupancy: u64, latency: u64) -> Self {
        let uses = Uses { head: 0, busy: occupancy, tail: latency - occupancy };
        Self { path: latency, uses: SERVERS.map(|other| (other == server).then_some(uses)) }
    }

    pub(super) fn times(self, count: u64) -> Self {
        let uses = self.uses.map(|uses| uses.map(|uses| Uses { busy: count * uses.busy, ..uses }));
        Self { path: count * self.path, uses }
    }

    /// The greatest bound of `groups` groups that go through this stretch; of equal bounds the first in the order of
    /// [`By`].
    pub(super) fn bound(&self, program: &Program, groups: u64) -> Bound {
        let warps = groups * program.warps_per_group;
        let mut greatest = Bound { ticks: self.path, by: By::CriticalPath };
        for (server, uses) in SERVERS.into_iter().zip(self.uses) {
            let sharing = if server == Server::Dispatcher { warps.div_ceil(program.dispatchers) } else { warps };
            let ticks = uses.map_or(0, |uses| uses.head + sharing * uses.busy + uses.tail);
            if ticks > greatest.ticks {
                greatest = Bound { ticks, by: By::Server(server) };
            }
        }
        greatest
    }
}

/// Appends a stretch.
impl Add for Stretch {
    type Output = Self;

    fn add(self, next: Self) -> Self {
        let mut uses = [None; 3];
        for ((sum, first), second) in uses.iter_mut().zip(self.uses).zip(next.uses) {
            let second = second.map(|second| Uses { head: self.path + second.head, ..second });
            *sum = match (first, second) {
                (Some(first), Some(second)) => {
                    Some(Uses { head: first.head, busy: first.busy + second.busy, tail: second.tail })
                }
                (Some(first), None) => Some(Uses { tail: first.tail + next.path, ..first }),
                (None, second) => second,
            };
        }
        Self { path: self.path + next.path, uses }
    }
}
