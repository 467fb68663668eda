//! The distribution of a loop's iterations.

use std::fmt;

use num_traits::ToPrimitive;

/// The unit of a probability: probabilities have at most nine decimals.
pub(super) const BILLION: u64 = 1_000_000_000;

/// The greatest distance of the sum of all probabilities from 1, in billionths: a thousandth.
const TOLERANCE: u64 = BILLION / 1000;

/// The counts of iterations that a loop may have, each with its probability. The probabilities are those that the user
/// states, divided by their sum, which is 1 but for what rounding leaves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountDistribution {
    /// The counts in the order of the user, each with its stated probability in billionths.
    counts: Vec<(i64, u64)>,
}

impl CountDistribution {
    /// Returns the distribution of different counts from 0, each with a probability above 0 in billionths.
    ///
    /// # Errors
    /// The sum of the probabilities in billionths, if it is further than a thousandth from 1.
    pub(super) fn new(counts: Vec<(i64, u64)>) -> Result<Self, u64> {
        let sum = counts.iter().map(|(_, probability)| probability).sum::<u64>();
        if sum.abs_diff(BILLION) > TOLERANCE { Err(sum) } else { Ok(Self { counts }) }
    }

    /// Returns the probability and the count of each number of iterations.
    pub fn probabilities(&self) -> impl Iterator<Item = (f64, f64)> {
        let sum = self.counts.iter().map(|(_, probability)| probability).sum::<u64>().to_f64().unwrap_or(1.0);
        let real = |number: Option<f64>| number.unwrap_or_default();
        self.counts.iter().map(move |(count, probability)| (real(probability.to_f64()) / sum, real(count.to_f64())))
    }

    /// Returns the mean number of iterations, rounded to the nearest integer; a half is rounded up.
    #[must_use]
    pub fn mean(&self) -> i64 {
        let wide = |number: u64| u128::from(number);
        let weighted = self.counts.iter().map(|(count, probability)| wide(count.unsigned_abs()) * wide(*probability));
        let (weighted, sum) = (weighted.sum::<u128>(), self.counts.iter().map(|(_, one)| wide(*one)).sum::<u128>());
        // A mean lies between the least and the greatest count.
        i64::try_from((2 * weighted + sum) / (2 * sum)).unwrap_or(i64::MAX)
    }
}

/// The form of an option: `10:0.75,14:0.25`.
impl fmt::Display for CountDistribution {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (count, probability)) in self.counts.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            write!(formatter, "{comma}{count}:{}", decimal(*probability))?;
        }
        Ok(())
    }
}

/// Returns a number of billionths as a decimal.
pub(super) fn decimal(billionths: u64) -> String {
    let (whole, rest) = (billionths / BILLION, billionths % BILLION);
    let decimals = format!("{rest:09}");
    match decimals.trim_end_matches('0') {
        "" => whole.to_string(),
        decimals => format!("{whole}.{decimals}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_distribution_has_a_mean_and_a_text() {
        let two = CountDistribution::new(vec![(10, 750_000_000), (14, 250_000_000)]).unwrap();
        assert_eq!((two.mean(), two.to_string().as_str()), (11, "10:0.75,14:0.25"));
        assert_eq!(two.probabilities().collect::<Vec<_>>(), [(0.75, 10.0), (0.25, 14.0)]);
        let mean = |counts: &[(i64, u64)]| CountDistribution::new(counts.to_vec()).unwrap().mean();
        assert_eq!(mean(&[(0, 500_000_000), (1, 500_000_000)]), 1, "a half is rounded up");
        assert_eq!(mean(&[(0, 500_000_001), (1, 499_999_999)]), 0);
        assert_eq!(mean(&[(i64::MAX, 1_000_000_000)]), i64::MAX);
        assert_eq!(mean(&[(i64::MAX, 1_000_900_000)]), i64::MAX, "divided by the sum");
        assert_eq!(CountDistribution::new(vec![(1, 1), (2, 998_999_998)]), Err(998_999_999));
        assert_eq!(CountDistribution::new(vec![(1, 1_001_000_001)]), Err(1_001_000_001));
        assert_eq!(decimal(1_001_000_001), "1.001000001");
        let thirds = CountDistribution::new(vec![(3, 333_000_000), (6, 333_000_000), (9, 333_000_000)]).unwrap();
        assert!(thirds.probabilities().all(|(probability, _)| (probability - 1.0 / 3.0).abs() < 1e-12));
        assert_eq!((thirds.mean(), thirds.to_string().as_str()), (6, "3:0.333,6:0.333,9:0.333"));
    }

    proptest! {
        /// The mean is that of a million work items that are counted one by one.
        #[test]
        fn the_mean_is_that_of_work_items(parts in proptest::collection::vec((0..1000_i64, 1..1000_u64), 1..9)) {
            let items: u64 = parts.iter().map(|(_, items)| items).sum();
            let rest = BILLION % items;
            let mut counts: Vec<(i64, u64)> = parts.iter().map(|(count, part)| (*count, part * (BILLION / items))).collect();
            // What division leaves is less than a work item's part, and goes to none.
            prop_assume!(rest < BILLION / items);
            counts.sort_unstable();
            let mean = CountDistribution::new(counts).unwrap().mean();
            let iterations: Vec<i64> = parts.iter().flat_map(|(count, part)| vec![*count; usize::try_from(*part).unwrap()]).collect();
            let (sum, items) = (iterations.iter().sum::<i64>(), i64::try_from(items).unwrap());
            prop_assert_eq!(mean, (2 * sum + items).div_euclid(2 * items));
        }
    }
}
