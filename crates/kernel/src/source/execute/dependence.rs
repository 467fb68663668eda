//! The parts of an execution that depend on the ids of the group.
//!
//! Conditions on sums of ids are decided for all groups at once, since they change evenly with each id. What is left,
//! such as `id % 4 == 3`, is noted: only an execution of other groups says what they do.

use std::collections::BTreeSet;

use super::super::ir::SourcePlace;
use super::super::trace::SourceMemory;
use super::super::value::{Known, Lanes, Mask, Relation, Shape, Slope, Slopes, Symbol};
use super::sums::AllowedSums;

/// The most groups that are noted for what they decide.
const MOST_WITNESSES: usize = 16;

/// The most ids along an axis that are tried for one where two numbers are equal.
const MOST_TRIED: i128 = 1 << 12;

/// The parts of an execution that depend on the ids of the group.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GroupDependence {
    /// Groups that a condition sends another way; first and last groups along an axis are not among them.
    pub witnesses: BTreeSet<[u64; 3]>,
    /// First and last groups along an axis that a condition sends another way, and others, one for each condition.
    pub edges: BTreeSet<[u64; 3]>,
    /// True if an id decides something in a way that only an execution shows, as in `id % 4 == 3`.
    pub is_uneven: bool,
    /// True if an id changes an address in such a way, or the distances between the work items' addresses.
    pub moves_addresses: bool,
    /// The places of what depends on the ids, in the user's files.
    pub places: BTreeSet<SourcePlace>,
    /// The groups that do the same: those whose ids keep all conditions, and the distances between addresses in local memory.
    pub allowed: AllowedSums,
    /// True for an axis whose ids change the distances between the work items' addresses, or may do so.
    pub spreads: [bool; 3],
}

/// The other groups of a launch, by the distances of their ids from those of the group that is executed.
#[derive(Debug, Clone)]
pub(super) struct OtherGroups {
    group: [u64; 3],
    /// The least and the greatest distance along each axis, without first and last groups.
    reach: [[i128; 2]; 3],
    /// The same with first and last groups.
    whole: [[i128; 2]; 3],
    pub(super) found: GroupDependence,
}

/// The ids along an axis that neither a first nor a last group has, if it is not the one at `own`.
pub(in crate::source) fn inner(groups: u64, own: u64) -> std::ops::RangeInclusive<u64> {
    own.min(1)..=own.max(groups.saturating_sub(2))
}

impl OtherGroups {
    pub(super) fn new(group: [u64; 3], groups: [u64; 3]) -> Self {
        let reach = [0, 1, 2].map(|axis| {
            let ids = inner(groups[axis], group[axis]);
            [*ids.start(), *ids.end()].map(|id| i128::from(id) - i128::from(group[axis]))
        });
        let whole = [0, 1, 2]
            .map(|axis| [0, groups[axis].saturating_sub(1)].map(|id| i128::from(id) - i128::from(group[axis])));
        Self { group, reach, whole, found: GroupDependence::default() }
    }

    /// The least and the greatest distance from the executed group to another one along each axis.
    pub(super) fn distances(&self) -> [[i64; 2]; 3] {
        self.whole.map(|ends| ends.map(|end| i64::try_from(end).unwrap_or(i64::MAX)))
    }

    /// Notes that ids of the group along these axes decide something unevenly.
    pub(super) fn note_uneven(&mut self, axes: [bool; 3], places: &[SourcePlace]) {
        self.found.is_uneven = true;
        (0..3).filter(|axis| axes[*axis]).for_each(|axis| self.keep_id(axis));
        self.note_place(places);
    }

    /// Notes that groups with other ids along an axis may do something else.
    fn keep_id(&mut self, axis: usize) {
        let mut factors = [0; 3];
        factors[axis] = 1;
        self.found.allowed.keep_sum(Relation::Zero, 0, factors, (self.group, self.whole));
    }

    /// Notes an address if other groups may touch memory in another pattern.
    pub(super) fn note_address(&mut self, (address, memory): (&Known, SourceMemory), lanes: &Mask, shape: &Shape) {
        let is_even = |slope: &Slope| matches!(slope, Slope::By(Lanes::Same(_)));
        let of_groups = || address.slopes.iter().filter_map(|(symbol, slope)| Some((symbol.axis()?, slope)));
        self.found.moves_addresses |= of_groups().any(|(_, slope)| !is_even(slope));
        of_groups().filter(|(_, slope)| !slope.is_shared()).for_each(|(axis, _)| self.found.spreads[axis] = true);
        if memory != SourceMemory::Local || of_groups().next().is_none() {
            return;
        }
        // Where ids of the group move addresses in local memory, other groups may touch what this one does not.
        of_groups().filter(|(_, slope)| slope.is_uneven()).for_each(|(axis, _)| self.keep_id(axis));
        let (base, slopes) = (Lanes::Same(0), slopes_of_groups(&address.slopes));
        self.found.allowed.keep(Relation::Zero, (&base, slopes), (lanes, shape), (self.group, self.whole));
    }

