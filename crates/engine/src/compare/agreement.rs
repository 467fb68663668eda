//! The agreement of two rankings of the same things: rank correlations, with ties.

use std::cmp::Ordering;

/// Kendall's tau-b: among the pairs that neither ranking ties, the surplus of pairs in equal order over pairs in
/// opposite order, from -1 to 1. `None` if one of the rankings ties everything.
///
/// # Panics
/// If the rankings have different lengths.
#[must_use]
pub fn kendall(x: &[f64], y: &[f64]) -> Option<f64> {
    assert_eq!(x.len(), y.len(), "both rank the same things");
    let mut order: Vec<usize> = (0..x.len()).collect();
    order.sort_unstable_by(|&a, &b| x[a].total_cmp(&x[b]).then(y[a].total_cmp(&y[b])));
    let pairs = pairs_among(x.len());
    let tied_x = tied(&order, |a, b| same(x, a, b));
    let tied_both = tied(&order, |a, b| same(x, a, b) && same(y, a, b));
    // The sort by y is stable and x's ties are in y's order already, so each exchange is a pair in opposite order.
    let opposite = sort_counting(&mut order, |a, b| y[a].total_cmp(&y[b]));
    let tied_y = tied(&order, |a, b| same(y, a, b));
    let surplus = pairs + tied_both - tied_x - tied_y - 2.0 * opposite;
    let scale = ((pairs - tied_x) * (pairs - tied_y)).sqrt();
    (scale > 0.0).then(|| (surplus / scale).clamp(-1.0, 1.0))
}

/// Spearman's rho: the correlation of the ranks, where tied values have the mean of their ranks; from -1 to 1. `None`
/// if one of the rankings ties everything.
///
/// # Panics
/// If the rankings have different lengths.
#[must_use]
pub fn spearman(x: &[f64], y: &[f64]) -> Option<f64> {
    assert_eq!(x.len(), y.len(), "both rank the same things");
    let (x, y) = (ranks(x), ranks(y));
    let mean = f64::midpoint(real(x.len()), 1.0);
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    let scale = (product(&x, &x) * product(&y, &y)).sqrt();
    (scale > 0.0).then(|| (product(&x, &y) / scale).clamp(-1.0, 1.0))
}

/// The rank of each value, from 1; tied values have the mean of their ranks.
#[must_use]
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for group in order.chunk_by(|&a, &b| same(values, a, b)) {
        let mean = real(before) + f64::midpoint(real(group.len()), 1.0);
        for &place in group {
            ranks[place] = mean;
        }
        before += group.len();
    }
    ranks
}

fn same(values: &[f64], a: usize, b: usize) -> bool {
    values[a].total_cmp(&values[b]).is_eq()
}

/// The number of tied pairs. Tied things must be neighbours in the order.
fn tied(order: &[usize], are_tied: impl Fn(usize, usize) -> bool) -> f64 {
    order.chunk_by(|&a, &b| are_tied(a, b)).map(|group| pairs_among(group.len())).sum()
}

fn pairs_among(things: usize) -> f64 {
    real(things) * (real(things) - 1.0) / 2.0
}

/// Sorts by merging and returns the number of pairs that were in the opposite order.
fn sort_counting(order: &mut [usize], compare: impl Fn(usize, usize) -> Ordering + Copy) -> f64 {
    if order.len() < 2 {
        return 0.0;
    }
    let middle = order.len() / 2;
    let (left, right) = order.split_at_mut(middle);
    let mut opposite = sort_counting(left, compare) + sort_counting(right, compare);
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (&*left, &*right);
    while let (Some(&a), Some(&b)) = (left.first(), right.first()) {
        if compare(a, b).is_le() {
            merged.push(a);
            left = &left[1..];
        } else {
            merged.push(b);
            right = &right[1..];
            opposite += real(left.len());
        }
    }
    merged.extend(left.iter().chain(right));
    order.copy_from_slice(&merged);
    opposite
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn real(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(a: Option<f64>, b: f64) {
        assert!((a.unwrap() - b).abs() < 1e-12, "{a:?} is not {b}");
    }

    #[test]
    fn known_values() {
        let (x, y) = ([1.0, 2.0, 3.0, 4.0, 5.0], [3.0, 4.0, 1.0, 2.0, 5.0]);
        near(kendall(&x, &y), 0.2);
        near(spearman(&x, &y), 0.2);
        // With ties, as scipy computes them.
        let (x, y) = ([12.0, 2.0, 1.0, 12.0, 2.0], [1.0, 4.0, 7.0, 1.0, 0.0]);
        near(kendall(&x, &y), -0.471_404_520_791_031_6);
        near(spearman(&x, &y), -0.540_738_070_435_875_2);
    }

    #[test]
    fn what_ranks_nothing_agrees_with_nothing() {
        for (x, y) in [(vec![], vec![]), (vec![1.0], vec![2.0]), (vec![1.0, 2.0], vec![3.0, 3.0])] {
            assert_eq!((kendall(&x, &y), spearman(&x, &y)), (None, None));
        }
    }

    #[test]
    fn long_ties_do_not_overflow() {
        let (x, mut y) = (vec![1.0; 300_000], vec![2.0; 300_000]);
        assert_eq!(kendall(&x, &y), None);
        y[0] = 1.0;
        let mut x = x;
        x[0] = 0.0;
        near(kendall(&x, &y), 1.0);
    }

    /// Tau-b by its definition.
    fn naive(x: &[f64], y: &[f64]) -> Option<f64> {
        let (mut surplus, mut by_x, mut by_y) = (0.0, 0.0, 0.0);
        for a in 0..x.len() {
            for b in 0..a {
                let sign = |values: &[f64]| if same(values, a, b) { 0.0 } else { (values[a] - values[b]).signum() };
                let (dx, dy) = (sign(x), sign(y));
                surplus += dx * dy;
                by_x += dx * dx;
                by_y += dy * dy;
            }
        }
        let scale = f64::sqrt(by_x * by_y);
        (scale > 0.0).then(|| surplus / scale)
    }

    proptest! {
        #[test]
        fn kendall_is_its_definition(pairs in proptest::collection::vec((0..9_i32, 0..9_i32), 0..60)) {
            let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).unzip();
            match (kendall(&x, &y), naive(&x, &y)) {
                (Some(fast), Some(slow)) => prop_assert!((fast - slow).abs() < 1e-12),
                (fast, slow) => prop_assert_eq!(fast, slow),
            }
            prop_assert_eq!(kendall(&x, &y), kendall(&y, &x));
        }

        #[test]
        fn only_the_order_matters(values in proptest::collection::vec(-50..50_i32, 2..60)) {
            let x: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
            let grown: Vec<f64> = x.iter().map(|value| value.exp()).collect();
            let reversed: Vec<f64> = x.iter().map(|value| -value).collect();
            let ordered = values.iter().any(|value| *value != values[0]);
            for (other, expected) in [(&grown, 1.0), (&reversed, -1.0)] {
                for correlation in [kendall(&x, other), spearman(&x, other)] {
                    prop_assert_eq!(correlation.is_some(), ordered);
                    prop_assert!(correlation.is_none_or(|value| (value - expected).abs() < 1e-12));
                }
            }
        }
    }
}
