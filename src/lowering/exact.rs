//! Exact rational numbers that never panic.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul};

use num_integer::gcd;
use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub};

use crate::gpu::Rate;

/// An exact rational number of at least 0, or `None` once a result did not fit 128 bits or was undefined. A result that
/// is computed from `None` is `None`, so that a formula is checked once, at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exact(Option<Ratio<i128>>);

impl Exact {
    pub(crate) const ZERO: Self = Self(Some(Ratio::ZERO));
    pub(crate) const ONE: Self = Self(Some(Ratio::ONE));

    /// The ratio of two integers.
    pub(crate) fn ratio(numerator: u64, denominator: u64) -> Self {
        Self::lowest(numerator.into(), denominator.into())
    }

    /// The ratio of two integers, in lowest terms.
    fn lowest(numerator: u128, denominator: u128) -> Self {
        let words = (u64::try_from(numerator), u64::try_from(denominator));
        let (numerator, denominator) = match words {
            (_, Ok(0)) => return Self(None),
            (_, Ok(1)) => (numerator, denominator),
            (Ok(numerator), Ok(denominator)) => {
                let common = gcd(numerator, denominator);
                ((numerator / common).into(), (denominator / common).into())
            }
            _ => {
                let common = gcd(numerator, denominator);
                (numerator / common, denominator / common)
            }
        };
        let parts = i128::try_from(numerator).ok().zip(i128::try_from(denominator).ok());
        Self(parts.map(|(numerator, denominator)| Ratio::new_raw(numerator, denominator)))
    }

    /// The numerator and the denominator, if their products and the sums of two such products fit 128 bits.
    fn small(self) -> Option<[u128; 2]> {
        let small = |part: i128| u64::try_from(part).ok().filter(|part| *part < 1 << 63).map(u128::from);
        let ratio = self.0?;
        Some([small(*ratio.numer())?, small(*ratio.denom())?])
    }

    pub(crate) fn is_positive(self) -> bool {
        self.0.is_some_and(|number| number > Ratio::ZERO)
    }

    pub(crate) fn min(self, other: Self) -> Self {
        self.partial_cmp(&other).map_or(Self(None), |order| if order.is_gt() { other } else { self })
    }

    pub(crate) fn max(self, other: Self) -> Self {
        self.partial_cmp(&other).map_or(Self(None), |order| if order.is_gt() { self } else { other })
    }

    /// The difference; 0 if it would be negative.
    pub(crate) fn saturating_sub(self, other: Self) -> Self {
        let difference =
            |[one, by]: [u128; 2], [two, other]: [u128; 2]| [(one * other).saturating_sub(two * by), by * other];
        let long =
            |one: &Ratio<i128>, two: &Ratio<i128>| if one <= two { Some(Ratio::ZERO) } else { one.checked_sub(two) };
        self.combine_small(other, difference, long)
    }

    /// The number rounded up; `None` if the number is undefined or does not fit 64 bits.
    pub(crate) fn ceil(self) -> Option<u64> {
        let (numerator, denominator) = self.0?.into_raw();
        u64::try_from(numerator / denominator + i128::from(numerator % denominator != 0)).ok()
    }

    /// The number rounded down; `None` if the number is undefined or does not fit 64 bits.
    pub(crate) fn floor(self) -> Option<u64> {
        self.0.and_then(|number| u64::try_from(number.to_integer()).ok())
    }

    /// A nearby binary fraction; `None` if the number is undefined.
    #[expect(clippy::cast_precision_loss, reason = "for models that estimate: 53 bits are plenty")]
    pub(crate) fn to_f64(self) -> Option<f64> {
        self.0.map(|number| *number.numer() as f64 / *number.denom() as f64)
    }

    fn combine(self, other: Self, operation: impl Fn(&Ratio<i128>, &Ratio<i128>) -> Option<Ratio<i128>>) -> Self {
        Self(self.0.zip(other.0).and_then(|(one, two)| operation(&one, &two)))
    }

    /// Combines small numbers by their numerators and denominators, which is far quicker, and others by `operation`.
    fn combine_small(
        self,
        other: Self,
        small: impl Fn([u128; 2], [u128; 2]) -> [u128; 2],
        operation: impl Fn(&Ratio<i128>, &Ratio<i128>) -> Option<Ratio<i128>>,
    ) -> Self {
        match self.small().zip(other.small()) {
            Some((one, two)) => {
                let [numerator, denominator] = small(one, two);
                Self::lowest(numerator, denominator)
            }
            None => self.combine(other, operation),
        }
    }
}

