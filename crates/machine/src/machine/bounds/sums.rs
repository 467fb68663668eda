//! The sums that bound the time of a stretch without starts and waits.

use super::bound::Bound;
use super::stretch::{End, Stretch, Uses, Wave, greatest};
use crate::machine::{Server, Statement};

/// The sums over all that one warp does between two places of the body.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    /// The sum of all latencies and barrier costs, in ticks.
    pub(super) path: u64,
    /// The sums for each of [`Server::ALL`]; `None` if the stretch does not use it.
    pub(super) uses: [Option<Uses>; Server::ALL.len()],
}

impl Stretch for Sums {
    fn of(statement: &Statement) -> Self {
        match *statement {
            Statement::Use { server, occupancy, latency } => {
                let uses = Uses { head: 0, busy: occupancy, tail: latency - occupancy };
                Self { path: latency, uses: Server::ALL.map(|other| (other == server).then_some(uses)) }
            }
            Statement::Barrier { cost, .. } => Self { path: cost, ..Self::default() },
            Statement::Start { .. } | Statement::Wait { .. } | Statement::Loop { .. } => Self::default(),
        }
    }

    fn then(self, next: Self, _: Wave) -> Self {
        self.and(next)
    }

    fn times(self, count: u64, _: Wave) -> Self {
        self.repeated(count)
    }

    fn bound(&self, wave: Wave, _: End) -> Bound {
        greatest(wave, self.path, |server| self.uses[server as usize])
    }
}

impl Sums {
    /// The sums of the stretch repeated.
    pub(super) fn repeated(self, count: u64) -> Self {
        let uses = self.uses.map(|uses| uses.map(|uses| Uses { busy: count * uses.busy, ..uses }));
        Self { path: count * self.path, uses }
    }

    /// The sums of the stretch with another one behind it.
    pub(super) fn and(self, next: Self) -> Self {
        let mut uses = [None; Server::ALL.len()];
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
