//! The groups that are executed beside the middle one.

use std::collections::BTreeSet;

use num_integer::gcd;

use super::super::execute::{GroupDependence, inner};

/// The most groups of a launch that are all executed.
const MOST_GROUPS: u64 = 1 << 12;

/// The groups of a larger launch that are executed.
const SPREAD: u64 = 1 << 10;

/// The fewest groups of a mean, however many steps each takes.
const FEWEST: u64 = 1 << 6;

/// Executions of blocks that a mean may take.
const MOST_BLOCKS: u64 = 1 << 19;

/// Neighbours on each side of the middle group where ids decide unevenly: remainders by up to twice as many are seen.
const NEIGHBOURS: u64 = 8;

/// The groups that are compared with the executed one, if it leaves open what others do. First and last groups along an
/// axis are not among them.
pub(super) fn compared(dependence: &GroupDependence, grid: [u64; 3], group: [u64; 3]) -> BTreeSet<[u64; 3]> {
    let GroupDependence { witnesses, is_uneven, moves_addresses, .. } = dependence;
    let mut chosen = witnesses.clone();
    if witnesses.is_empty() && !is_uneven && !moves_addresses {
        return chosen;
    }
    let around = if *is_uneven { NEIGHBOURS } else { 1 };
    for axis in 0..3 {
        let own = group[axis];
        let neighbours = own.saturating_sub(around)..=own.saturating_add(around);
        let inner = inner(grid[axis], own);
        for id in neighbours.chain([grid[axis] / 3]).filter(|id| inner.contains(id)) {
            let mut other = group;
            other[axis] = id;
            chosen.insert(other);
        }
    }
    chosen.remove(&group);
    chosen
}

/// The groups of a mean: all of a small launch, else some that are spread over it. Each takes about as many executions of
/// blocks as `blocks`.
///
/// The spread ones are the multiples of a number beside the golden section of the launch that has no divisor in common
/// with it: they lie evenly, and each remainder by a divisor of the launch is as frequent among them as among all.
pub(super) fn averaged(grid: [u64; 3], blocks: u64) -> Vec<[u64; 3]> {
    let all: u64 = grid.iter().fold(1, |all, groups| all.saturating_mul(*groups));
    let affordable = (MOST_BLOCKS / blocks.max(1)).max(FEWEST);
    let at = |number: u64| [number % grid[0], number / grid[0] % grid[1], number / grid[0] / grid[1]];
    if all <= MOST_GROUPS.min(affordable) {
        return (0..all).map(at).collect();
    }
    let step = beside_golden_section(all);
    let multiple = |number: u64| u64::try_from(u128::from(number) * u128::from(step) % u128::from(all)).unwrap_or(0);
    (0..SPREAD.min(affordable).min(all)).map(|number| at(multiple(number))).collect()
}

/// The least number from the golden section of a number on without a divisor in common with it.
fn beside_golden_section(all: u64) -> u64 {
    // 2^64 divided by the golden ratio.
    let section = (u128::from(all) * 0x9E37_79B9_7F4A_7C15) >> 64;
    let first = u64::try_from(section).unwrap_or(1).max(1);
    (first..=all).find(|step| gcd(*step, all) == 1).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_launch_is_executed_whole_and_a_large_one_in_different_groups() {
        assert_eq!(averaged([5, 3, 2], 10).len(), 30);
        assert_eq!(averaged([64, 64, 1], 10).len(), 4096);
        for grid in [[65536, 1, 1], [100, 100, 1], [4097, 1, 1], [1 << 20, 1 << 20, 1 << 20]] {
            let groups: BTreeSet<[u64; 3]> = averaged(grid, 10).into_iter().collect();
            assert_eq!(groups.len(), 1024, "{grid:?}");
            assert!(groups.iter().all(|group| (0..3).all(|axis| group[axis] < grid[axis])));
        }
        assert_eq!(averaged([4096, 1, 1], 1 << 11).len(), 256, "groups of many steps");
        assert_eq!(averaged([4096, 1, 1], 1 << 40).len(), 64);
    }

    #[test]
    fn remainders_of_ids_are_as_frequent_as_in_the_launch() {
        for grid in [[65536, 1, 1], [256, 256, 1], [1000, 10, 1], [10_007, 1, 1]] {
            for axis in [0, 1] {
                for divisor in (2..=16).filter(|divisor| grid[axis] >= 4 * divisor) {
                    let groups = averaged(grid, 1);
                    for remainder in 0..divisor {
                        let found = groups.iter().filter(|group| group[axis] % divisor == remainder).count();
                        let expected = 1024 / usize::try_from(divisor).unwrap();
                        let is_whole = grid[0] % divisor == 0 && axis == 0;
                        let most = if is_whole { 1 } else { expected / 4 + 2 };
                        assert!(found.abs_diff(expected) <= most, "{found} of {grid:?} are {remainder} mod {divisor}");
                    }
                }
            }
        }
    }

    #[test]
    fn neighbours_and_one_at_a_third_are_compared() {
        let none = GroupDependence::default();
        assert!(compared(&none, [100, 1, 1], [49, 0, 0]).is_empty());
        let moves = GroupDependence { moves_addresses: true, ..none.clone() };
        let ids = |found: BTreeSet<[u64; 3]>| found.into_iter().map(|group| group[0]).collect::<Vec<_>>();
        assert_eq!(ids(compared(&moves, [100, 1, 1], [49, 0, 0])), [33, 48, 50]);
        let uneven = GroupDependence { is_uneven: true, ..none };
        assert_eq!(compared(&uneven, [100, 100, 1], [49, 49, 0]).len(), 2 * 17);
        assert!(compared(&uneven, [3, 2, 1], [1, 0, 0]).is_empty(), "the others are first or last ones");
    }
}