/// The order by value; an undefined number has no order.
impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match self.small().zip(other.small()) {
            Some(([one, by], [two, other])) => Some((one * other).cmp(&(two * by))),
            None => self.0.zip(other.0).map(|(one, two)| one.cmp(&two)),
        }
    }
}

/// Prints an integer as it is and a fraction with three decimals.
impl fmt::Display for Exact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.to_f64()) {
            (Some(number), _) if number.is_integer() => number.fmt(formatter),
            (_, Some(number)) => write!(formatter, "{number:.3}"),
            (_, None) => formatter.write_str("more than 128 bits hold"),
        }
    }
}

impl Default for Exact {
    fn default() -> Self {
        Self::ZERO
    }
}

impl From<u64> for Exact {
    fn from(number: u64) -> Self {
        Self(Some(Ratio::from_integer(number.into())))
    }
}

impl From<Ratio<u64>> for Exact {
    fn from(ratio: Ratio<u64>) -> Self {
        // a `Ratio` is already in lowest terms
        Self(Some(Ratio::new_raw((*ratio.numer()).into(), (*ratio.denom()).into())))
    }
}

impl From<Rate> for Exact {
    fn from(rate: Rate) -> Self {
        // a rate is already in lowest terms
        Self(Some(Ratio::new_raw((*rate.numer()).into(), (*rate.denom()).into())))
    }
}

impl Add for Exact {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let sum = |[one, by]: [u128; 2], [two, other]: [u128; 2]| {
            if by == other { [one + two, by] } else { [one * other + two * by, by * other] }
        };
        self.combine_small(other, sum, CheckedAdd::checked_add)
    }
}

impl AddAssign for Exact {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Mul for Exact {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let product = |[one, by]: [u128; 2], [two, other]: [u128; 2]| [one * two, by * other];
        self.combine_small(other, product, CheckedMul::checked_mul)
    }
}

impl Div for Exact {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let quotient = |[one, by]: [u128; 2], [two, other]: [u128; 2]| [one * other, by * two];
        self.combine_small(other, quotient, CheckedDiv::checked_div)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirds_add_up() {
        let third = Exact::ratio(1, 3);
        assert_eq!(third + third + third, Exact::ONE);
        assert_eq!((third * Exact::from(16)).ceil(), Some(6));
        assert_eq!((third * Exact::from(15)).ceil(), Some(5));
    }

    #[test]
    fn nothing_is_below_zero() {
        assert_eq!(Exact::ONE.saturating_sub(Exact::from(2)), Exact::ZERO);
        assert_eq!(Exact::ONE.saturating_sub(Exact::ratio(1, 4)), Exact::ratio(3, 4));
    }

    /// Numbers of 63 bits and longer ones go different ways.
    #[test]
    fn short_and_long_numbers_are_computed_alike() {
        let ends = [0, 1, 2, 3, 7, 12, 1 << 31, (1 << 32) + 1, (1 << 62) + 1, (1 << 63) - 1, 1 << 63, u64::MAX];
        let ratios: Vec<Exact> = ends
            .iter()
            .flat_map(|one| ends.iter().map(|two| Exact::ratio(*one, *two)))
            .filter(|one| one.0.is_some())
            .collect();
        for &one in &ratios {
            for &two in &ratios {
                let (left, right) = (one.0.unwrap(), two.0.unwrap());
                assert_eq!(one + two, Exact(left.checked_add(&right)), "{one} + {two}");
                assert_eq!(one * two, Exact(left.checked_mul(&right)), "{one} * {two}");
                assert_eq!(one / two, Exact(left.checked_div(&right)), "{one} / {two}");
                assert_eq!(one.partial_cmp(&two), Some(left.cmp(&right)), "{one} and {two}");
                assert_eq!((one.min(two), one.max(two)), (Exact(Some(left.min(right))), Exact(Some(left.max(right)))));
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_none_for_good() {
        let huge = Exact::from(1 << 62) * Exact::from(1 << 62);
        let none = huge * huge;
        assert_eq!((huge / huge, none), (Exact::ONE, Exact(None)));
        assert_eq!([none * Exact::ZERO, none.min(Exact::ONE), none.saturating_sub(none)], [none; 3]);
        assert_eq!(Exact::ratio(1, 0), none);
        assert_eq!((huge.ceil(), none.ceil()), (None, None));
    }
}
