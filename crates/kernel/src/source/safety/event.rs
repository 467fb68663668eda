//! An access of work items between two barriers, with all its addresses.

use std::sync::Arc;

use num_integer::gcd;
use smallvec::SmallVec;

use super::super::trace::{AccessKind, BlockRun, RegionId};
use super::super::value::{Lanes, Mask, Shape};

/// The changes of an offset by the counters of loops, and the iterations of each.
pub(super) type Repeats = SmallVec<[(Lanes, u64); 2]>;

/// The effect of an access on memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Load,
    Store,
    Atomic,
}

/// An access between two barriers.
#[derive(Debug, Clone)]
pub(super) struct Event<'a> {
    pub(super) run: &'a BlockRun,
    /// The position of the instruction in its block.
    pub(super) instruction: usize,
    pub(super) kind: AccessKind,
    pub(super) effect: Effect,
    pub(super) region: RegionId,
    pub(super) items: Arc<Mask>,
    /// The offset in the array where all counters are 0.
    pub(super) base: Lanes,
    /// The changes by the counters of the loops that have no barrier, and their iterations.
    pub(super) slopes: Repeats,
    pub(super) bytes: u64,
    /// The number of barriers of a warp before the access.
    pub(super) epoch: u32,
    /// The events of the interval between the start of an asynchronous copy and its own work items' wait, from the first to the
    /// one behind the last; `None` for other accesses.
    pub(super) alive: Option<[u32; 2]>,
}

impl Event<'_> {
    /// True if another event touches the same in the same way.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        (self.run.block, self.instruction, self.effect, self.region, self.bytes)
            == (other.run.block, other.instruction, other.effect, other.region, other.bytes)
            && self.base == other.base
            && self.slopes == other.slopes
            && self.alive == other.alive
            && (Arc::ptr_eq(&self.items, &other.items) || self.items == other.items)
    }

    /// True for a copy that an event of the interval finds under way.
    pub(super) fn is_under_way(&self, event: u32) -> bool {
        self.alive.is_some_and(|[start, end]| (start..end).contains(&event))
    }

    /// The greatest number of bytes that divides all offsets and the size; at least 1.
    pub(super) fn grain(&self) -> u64 {
        let slopes = self.slopes.iter().fold(0, |all, (slope, _)| gcd(all, slope.divisor()));
        gcd(gcd(self.base.divisor(), slopes), self.bytes).max(1)
    }

    /// The least offset, and the one behind the greatest, for any work item of the group.
    pub(super) fn range(&self, shape: &Shape) -> [i128; 2] {
        let [mut low, mut high] = self.base.ends(shape);
        for (slope, times) in &self.slopes {
            let [least, greatest] = slope.ends(shape).map(|end| end.saturating_mul(i128::from(times - 1)));
            (low, high) = (low.saturating_add(least.min(0)), high.saturating_add(greatest.max(0)));
        }
        [low, high.saturating_add(i128::from(self.bytes))]
    }

    /// True if bounds alone show that no two work items touch the same bytes.
    pub(super) fn is_injective(&self, shape: &Shape) -> bool {
        let (Lanes::Even { steps, .. }, true) = (&self.base, self.slopes.is_empty()) else {
            return self.items.count_ones(..) <= 1;
        };
        let mut axes: Vec<(u128, u128)> = shape
            .sizes()
            .iter()
            .zip(steps)
            .filter(|(size, _)| **size > 1)
            .map(|(size, step)| (u128::from(step.unsigned_abs()), u128::from(size.unsigned_abs())))
            .collect();
        axes.sort_unstable();
        let mut reach = u128::from(self.bytes);
        axes.into_iter().all(|(step, size)| {
            let is_apart = step >= reach;
            reach += step * (size - 1);
            is_apart
        })
    }

    /// True if the access changes memory.
    pub(super) fn changes(&self) -> bool {
        self.effect != Effect::Load
    }

    /// True if all its offsets are visited where `most` are.
    pub(super) fn is_whole(&self, most: u64) -> bool {
        self.offsets() <= most
    }

    /// The number of offsets of all work items.
    fn offsets(&self) -> u64 {
        let items = self.items.count_ones(..) as u64;
        self.slopes.iter().fold(items, |all, (_, times)| all.saturating_mul(*times))
    }

    /// Visits the offset of each work item in each iteration, until `visit` is false. If there are more than `most`, the first
    /// two iterations of each loop and the last are visited.
    pub(super) fn each(&self, shape: &Shape, most: u64, visit: &mut impl FnMut(usize, i64) -> bool) {
        let is_whole = self.is_whole(most);
        let iterations: Vec<Vec<i64>> = self.slopes.iter().map(|(_, times)| picked(*times, is_whole)).collect();
        for lane in self.items.ones() {
            let base = self.base.at(lane, shape);
            let slopes: SmallVec<[i64; 2]> = self.slopes.iter().map(|(slope, _)| slope.at(lane, shape)).collect();
            if !each_sum(base, &slopes, &iterations, &mut |offset| visit(lane, offset)) {
                return;
            }
        }
    }
}

/// The iterations that are looked at.
fn picked(times: u64, is_whole: bool) -> Vec<i64> {
    let times = times.cast_signed();
    if is_whole || times <= 3 { (0..times).collect() } else { vec![0, 1, times - 1] }
}

/// Visits the sums of a number and of each slope times each of its iterations, until `visit` is false; false then.
fn each_sum(base: i64, slopes: &[i64], iterations: &[Vec<i64>], visit: &mut impl FnMut(i64) -> bool) -> bool {
    let ([slope, slopes @ ..], [own, iterations @ ..]) = (slopes, iterations) else { return visit(base) };
    own.iter().all(|at| each_sum(base.wrapping_add(slope.wrapping_mul(*at)), slopes, iterations, visit))
}
