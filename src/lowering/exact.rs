//! Exact rational numbers that never panic.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul};

use num_integer::gcd;
use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub};

use crate::gpu::Rate;

/// A number for operations that do not fit two words.
type Long = Ratio<i128>;

/// An exact rational number of at least 0, or undefined once a result did not fit 128 bits or was a division by 0. A
/// result that is computed from an undefined number is undefined, so that a formula is checked once, at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exact {
    /// The numerator, in lowest terms; 0 if the number is undefined.
    numerator: u128,
    /// The denominator, in lowest terms; 0 if the number is undefined.
    denominator: u128,
}

impl Exact {
    pub(crate) const ZERO: Self = Self { numerator: 0, denominator: 1 };
    pub(crate) const ONE: Self = Self { numerator: 1, denominator: 1 };
    const UNDEFINED: Self = Self { numerator: 0, denominator: 0 };

    /// The ratio of two integers.
    pub(crate) fn ratio(numerator: u64, denominator: u64) -> Self {
        Self::lowest([numerator.into(), denominator.into()])
    }

    /// Numerator and denominator in lowest terms; `None` if the number is undefined or one of them does not fit 64 bits.
    pub(crate) fn parts(self) -> Option<[u64; 2]> {
        let [numerator, denominator] = [self.numerator, self.denominator].map(|part| u64::try_from(part).ok());
        Some([numerator?, denominator.filter(|part| *part > 0)?])
    }

    pub(crate) fn is_positive(self) -> bool {
        self.numerator > 0
    }

    pub(crate) fn min(self, other: Self) -> Self {
        self.partial_cmp(&other).map_or(Self::UNDEFINED, |order| if order.is_gt() { other } else { self })
    }

    pub(crate) fn max(self, other: Self) -> Self {
        self.partial_cmp(&other).map_or(Self::UNDEFINED, |order| if order.is_gt() { self } else { other })
    }

    /// The difference; 0 if it would be negative.
    pub(crate) fn saturating_sub(self, other: Self) -> Self {
        let short =
            |[one, by]: [u128; 2], [two, other]: [u128; 2]| [(one * other).saturating_sub(two * by), by * other];
        let long = |one: &Long, two: &Long| if one <= two { Some(Ratio::ZERO) } else { one.checked_sub(two) };
        self.combine(other, short, long)
    }

    /// The number, or the nearest 2^24th below it if its denominator has more than 32 bits: sums of many such numbers fit.
    pub(crate) fn shortened(self) -> Self {
        let parts = Self::from(1 << 24);
        let is_long = self.denominator > 1 << 32;
        let below = if is_long { (self * parts).floor() } else { None };
        below.map_or(self, |below| Self::from(below) / parts)
    }

    /// The number rounded up; `None` if the number is undefined or does not fit 64 bits.
    pub(crate) fn ceil(self) -> Option<u64> {
        let floor = self.numerator.checked_div(self.denominator)?;
        let above = u128::from(floor * self.denominator != self.numerator);
        u64::try_from(floor + above).ok()
    }

    /// The number rounded down; `None` if the number is undefined or does not fit 64 bits.
    pub(crate) fn floor(self) -> Option<u64> {
        u64::try_from(self.numerator.checked_div(self.denominator)?).ok()
    }

    /// A nearby binary fraction; `None` if the number is undefined.
    #[expect(clippy::cast_precision_loss, reason = "for models that estimate: 53 bits are plenty")]
    pub(crate) fn to_f64(self) -> Option<f64> {
        (self.denominator > 0).then(|| self.numerator as f64 / self.denominator as f64)
    }

    /// Combines two numbers by their numerators and denominators, if all of these have at most 63 bits: this is far
    /// quicker than the checked operation of `long`.
    fn combine(
        self,
        other: Self,
        short: impl Fn([u128; 2], [u128; 2]) -> [u128; 2],
        long: impl Fn(&Long, &Long) -> Option<Long>,
    ) -> Self {
        match (self.short(), other.short()) {
            (Some(one), Some(two)) => Self::lowest(short(one, two)),
            _ => {
                self.long().zip(other.long()).and_then(|(one, two)| long(&one, &two)).map_or(Self::UNDEFINED, Self::of)
            }
        }
    }

    /// The numerator and the denominator, if products of two such numbers and the sums of two such products fit 128
    /// bits.
    fn short(self) -> Option<[u128; 2]> {
        let parts = [self.numerator, self.denominator];
        (parts.iter().all(|part| *part < 1 << 63)).then_some(parts)
    }

