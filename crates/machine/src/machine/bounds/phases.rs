//! The bound by phases: a stretch is cut at its barriers.
//!
//! Barriers of a group cut it into phases of one group, barriers of the grid into phases of the whole wave. A phase of the
//! wave is a stretch like any other, which the barriers of a group cut further.

use super::bound::{Bound, By};
use super::stretch::{End, Stretch, Wave};
use crate::machine::{BarrierScope, Statement};

/// A stretch of one group with the phases between all of its barriers.
pub(super) type OfGroup<S> = Part<S, false>;

/// A stretch of the wave with the phases between the barriers of the grid.
pub(super) type OfGrid<S> = Part<OfGroup<S>, true>;

/// A stretch, as a whole and as the phases between its barriers: all of them, or the grid's.
#[derive(Clone, Default)]
pub(super) struct Part<S, const GRID: bool> {
    whole: S,
    /// `None` if it has no barrier.
    cut: Option<Cut<S>>,
}

#[derive(Clone, Default)]
struct Cut<S> {
    /// The stretch before the first barrier.
    first: S,
    /// The lower bound, in ticks, of the phases from the first to the last barrier, with the costs of all barriers.
    between: u64,
    /// The stretch after the last barrier.
    last: S,
}

impl<S: Stretch, const GRID: bool> Part<S, GRID> {
    /// The lower bound, in ticks, of one phase.
    fn phase(stretch: &S, wave: Wave, end: End) -> u64 {
        stretch.bound(if GRID { wave } else { wave.of_one_group() }, end).ticks
    }
}

impl<S: Stretch, const GRID: bool> Stretch for Part<S, GRID> {
    fn of(statement: &Statement) -> Self {
        let cut = match statement {
            Statement::Barrier { cost, scope } if !GRID || *scope == BarrierScope::Grid => {
                Some(Cut { between: *cost, ..Cut::default() })
            }
            _ => None,
        };
        Self { whole: S::of(statement), cut }
    }

    /// A stretch may be long: it is copied at the first barrier alone.
    fn then(self, next: Self, wave: Wave) -> Self {
        let (before, after) = (self, next);
        let cut = match (before.cut, after.cut) {
            (None, None) => None,
            (Some(cut), None) => Some(Cut { last: cut.last.then(after.whole.clone(), wave), ..cut }),
            (None, Some(cut)) => Some(Cut { first: before.whole.clone().then(cut.first, wave), ..cut }),
            (Some(one), Some(other)) => {
                let between = Self::phase(&one.last.then(other.first, wave), wave, End::Barrier);
                Some(Cut { first: one.first, between: one.between + between + other.between, last: other.last })
            }
        };
        Self { whole: before.whole.then(after.whole, wave), cut }
    }

    fn times(self, count: u64, wave: Wave) -> Self {
        let cut = self.cut.map(|cut| {
            // The way from an iteration's last barrier to the next one's first is a phase too.
            let around = Self::phase(&cut.last.clone().then(cut.first.clone(), wave), wave, End::Barrier);
            Cut { between: count * cut.between + (count - 1) * around, ..cut }
        });
        Self { whole: self.whole.times(count, wave), cut }
    }

    fn bound(&self, wave: Wave, end: End) -> Bound {
        let whole = self.whole.bound(wave, end);
        let Some(Cut { first, between, last }) = &self.cut else {
            // One group takes no longer than all do.
            return whole;
        };
        let ticks = Self::phase(first, wave, End::Barrier) + between + Self::phase(last, wave, end);
        if ticks > whole.ticks { Bound { ticks, by: By::Phases } } else { whole }
    }
}
