//! The distances of ids between two groups whose accesses may meet.

use num_integer::Integer;

use super::super::value::{Lanes, Shape};
use super::event::Event;

/// The most distances that are tried for a pair of accesses.
const MOST_DISTANCES: usize = 16;

/// Distances of ids between two groups.
pub(super) struct Distances {
    /// The nearest ones, the nearest first.
    pub(super) near: Vec<[i64; 3]>,
    /// True if there are no others.
    pub(super) are_all: bool,
}

/// The distances of ids within reach to groups whose access may touch what a group touches, the nearest first. Both accesses are
/// given as this group has them; the other one changes by `steps` with the ids.
pub(super) fn distances(
    reach: [[i128; 2]; 3],
    own: &Event<'_>,
    (other, steps): (&Event<'_>, &[Lanes; 3]),
    shape: &Shape,
) -> Distances {
    let ([low, high], [begin, end]) = (own.range(shape), other.range(shape));
    let mut axes: Vec<(usize, i128)> = Vec::new();
    for axis in (0..3).filter(|axis| reach[*axis] != [0, 0]) {
        match steps[axis] {
            Lanes::Same(step) => axes.push((axis, step.into())),
            // Only the groups beside it are tried.
            _ => return Distances { near: beside(reach), are_all: true },
        }
    }
    axes.sort_by_key(|(_, step)| std::cmp::Reverse(step.abs()));
    let mut found = Distances { near: Vec::new(), are_all: true };
    add_distances([low - end + 1, high - begin - 1], &axes, reach, [0; 3], &mut found);
    found.near.sort_by_key(|distance: &[i64; 3]| {
        let (sum, steps) = (distance.iter().map(|one| one.unsigned_abs()).sum::<u64>(), *distance);
        (sum, std::cmp::Reverse(steps))
    });
    found
}

/// The distances to the groups beside one along each axis, as far as the launch reaches.
fn beside(reach: [[i128; 2]; 3]) -> Vec<[i64; 3]> {
    let at = |axis: usize, distance: i64| {
        let mut all = [0; 3];
        all[axis] = distance;
        (reach[axis][0]..=reach[axis][1]).contains(&distance.into()).then_some(all)
    };
    (0..3).flat_map(|axis| [at(axis, 1), at(axis, -1)]).flatten().collect()
}

/// Adds the distances whose sum of steps may lie in a range, except that of the group itself.
fn add_distances(
    wanted: [i128; 2],
    steps: &[(usize, i128)],
    reach: [[i128; 2]; 3],
    distance: [i64; 3],
    found: &mut Distances,
) {
    if found.near.len() >= MOST_DISTANCES && !found.are_all {
        return;
    }
    let Some(((axis, factor), others)) = steps.split_first() else {
        if wanted[0] <= 0 && 0 <= wanted[1] && distance != [0; 3] {
            if found.near.len() < MOST_DISTANCES {
                found.near.push(distance);
            } else {
                found.are_all = false;
            }
        }
        return;
    };
    let [low, high] = others.iter().fold([0, 0], |[low, high], (along, by)| {
        let ends = reach[*along].map(|end| end * by);
        [low + ends[0].min(ends[1]), high + ends[0].max(ends[1])]
    });
    let ends = [wanted[0] - high, wanted[1] - low];
    let [first, last] = match *factor {
        // Each distance will do: the group itself and those beside it are tried.
        0 => [-1, 1],
        step if step > 0 => [Integer::div_ceil(&ends[0], &step), Integer::div_floor(&ends[1], &step)],
        step => [Integer::div_ceil(&ends[1], &step), Integer::div_floor(&ends[0], &step)],
    };
    let [first, last] = [first.max(reach[*axis][0]), last.min(reach[*axis][1])];
    let mut tried: Vec<i128> = if first > last {
        Vec::new()
    } else {
        let most = i128::try_from(MOST_DISTANCES).unwrap_or(i128::MAX);
        let middle = 0.clamp(first, last);
        found.are_all &= last - first <= most || first >= middle - most && last <= middle + most;
        (first.max(middle - most)..=last.min(middle + most)).collect()
    };
    tried.sort_by_key(|one| (one.abs(), std::cmp::Reverse(*one)));
    for one in tried {
        let mut next = distance;
        next[*axis] = i64::try_from(one).unwrap_or(0);
        add_distances(wanted.map(|end| end - one * factor), others, reach, next, found);
    }
}