    /// The number for checked operations; `None` if it is undefined.
    fn long(self) -> Option<Long> {
        let [numerator, denominator] = [self.numerator, self.denominator].map(|part| i128::try_from(part).ok());
        Some(Ratio::new_raw(numerator?, denominator.filter(|part| *part > 0)?))
    }

    /// A number that is not negative.
    fn of(number: Long) -> Self {
        let (numerator, denominator) = number.into_raw();
        Self { numerator: numerator.unsigned_abs(), denominator: denominator.unsigned_abs() }
    }

    /// The ratio of two integers; undefined if in lowest terms one of them has more than 127 bits.
    fn lowest([numerator, denominator]: [u128; 2]) -> Self {
        let (numerator, denominator) = match (u64::try_from(numerator), u64::try_from(denominator)) {
            (_, Ok(0)) => return Self::UNDEFINED,
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
        let fits = i128::try_from(numerator).is_ok() && i128::try_from(denominator).is_ok();
        if fits { Self { numerator, denominator } } else { Self::UNDEFINED }
    }
}

/// The order by value; an undefined number has no order.
impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (self.short(), other.short()) {
            (Some([_, 0]), _) | (_, Some([_, 0])) => None,
            (Some([one, by]), Some([two, other])) => Some((one * other).cmp(&(two * by))),
            _ => self.long().zip(other.long()).map(|(one, two)| one.cmp(&two)),
        }
    }
}

/// Prints an integer as it is and a fraction with three decimals.
impl fmt::Display for Exact {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.denominator, self.to_f64()) {
            (1, _) => self.numerator.fmt(formatter),
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
        Self { numerator: number.into(), denominator: 1 }
    }
}

impl From<Ratio<u64>> for Exact {
    fn from(ratio: Ratio<u64>) -> Self {
        // a `Ratio` is already in lowest terms
        Self { numerator: (*ratio.numer()).into(), denominator: (*ratio.denom()).into() }
    }
}

impl From<Rate> for Exact {
    fn from(rate: Rate) -> Self {
        // a rate is already in lowest terms
        Self::of(Ratio::new_raw((*rate.numer()).into(), (*rate.denom()).into()))
    }
}

impl Add for Exact {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let sum = |[one, by]: [u128; 2], [two, other]: [u128; 2]| {
            if by == other { [one + two, by] } else { [one * other + two * by, by * other] }
        };
        self.combine(other, sum, Long::checked_add)
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
        self.combine(other, product, Long::checked_mul)
    }
}

impl Div for Exact {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let quotient = |[one, by]: [u128; 2], [two, other]: [u128; 2]| [one * other, by * two];
        self.combine(other, quotient, Long::checked_div)
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
    fn long_fractions_are_shortened() {
        let third = Exact::ratio(1, 3);
        assert_eq!(third.shortened(), third);
        let long = third * Exact::ratio(1 << 40, (1 << 40) + 1);
        assert_eq!(long.shortened(), Exact::ratio((1 << 24) / 3, 1 << 24));
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
        let all = ends.iter().flat_map(|one| ends.iter().map(|two| Exact::ratio(*one, *two)));
        let ratios: Vec<(Exact, Long)> = all.filter_map(|one| Some((one, one.long()?))).collect();
        assert_eq!(ratios.len(), 11 * 12);
        let of = |long: Option<Long>| long.map_or(Exact::UNDEFINED, Exact::of);
        for &(one, left) in &ratios {
            for &(two, right) in &ratios {
                assert_eq!(one + two, of(left.checked_add(&right)), "{one} + {two}");
                assert_eq!(one * two, of(left.checked_mul(&right)), "{one} * {two}");
                assert_eq!(one / two, of(left.checked_div(&right)), "{one} / {two}");
                let difference = if left <= right { Some(Ratio::ZERO) } else { left.checked_sub(&right) };
                assert_eq!(one.saturating_sub(two), of(difference), "{one} - {two}");
                assert_eq!(one.partial_cmp(&two), Some(left.cmp(&right)), "{one} and {two}");
                assert_eq!((one.min(two), one.max(two)), (Exact::of(left.min(right)), Exact::of(left.max(right))));
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_none_for_good() {
        let huge = Exact::from(1 << 62) * Exact::from(1 << 62);
        let none = huge * huge;
        assert_eq!((huge / huge, none), (Exact::ONE, Exact::UNDEFINED));
        assert_eq!([none * Exact::ZERO, none.min(Exact::ONE), none.saturating_sub(none)], [none; 3]);
        assert_eq!(Exact::ratio(1, 0), none);
        assert_eq!((huge.ceil(), none.ceil()), (None, None));
    }
}
