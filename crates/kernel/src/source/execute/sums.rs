//! The sums of group ids that the conditions of an execution allow. Every group whose sums are allowed does the same.

use std::collections::{BTreeMap, BTreeSet};

use super::super::value::{Lanes, Mask, Relation, Shape};

/// The most different factors of sums that are kept.
const MOST_SUMS: usize = 64;

/// The most values that a sum may not have.
const MOST_HOLES: usize = 1 << 12;

/// The groups that do what an executed one does, by their ids.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AllowedSums {
    /// The allowed sums of the ids along x, y and z times these factors.
    sums: BTreeMap<[i64; 3], AllowedSum>,
    /// True if nothing is known of other groups: a condition is not a sum of ids, or there are too many.
    is_open: bool,
}

/// The values that a sum may have.
#[derive(Debug, Clone, PartialEq, Eq)]
struct AllowedSum {
    least: i128,
    greatest: i128,
    /// The values between that it may not have.
    holes: BTreeSet<i128>,
}

/// The part of some groups that conditions allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::source) enum Part {
    All,
    /// Some of them, or it takes too long to say; the factors of a sum that parts them.
    Some([i64; 3]),
    None,
}

impl AllowedSums {
    /// Notes that nothing is known of other groups.
    pub(super) fn open(&mut self) {
        self.is_open = true;
        self.sums.clear();
    }

    /// Notes that `base + slopes * distances` has to keep its relation to 0 in some lanes. Distances are those from `group`, and
    /// `reach` has the least and the greatest along each axis.
    pub(super) fn keep(
        &mut self,
        relation: Relation,
        (base, slopes): (&Lanes, [&Lanes; 3]),
        (lanes, shape): (&Mask, &Shape),
        (group, reach): ([u64; 3], [[i128; 2]; 3]),
    ) {
        for lane in lanes.ones() {
            if self.is_open {
                return;
            }
            let factors = slopes.map(|slope| slope.at(lane, shape));
            self.keep_sum(relation, base.at(lane, shape).into(), factors, (group, reach));
            if matches!(base, Lanes::Same(_)) && slopes.iter().all(|slope| matches!(slope, Lanes::Same(_))) {
                return;
            }
        }
    }

    /// The same for a sum.
    pub(super) fn keep_sum(
        &mut self,
        relation: Relation,
        base: i128,
        factors: [i64; 3],
        (group, reach): ([u64; 3], [[i128; 2]; 3]),
    ) {
        if self.is_open || factors == [0; 3] {
            return;
        }
        let own = sum(factors, group.map(i128::from));
        // The sum that makes `base + slopes * distances` 0.
        let zero = own - base;
        let [low, high] = (0..3).fold([own, own], |[low, high], axis| {
            let ends = reach[axis].map(|distance| distance * i128::from(factors[axis]));
            [low + ends[0].min(ends[1]), high + ends[0].max(ends[1])]
        });
        let is_kept = match relation {
            Relation::Negative => high < zero,
            Relation::NotNegative => low >= zero,
            Relation::Zero => low == zero && high == zero,
            Relation::NotZero => !(low..=high).contains(&zero),
        };
        if is_kept {
            return;
        }
        let is_full = self.sums.len() >= MOST_SUMS;
        let all = || AllowedSum { least: low, greatest: high, holes: BTreeSet::new() };
        if is_full && !self.sums.contains_key(&factors) {
            return self.open();
        }
        let allowed = self.sums.entry(factors).or_insert_with(all);
        match relation {
            Relation::Negative => allowed.greatest = allowed.greatest.min(zero - 1),
            Relation::NotNegative => allowed.least = allowed.least.max(zero),
            Relation::Zero => (allowed.least, allowed.greatest) = (zero, zero),
            Relation::NotZero => _ = allowed.holes.insert(zero),
        }
        if allowed.holes.len() > MOST_HOLES {
            self.open();
        }
    }

    /// True if nothing is known of other groups.
    pub(in crate::source) fn is_open(&self) -> bool {
        self.is_open
    }

    /// True if a group does what the executed one does.
    pub(in crate::source) fn allow(&self, group: [u64; 3]) -> bool {
        !self.is_open
            && self.sums.iter().all(|(factors, allowed)| {
                let sum = sum(*factors, group.map(i128::from));
                (allowed.least..=allowed.greatest).contains(&sum) && !allowed.holes.contains(&sum)
            })
    }

    /// The part that is allowed of the groups with ids from the first to the last along each axis.
    pub(in crate::source) fn part_of(&self, ids: [[u64; 2]; 3]) -> Part {
        if self.is_open {
            return Part::None;
        }
        let mut part = Part::All;
        for (factors, allowed) in &self.sums {
            let [low, high] = (0..3).fold([0, 0], |[low, high], axis| {
                let ends = ids[axis].map(|id| i128::from(id) * i128::from(factors[axis]));
                [low + ends[0].min(ends[1]), high + ends[0].max(ends[1])]
            });
            if high < allowed.least || low > allowed.greatest || low == high && allowed.holes.contains(&low) {
                return Part::None;
            }
            if low < allowed.least || high > allowed.greatest || allowed.holes.range(low..=high).next().is_some() {
                part = Part::Some(*factors);
            }
        }
        part
    }
}

fn sum(factors: [i64; 3], ids: [i128; 3]) -> i128 {
    (0..3).map(|axis| i128::from(factors[axis]) * ids[axis]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_that_keep_the_relations_of_an_executed_one_are_allowed() {
        let launch = ([49, 4, 0], [[-49, 50], [-4, 5], [0, 0]]);
        let mut allowed = AllowedSums::default();
        // In group 49: id < 99, id != 7; 10 * y + x is not 3.
        allowed.keep_sum(Relation::Negative, 49 - 99, [1, 0, 0], launch);
        allowed.keep_sum(Relation::NotZero, 49 - 7, [1, 0, 0], launch);
        allowed.keep_sum(Relation::NotZero, 89 - 3, [1, 10, 0], launch);
        // This holds in all groups.
        allowed.keep_sum(Relation::Negative, -1000, [0, 1, 0], launch);
        assert_eq!(allowed.sums.len(), 2);
        let tried = [[49, 4, 0], [98, 9, 0], [99, 4, 0], [7, 0, 0], [3, 0, 0]];
        assert_eq!(tried.map(|group| allowed.allow(group)), [true, true, false, false, false]);
        assert_eq!(allowed.part_of([[8, 98], [1, 9], [0, 0]]), Part::All);
        assert_eq!(allowed.part_of([[99, 99], [0, 9], [0, 0]]), Part::None);
        assert!(matches!(allowed.part_of([[0, 99], [1, 9], [0, 0]]), Part::Some(_)));
        allowed.open();
        assert!(!allowed.allow([49, 4, 0]));
    }
}
