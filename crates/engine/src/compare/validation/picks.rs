//! The quality of following a ranking: exact expectations over the orders of ties.

use std::cmp::Ordering;

use serde::Serialize;

/// The fraction that satisfies a tuner.
const SATISFYING: f64 = 0.95;

/// The quality of the configurations that a ranking picks first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Picks {
    /// The expected fraction of the first pick.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0.0, max = 1.000_001)))]
    pub first: f64,
    /// The expected best fraction of several picks.
    pub best_of: BestOf,
    /// The expected number of runs until one reaches 95 % of the optimum.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub runs_to_95_percent: f64,
}

/// The expected best fraction of the first 5, 10, 20 and 100 picks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
#[expect(missing_docs, reason = "the names say it")]
pub struct BestOf {
    #[cfg_attr(feature = "schemas", schemars(range(min = 0.0, max = 1.000_001)))]
    #[serde(rename = "5")]
    pub five: f64,
    #[cfg_attr(feature = "schemas", schemars(range(min = 0.0, max = 1.000_001)))]
    #[serde(rename = "10")]
    pub ten: f64,
    #[cfg_attr(feature = "schemas", schemars(range(min = 0.0, max = 1.000_001)))]
    #[serde(rename = "20")]
    pub twenty: f64,
    #[cfg_attr(feature = "schemas", schemars(range(min = 0.0, max = 1.000_001)))]
    #[serde(rename = "100")]
    pub hundred: f64,
}

impl Picks {
    /// The quality of fractions in the order of a ranking, in groups that it ties; at least one fraction is 1.
    pub(super) fn new(groups: &[Vec<f64>]) -> Self {
        let groups: Vec<Vec<f64>> = groups.iter().map(|group| descending(group)).collect();
        Self {
            first: best_of(&groups, 1),
            best_of: BestOf {
                five: best_of(&groups, 5),
                ten: best_of(&groups, 10),
                twenty: best_of(&groups, 20),
                hundred: best_of(&groups, 100),
            },
            runs_to_95_percent: runs_until_satisfied(&groups),
        }
    }

    /// The means; `None` without picks.
    pub(super) fn mean(picks: &[Self]) -> Option<Self> {
        let of = |value: fn(&Self) -> f64| mean(picks.iter().map(value));
        Some(Self {
            first: of(|picks| picks.first)?,
            best_of: BestOf {
                five: of(|picks| picks.best_of.five)?,
                ten: of(|picks| picks.best_of.ten)?,
                twenty: of(|picks| picks.best_of.twenty)?,
                hundred: of(|picks| picks.best_of.hundred)?,
            },
            runs_to_95_percent: of(|picks| picks.runs_to_95_percent)?,
        })
    }
}

/// The arithmetic mean; `None` without values.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

fn descending(fractions: &[f64]) -> Vec<f64> {
    let mut sorted = fractions.to_vec();
    sorted.sort_by(|a, b| b.total_cmp(a));
    sorted
}

/// The expected best of the first `picks`; each group is sorted, the best first.
fn best_of(groups: &[Vec<f64>], picks: usize) -> f64 {
    let (mut best, mut left) = (0.0_f64, picks);
    for group in groups {
        if group.len() > left {
            return best_with_some_of(best, group, left);
        }
        best = group.first().map_or(best, |greatest| best.max(*greatest));
        left -= group.len();
    }
    best
}

/// The expected greatest of `best` and `picks` fractions drawn from a group without replacement. Of m things, the i-th
/// best, counted from 0, is the best one drawn in C(m - 1 - i, picks - 1) of C(m, picks) cases.
fn best_with_some_of(best: f64, group: &[f64], picks: usize) -> f64 {
    if picks == 0 {
        return best;
    }
    let (things, picks) = (real(group.len()), real(picks));
    let (mut probability, mut expected) = (picks / things, 0.0);
    for (place, fraction) in group.iter().enumerate() {
        expected += probability * fraction.max(best);
        let worse = things - 1.0 - real(place);
        if worse < picks {
            break;
        }
        probability *= (worse - picks + 1.0) / worse;
    }
    // Rounding must not raise the expectation above the best.
    expected.min(group[0].max(best))
}

