//! Stretches of a body, and the greatest of their bounds.

use super::bound::{Bound, By};
use crate::machine::{Program, Server, Statement};

/// The end of a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// A barrier, which starts that are not done do not hold up.
    Barrier,
    /// The end of the body, where each warp waits for its starts.
    Body,
}

/// The sums of a server's services in a stretch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Uses {
    /// Ticks of a warp alone until its first service.
    pub(super) head: u64,
    /// The sum of the occupancies, in ticks.
    pub(super) busy: u64,
    /// Ticks of a warp alone from the end of its last service to the end of the stretch.
    pub(super) tail: u64,
}

/// The wave whose bound is wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wave<'a> {
    pub(super) program: &'a Program,
    /// The number of its groups.
    pub(super) groups: u64,
}

impl Wave<'_> {
    /// A wave of one group.
    pub(super) fn of_one_group(self) -> Self {
        Self { groups: 1, ..self }
    }
}

/// All that one warp does between two places of the body.
pub(super) trait Stretch: Clone + Default {
    /// A stretch of one statement that is not a loop.
    fn of(statement: &Statement) -> Self;

    /// The stretch with another one behind it.
    fn then(self, next: Self, wave: Wave) -> Self;

    /// The stretch repeated, at least once.
    fn times(self, count: u64, wave: Wave) -> Self;

    /// The greatest lower bound of the groups of a wave that go through this stretch; of equal bounds the first in the
    /// order of [`By`].
    fn bound(&self, wave: Wave, end: End) -> Bound;
}

/// A body, or a part of it, as one stretch.
pub(super) fn sequence<S: Stretch>(body: &[Statement], wave: Wave) -> S {
    let of_statement = |statement: &Statement| match statement {
        Statement::Loop { count: 0, .. } => S::default(),
        Statement::Loop { count, body } => sequence::<S>(body, wave).times(*count, wave),
        _ => S::of(statement),
    };
    body.iter().map(of_statement).fold(S::default(), |sum, next| sum.then(next, wave))
}

/// The greatest of the bounds of a stretch: `alone`, the ticks of one warp alone, and those of each server that it uses.
pub(super) fn greatest(wave: Wave, alone: u64, uses: impl Fn(Server) -> Option<Uses>) -> Bound {
    let Wave { program, groups } = wave;
    let warps = groups * program.warps_per_group;
    let mut greatest = Bound { ticks: alone, by: By::CriticalPath };
    for server in Server::ALL {
        let sharing = if server.is_beside_a_scheduler() { warps.div_ceil(program.dispatchers) } else { warps };
        let ticks = uses(server).map_or(0, |uses| uses.head + sharing * uses.busy + uses.tail);
        if ticks > greatest.ticks {
            greatest = Bound { ticks, by: By::Server(server) };
        }
    }
    greatest
}
