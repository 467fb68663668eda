//! The groups of a launch that do what an executed group does, and the others.
//!
//! An executed group stands for all groups whose ids keep its conditions. The launch is a box of ids, which is divided until
//! each part is wholly of such groups or has none of them.

use std::collections::BTreeSet;

use super::super::execute::{AllowedSums, Executed, Part};

/// The most parts of a launch that are looked at.
const MOST_PARTS: usize = 1 << 12;

/// The most executed groups that are tried for a part of the launch.
const MOST_TRIED: usize = 1 << 7;

/// The first and the last id along each axis.
type Ids = [[u64; 2]; 3];

/// The executed groups of a launch.
#[derive(Debug, Clone, Default)]
pub struct LookedAt {
    grid: [u64; 3],
    executed: BTreeSet<[u64; 3]>,
    /// The conditions of executed groups that stand for others.
    allowed: Vec<AllowedSums>,
}

/// The groups of a launch that do what no executed group does, as far as is known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NotLookedAt {
    /// The number of groups.
    pub number: u64,
    /// Some of them.
    pub some: Vec<[u64; 3]>,
}

impl LookedAt {
    /// No executed group of a launch with this many groups along each axis.
    pub(in crate::source) fn none_of(grid: [u64; 3]) -> Self {
        Self { grid, ..Self::default() }
    }

    /// Adds a group with what it has executed, if it is known.
    pub fn add(&mut self, group: [u64; 3], executed: Option<&Executed>) {
        if let Some(executed) = executed
            && !executed.dependence.allowed.is_open()
            && !self.allowed.iter().any(|allowed| allowed.allow(group))
        {
            self.allowed.push(executed.dependence.allowed.clone());
        }
        self.executed.insert(group);
    }

    /// True if a group does what an executed one does.
    #[must_use]
    pub fn has(&self, group: [u64; 3]) -> bool {
        self.executed.contains(&group) || self.allowed.iter().any(|allowed| allowed.allow(group))
    }

    /// The groups in the corners of the launch, once for each combination of first and last ids along its axes.
    #[must_use]
    pub fn corners(&self) -> BTreeSet<[u64; 3]> {
        let last = self.grid.map(|groups| groups.saturating_sub(1));
        (0..8).map(|ends| [0, 1, 2].map(|axis| if ends >> axis & 1 == 0 { 0 } else { last[axis] })).collect()
    }

    /// The groups that do what no executed group does. A part of the launch that takes too long to divide counts whole.
    #[must_use]
    pub fn rest(&self) -> NotLookedAt {
        let mut rest = NotLookedAt::default();
        if self.grid.contains(&0) {
            return rest;
        }
        let allowed: Vec<&AllowedSums> = self.allowed.iter().take(MOST_TRIED).collect();
        let mut open: Vec<(Ids, Vec<&AllowedSums>)> = vec![(self.grid.map(|groups| [0, groups - 1]), allowed)];
        let mut parts = 0;
        while let Some((ids, allowed)) = open.pop() {
            parts += 1;
            let answers = allowed.iter().map(|one| (*one, one.part_of(ids)));
            let some: Vec<(&AllowedSums, Part)> = answers.filter(|(_, part)| *part != Part::None).collect();
            if some.iter().any(|(_, part)| *part == Part::All) {
                continue;
            }
            if let Some((_, Part::Some(factors))) = some.first()
                && parts < MOST_PARTS
            {
                let next: Vec<&AllowedSums> = some.iter().map(|(one, _)| *one).collect();
                open.extend(halves(ids, *factors).map(|half| (half, next.clone())));
            } else {
                self.add_part(&mut rest, ids);
            }
        }
        rest
    }

    /// Adds the groups of a part that were not executed.
    fn add_part(&self, rest: &mut NotLookedAt, ids: Ids) {
        let is_in = |group: &[u64; 3]| (0..3).all(|axis| (ids[axis][0]..=ids[axis][1]).contains(&group[axis]));
        let all = ids.iter().fold(1_u64, |all, [first, last]| all.saturating_mul(last - first + 1));
        let executed = self.executed.iter().filter(|group| is_in(group)).count() as u64;
        let number = all.saturating_sub(executed);
        rest.number = rest.number.saturating_add(number);
        // The last groups along each axis come first.
        let mut tried = (0..=executed).filter_map(|mut number| {
            let group = [0, 1, 2].map(|axis: usize| {
                let groups = ids[axis][1] - ids[axis][0] + 1;
                let distance = number % groups;
                number /= groups;
                ids[axis][1] - distance
            });
            (number == 0).then_some(group)
        });
        rest.some.extend(tried.find(|group| !self.has(*group)));
    }
}

/// The halves of a part along the axis that changes a sum with these factors most.
fn halves(ids: Ids, factors: [i64; 3]) -> [Ids; 2] {
    let change = |axis: &usize| u128::from(ids[*axis][1] - ids[*axis][0]) * u128::from(factors[*axis].unsigned_abs());
    let axis = (0..3).max_by_key(change).unwrap_or(0);
    let [first, last] = ids[axis];
    let middle = first + (last - first) / 2;
    let half = |along: [u64; 2]| {
        let mut half = ids;
        half[axis] = along;
        half
    };
    [half([first, middle]), half([(middle + 1).min(last), last])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_conditions_one_group_stands_for_all_and_without_an_execution_none() {
        let mut looked_at = LookedAt::none_of([100, 50, 1]);
        assert_eq!(looked_at.rest().number, 5000);
        looked_at.add([7, 7, 0], None);
        assert_eq!((looked_at.rest().number, looked_at.has([7, 7, 0])), (4999, true));
        looked_at.allowed.push(AllowedSums::default());
        assert_eq!(looked_at.rest(), NotLookedAt::default());
        assert_eq!(looked_at.corners().len(), 4);
    }
}