/// The expected place, from 1, of the first fraction that satisfies. In a random order of m things, g of them
/// satisfying, it is (m + 1) / (g + 1).
fn runs_until_satisfied(groups: &[Vec<f64>]) -> f64 {
    let mut before = 0;
    for group in groups {
        let satisfying = group.iter().take_while(|fraction| **fraction >= SATISFYING).count();
        if satisfying > 0 {
            return real(before) + (real(group.len()) + 1.0) / (real(satisfying) + 1.0);
        }
        before += group.len();
    }
    real(before)
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn real(count: usize) -> f64 {
    count as f64
}

/// The fractions in the order of their costs, in groups of equal costs.
pub(super) fn tied<T: PartialOrd>(mut ranked: Vec<(T, f64)>) -> Vec<Vec<f64>> {
    ranked.sort_by(|(one, _), (other, _)| one.partial_cmp(other).unwrap_or(Ordering::Equal));
    let tied = ranked.chunk_by(|(one, _), (other, _)| one == other);
    tied.map(|group| group.iter().map(|(_, fraction)| *fraction).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn orders(group: &[f64]) -> Vec<Vec<f64>> {
        if group.is_empty() {
            return vec![Vec::new()];
        }
        let mut all = Vec::new();
        for first in 0..group.len() {
            let mut others = group.to_vec();
            let head = others.remove(first);
            all.extend(orders(&others).into_iter().map(|tail| [vec![head], tail].concat()));
        }
        all
    }

    /// The mean over all orders of all groups, one by one.
    fn by_enumeration(groups: &[Vec<f64>], value: &dyn Fn(&[f64]) -> f64) -> f64 {
        let mut whole = vec![Vec::new()];
        for group in groups {
            let orders = orders(group);
            whole = whole
                .iter()
                .flat_map(|head| orders.iter().map(move |tail| [head.clone(), tail.clone()].concat()))
                .collect();
        }
        mean(whole.iter().map(|order| value(order))).unwrap()
    }

    #[test]
    fn without_ties_nothing_is_random() {
        let picks = Picks::new(&[vec![0.5], vec![0.0], vec![0.96], vec![0.2], vec![0.3], vec![1.0]]);
        assert_eq!((picks.first, picks.runs_to_95_percent), (0.5, 3.0));
        assert_eq!((picks.best_of.five, picks.best_of.ten, picks.best_of.hundred), (0.96, 1.0, 1.0));
    }

    #[test]
    fn a_large_tie_is_exact() {
        // One of 1,000 is the optimum, so the mean over many picks is their share.
        let mut fractions = vec![0.0; 1000];
        fractions[500] = 1.0;
        let picks = Picks::new(&[fractions]);
        assert!((picks.first - 0.001).abs() < 1e-12 && (picks.best_of.hundred - 0.1).abs() < 1e-12);
        assert!((picks.runs_to_95_percent - 500.5).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn expectations_are_means_over_all_orders(
            sizes in proptest::collection::vec(0..4_usize, 1..4),
            fractions in proptest::collection::vec(0..=20_u32, 9),
        ) {
            let mut left = fractions.iter().map(|twentieths| f64::from(*twentieths) / 20.0);
            let mut groups: Vec<Vec<f64>> = sizes.iter().map(|&size| left.by_ref().take(size).collect()).collect();
            groups.push(vec![1.0]);
            let sorted: Vec<_> = groups.iter().map(|group| descending(group)).collect();
            for picks in 1..8 {
                let best = |order: &[f64]| order.iter().take(picks).copied().fold(0.0, f64::max);
                prop_assert!((best_of(&sorted, picks) - by_enumeration(&groups, &best)).abs() < 1e-9);
            }
            let first = |order: &[f64]| real(order.iter().position(|fraction| *fraction >= SATISFYING).unwrap() + 1);
            prop_assert!((runs_until_satisfied(&sorted) - by_enumeration(&groups, &first)).abs() < 1e-9);
        }
    }
}