    /// Notes a group whose sum of ids has another relation to 0 than that of the executed group; `base` is the sum
    /// of this one.
    pub(super) fn note_condition(
        &mut self,
        relation: Relation,
        (base, slopes): (&Lanes, &Slopes),
        lanes: &Mask,
        shape: &Shape,
        places: &[SourcePlace],
    ) {
        let slopes = slopes_of_groups(slopes);
        if always_holds(relation, base, slopes, self.whole, shape) {
            return;
        }
        self.found.allowed.keep(relation, (base, slopes), (lanes, shape), (self.group, self.whole));
        let of_lane = |lane| (base.at(lane, shape), slopes.map(|slope| i128::from(slope.at(lane, shape))));
        let witness = |reach| {
            lanes.ones().find_map(|lane| {
                let (base, slopes) = of_lane(lane);
                witness(relation, base.into(), slopes, reach)
            })
        };
        if self.found.edges.len() < MOST_WITNESSES {
            let edge = witness(self.whole).map(|distances| self.at(distances));
            self.found.edges.extend(edge);
        }
        if always_holds(relation, base, slopes, self.reach, shape) {
            return;
        }
        let Some(distances) = witness(self.reach) else { return };
        if self.found.witnesses.len() < MOST_WITNESSES {
            self.found.witnesses.insert(self.at(distances));
        }
        self.note_place(places);
    }

    /// The group at these distances from the executed one.
    fn at(&self, distances: [i128; 3]) -> [u64; 3] {
        [0, 1, 2].map(|axis| u64::try_from(i128::from(self.group[axis]) + distances[axis]).unwrap_or(0))
    }

    fn note_place(&mut self, places: &[SourcePlace]) {
        self.found.places.extend(places.iter().find(|place| place.is_users()).cloned());
    }
}

impl GroupDependence {
    /// True if a group executes the same as the group `own`, which was executed, at addresses that lie equally far apart.
    #[must_use]
    pub fn is_alike(&self, own: [u64; 3], other: [u64; 3]) -> bool {
        (0..3).all(|axis| !self.spreads[axis] || own[axis] == other[axis]) && self.allowed.allow(other)
    }

    /// The ids of first and last groups along each axis that may not do what the executed group does; `grid` is the number of
    /// groups and `group` the executed one.
    pub(in crate::source) fn edge_ids(&self, grid: [u64; 3], group: [u64; 3]) -> [BTreeSet<u64>; 3] {
        [0, 1, 2].map(|axis| {
            let mut ids: BTreeSet<u64> = self.edges.iter().map(|edge| edge[axis]).collect();
            if self.is_uneven {
                ids.extend([0, grid[axis].saturating_sub(1)]);
            }
            ids.remove(&group[axis]);
            ids
        })
    }
}

/// The changes with the ids of the group along each axis, where they are even.
fn slopes_of_groups(slopes: &Slopes) -> [&Lanes; 3] {
    [0, 1, 2].map(|axis| match slopes.iter().find(|(symbol, _)| *symbol == Symbol::Group(axis)) {
        Some((_, Slope::By(slope))) => slope,
        _ => &Lanes::Same(0),
    })
}

/// True if bounds alone show that a relation holds in all groups at these distances.
fn always_holds(relation: Relation, base: &Lanes, slopes: [&Lanes; 3], reach: [[i128; 2]; 3], shape: &Shape) -> bool {
    let [mut least, mut greatest] = base.ends(shape);
    for (slope, reach) in slopes.into_iter().zip(reach) {
        let ends = slope.ends(shape);
        let moved = ends.into_iter().flat_map(|end| reach.map(|distance| end.saturating_mul(distance)));
        let [low, high] = moved.fold([0, 0], |[low, high], one| [low.min(one), high.max(one)]);
        (least, greatest) = (least.saturating_add(low), greatest.saturating_add(high));
    }
    match relation {
        Relation::Negative => greatest < 0,
        Relation::NotNegative => least >= 0,
        Relation::NotZero => least > 0 || greatest < 0,
        Relation::Zero => least == 0 && greatest == 0,
    }
}

