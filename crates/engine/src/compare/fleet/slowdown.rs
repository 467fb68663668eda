//! A time over an optimum, as an exact rational.

use std::cmp::Ordering;

use num_integer::gcd;
use num_traits::ToPrimitive;

use autotune_base::ticks::Ticks;

/// A time over an optimum, in lowest terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slowdown {
    numerator: u64,
    denominator: u64,
}

impl Slowdown {
    /// The slowdown of a time over an optimum; an optimum of 0 ticks counts as 1.
    #[must_use]
    pub fn new(time: Ticks, optimum: Ticks) -> Self {
        let (numerator, denominator) = (time.get(), optimum.get().max(1));
        let common = gcd(numerator, denominator);
        Self { numerator: numerator / common, denominator: denominator / common }
    }

    /// The numerator in lowest terms.
    #[must_use]
    pub fn numerator(self) -> u64 {
        self.numerator
    }

    /// The denominator in lowest terms.
    #[must_use]
    pub fn denominator(self) -> u64 {
        self.denominator
    }

    /// The slowdown as a number of 53 bits, for figures that people read.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        Ticks::new(self.numerator).to_f64() / Ticks::new(self.denominator).to_f64()
    }

    /// The slowdown rounded up to 6 digits behind the point, as results show it: no time is a greater one, and only 1 is
    /// shown as 1.
    #[must_use]
    pub fn rounded(self) -> f64 {
        self.of_millionths(|millionths, denominator| millionths.div_ceil(denominator))
    }

    /// The slowdown rounded down to 6 digits behind the point, for what is said to be at least this.
    #[must_use]
    pub fn rounded_down(self) -> f64 {
        self.of_millionths(|millionths, denominator| millionths / denominator)
    }

    fn of_millionths(self, divide: fn(u128, u128) -> u128) -> f64 {
        let millionths = divide(u128::from(self.numerator) * 1_000_000, u128::from(self.denominator));
        millionths.to_f64().unwrap_or(f64::INFINITY) / 1e6
    }

    /// The least time in ticks that is at least this slowdown over `optimum`; [`Ticks::MAX`] if no time is.
    #[must_use]
    pub fn least_of(self, optimum: Ticks) -> Ticks {
        let product = u128::from(self.numerator) * u128::from(optimum.get().max(1));
        Ticks::new(u64::try_from(product.div_ceil(u128::from(self.denominator))).unwrap_or(u64::MAX))
    }

    /// The least time in ticks that is a greater slowdown over `optimum`; [`Ticks::MAX`] if no time is.
    #[must_use]
    pub fn least_beyond(self, optimum: Ticks) -> Ticks {
        let product = u128::from(self.numerator) * u128::from(optimum.get().max(1));
        Ticks::new(u64::try_from(product / u128::from(self.denominator) + 1).unwrap_or(u64::MAX))
    }
}

/// A figure of slowdowns with 6 digits behind the point.
#[must_use]
pub fn rounded(figure: f64) -> f64 {
    (figure * 1e6).round() / 1e6
}

impl Ord for Slowdown {
    fn cmp(&self, other: &Self) -> Ordering {
        let product = |numerator: u64, denominator: u64| u128::from(numerator) * u128::from(denominator);
        product(self.numerator, other.denominator).cmp(&product(other.numerator, self.denominator))
    }
}

impl PartialOrd for Slowdown {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slowdowns_are_in_lowest_terms_and_compare_exactly() {
        let slowdown = |time, optimum| Slowdown::new(Ticks::new(time), Ticks::new(optimum));
        assert_eq!((slowdown(6, 4).numerator(), slowdown(6, 4).denominator()), (3, 2));
        assert_eq!(slowdown(10, 4), slowdown(5, 2));
        // As numbers of 53 bits the two are equal.
        let (one, other) = (slowdown((1 << 60) + 1, 1 << 60), slowdown((1 << 60) + 2, 1 << 60));
        assert!(one < other && one.to_f64().to_bits() == other.to_f64().to_bits());
    }

    #[test]
    fn a_figure_is_never_less_than_its_slowdown_and_only_1_is_shown_as_1() {
        let figures = |time, optimum| {
            let slowdown = Slowdown::new(Ticks::new(time), Ticks::new(optimum));
            format!("{} {}", slowdown.rounded_down(), slowdown.rounded())
        };
        assert_eq!(figures(3_956_012, 3_766_280), "1.050376 1.050377");
        assert_eq!(figures(88_581, 88_580), "1.000011 1.000012");
        assert_eq!(figures((1 << 60) + 1, 1 << 60), "1 1.000001");
        assert_eq!([figures(7, 7), figures(3, 2), figures(0, 9)], ["1 1", "1.5 1.5", "0 0"]);
    }

    #[test]
    fn the_least_time_beyond_is_greater_and_the_one_before_is_not() {
        for (time, optimum, other) in [(3, 2, 10), (3, 2, 7), (7, 7, 5), (u64::MAX >> 4, 3, 1 << 40)] {
            let slowdown = Slowdown::new(Ticks::new(time), Ticks::new(optimum));
            let least = slowdown.least_beyond(Ticks::new(other));
            if least == Ticks::MAX {
                continue;
            }
            let as_slow = slowdown.least_of(Ticks::new(other));
            assert!(Slowdown::new(as_slow, Ticks::new(other)) >= slowdown && as_slow <= least);
            assert!(
                as_slow == Ticks::ZERO || Slowdown::new(Ticks::new(as_slow.get() - 1), Ticks::new(other)) < slowdown
            );
            assert!(Slowdown::new(least, Ticks::new(other)) > slowdown);
            assert!(Slowdown::new(Ticks::new(least.get() - 1), Ticks::new(other)) <= slowdown);
        }
    }
}