/// The distances to a group that breaks the relation of `base + slopes * distances` to 0, within a reach along each axis;
/// `None` if every group keeps it.
fn witness(relation: Relation, base: i128, slopes: [i128; 3], reach: [[i128; 2]; 3]) -> Option<[i128; 3]> {
    let furthest = |is_up: bool| {
        [0, 1, 2].map(|axis| {
            let [low, high] = reach[axis];
            match slopes[axis] {
                0 => 0,
                slope if (slope > 0) == is_up => high,
                _ => low,
            }
        })
    };
    let at = |distances: [i128; 3]| (0..3).fold(base, |sum, axis| sum + slopes[axis] * distances[axis]);
    match relation {
        Relation::Negative => Some(furthest(true)).filter(|end| at(*end) >= 0),
        Relation::NotNegative => Some(furthest(false)).filter(|end| at(*end) < 0),
        Relation::Zero => [true, false].map(furthest).into_iter().find(|end| at(*end) != 0),
        Relation::NotZero => zero(base, slopes, reach),
    }
}

/// The distances to a group that makes `base + slopes * distances` 0; `None` if none is found.
fn zero(base: i128, slopes: [i128; 3], reach: [[i128; 2]; 3]) -> Option<[i128; 3]> {
    let mut axes: Vec<usize> = (0..3).filter(|axis| slopes[*axis] != 0).collect();
    let last = axes.pop()?;
    let solved = |rest: i128| {
        let (slope, [low, high]) = (slopes[last], reach[last]);
        let distance = -rest / slope;
        (rest % slope == 0 && (low..=high).contains(&distance)).then_some(distance)
    };
    let Some(first) = axes.pop() else {
        let mut distances = [0; 3];
        distances[last] = solved(base)?;
        return Some(distances);
    };
    let [low, high] = reach[first];
    let mut tried = low.max(-MOST_TRIED)..=high.min(MOST_TRIED);
    tried.find_map(|distance| {
        let mut distances = [0; 3];
        distances[first] = distance;
        distances[last] = solved(base + slopes[first] * distance)?;
        Some(distances)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The group in the middle of 100, as a condition on `base + slope * id` sees the others.
    fn noted(relation: Relation, base: i64, slope: i64) -> GroupDependence {
        let mut groups = OtherGroups::new([49, 0, 0], [100, 1, 1]);
        let slopes = [(Symbol::Group(0), Slope::By(Lanes::Same(slope)))].into_iter().collect();
        let shape = Shape::new([4, 1, 1]);
        let mut all = Mask::with_capacity(4);
        all.insert_range(..);
        let own = Lanes::Same(base + slope * 49);
        groups.note_condition(relation, (&own, &slopes), &all, &shape, &[]);
        groups.found
    }

    fn witness(relation: Relation, base: i64, slope: i64) -> Option<u64> {
        noted(relation, base, slope).witnesses.first().map(|group| group[0])
    }

    #[test]
    fn edges_that_a_condition_sends_another_way_are_noted() {
        let edge = |relation, base, slope| noted(relation, base, slope).edges.first().map(|group| group[0]);
        assert_eq!(edge(Relation::Negative, -99, 1), Some(99), "id < 99 is false in the last group");
        assert_eq!(edge(Relation::NotNegative, -1, 1), Some(0), "id >= 1");
        assert_eq!(edge(Relation::NotZero, 0, 1), Some(0), "id != 0");
        assert_eq!(edge(Relation::Negative, -100, 1), None, "id < 100");
    }

    #[test]
    fn a_condition_is_decided_for_all_groups_but_the_first_and_the_last() {
        assert_eq!(witness(Relation::Negative, -99, 1), None, "id < 99 is false in the last group alone");
        assert_eq!(witness(Relation::Negative, -98, 1), Some(98), "id < 98");
        assert_eq!(witness(Relation::NotNegative, -1, 1), None, "id >= 1");
        assert_eq!(witness(Relation::NotNegative, -2, 1), Some(1), "id >= 2");
        assert_eq!(witness(Relation::NotZero, 0, 1), None, "id != 0");
        assert_eq!(witness(Relation::NotZero, -7, 1), Some(7), "id != 7");
        assert_eq!(witness(Relation::NotZero, -7, 2), None, "2 * id != 7");
        assert_eq!(witness(Relation::Zero, -49, 1), Some(98), "id == 49");
    }

    #[test]
    fn ids_that_meet_are_found_along_two_axes() {
        let groups = OtherGroups::new([49, 24, 0], [100, 50, 1]);
        // x - y is 25 in the middle, and 0 on the diagonal.
        let found = zero(25, [1, -1, 0], groups.reach).unwrap();
        assert_eq!(25 + found[0] - found[1], 0);
        assert_eq!(zero(1000, [1, -1, 0], groups.reach), None);
    }

    #[test]
    fn two_groups_along_an_axis_are_a_first_and_a_last_one() {
        assert_eq!([inner(1, 0), inner(2, 0), inner(3, 1), inner(4, 1)], [0..=0, 0..=0, 1..=1, 1..=2]);
    }
}
