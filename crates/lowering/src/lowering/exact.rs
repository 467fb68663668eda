//! Exact rational numbers that never panic.
//!
//! A number has two words of 127 bits. A result that does not fit them is computed exactly in as many bits as it needs,
//! and then rounded up to a binary fraction: by less than 2^-61 of its value, or by less than 2^-126 if the value is below
//! 2^-63. Sums of fractions with many denominators come to that, as triangular loops have them.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul};

use num_bigint::BigUint;
use num_integer::{Integer, gcd};
use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, ToPrimitive, Zero};

use crate::gpu::Rate;

/// A number for operations that do not fit two words.
type Long = Ratio<i128>;

/// The numerator and the denominator of a number for operations that do not fit 127 bits.
type Wide = [BigUint; 2];

/// The number of significant bits of a result that is rounded up because it does not fit.
const ROUNDED_BITS: u64 = 62;

/// The greatest exponent of the denominator of a rounded number.
const LEAST_FRACTION: u64 = 126;

/// A rational number of at least 0, or undefined once a result was 2^127 or more, or a division by 0. A result that is
/// computed from an undefined number is undefined, so that a formula is checked once, at its end. A number is exact until
/// its lowest terms do not fit 127 bits; then it is rounded up, as the module says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exact {
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
        let wide = |[one, by]: &Wide, [two, other]: &Wide| {
            let (left, right) = (one * other, two * by);
            [if left > right { left - right } else { BigUint::ZERO }, by * other]
        };
        self.combine(other, short, long, wide)
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
    #[must_use]
    pub fn to_f64(self) -> Option<f64> {
        // Words of 64 bits are converted by an instruction each, longer ones by a function.
        if let Some([numerator, denominator]) = self.parts() {
            return Some(numerator as f64 / denominator as f64);
        }
        (self.denominator > 0).then(|| self.numerator as f64 / self.denominator as f64)
    }

    /// Combines two numbers by their numerators and denominators. If all of these have at most 63 bits, `short` is far
    /// quicker than the checked operation of `long`; `wide` is for what does not fit that either.
    fn combine(
        self,
        other: Self,
        short: impl Fn([u128; 2], [u128; 2]) -> [u128; 2],
        long: impl Fn(&Long, &Long) -> Option<Long>,
        wide: impl Fn(&Wide, &Wide) -> Wide,
    ) -> Self {
        if let (Some(one), Some(two)) = (self.short(), other.short()) {
            return Self::lowest(short(one, two));
        }
        let Some((one, two)) = self.long().zip(other.long()) else { return Self::UNDEFINED };
        long(&one, &two).map_or_else(|| Self::rounded(wide(&self.wide(), &other.wide())), Self::from_long)
    }

    /// The ratio of two integers of any size, rounded up if its lowest terms do not fit; undefined if it is 2^127 or more.
    fn rounded([numerator, denominator]: Wide) -> Self {
        if denominator.is_zero() {
            return Self::UNDEFINED;
        }
        let common = numerator.gcd(&denominator);
        let (numerator, denominator) = (numerator / &common, denominator / &common);
        let fits = |part: &BigUint| part.to_u128().filter(|part| i128::try_from(*part).is_ok());
        if let (Some(numerator), Some(denominator)) = (fits(&numerator), fits(&denominator)) {
            return Self { numerator, denominator };
        }
        // The value is above 2^(whole - fraction - 1) and below 2^(whole - fraction + 1), so that bits are enough.
        let (whole, fraction) = (numerator.bits(), denominator.bits());
        let exponent = (ROUNDED_BITS + fraction).saturating_sub(whole).min(LEAST_FRACTION);
        let rounded = (numerator << exponent).div_ceil(&denominator);
        fits(&rounded).map_or(Self::UNDEFINED, |rounded| Self::lowest([rounded, 1 << exponent]))
    }

    fn wide(self) -> Wide {
        [self.numerator.into(), self.denominator.into()]
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
    fn from_long(number: Long) -> Self {
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
            (_, None) => formatter.write_str("2^127 or more"),
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
        Self::from_long(Ratio::new_raw((*rate.numer()).into(), (*rate.denom()).into()))
    }
}

impl Add for Exact {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let sum = |[one, by]: [u128; 2], [two, other]: [u128; 2]| {
            if by == other { [one + two, by] } else { [one * other + two * by, by * other] }
        };
        let wide = |[one, by]: &Wide, [two, other]: &Wide| [one * other + two * by, by * other];
        self.combine(other, sum, Long::checked_add, wide)
    }
}

impl AddAssign for Exact {
    fn add_assign(&mut self, other: Self) {
        // Most of the sums of a phase are 0.
        if other != Self::ZERO {
            *self = *self + other;
        }
    }
}

impl Mul for Exact {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        if other == Self::ONE || self == Self::ZERO && other.denominator > 0 {
            return self;
        }
        let product = |[one, by]: [u128; 2], [two, other]: [u128; 2]| [one * two, by * other];
        let wide = |[one, by]: &Wide, [two, other]: &Wide| [one * two, by * other];
        self.combine(other, product, Long::checked_mul, wide)
    }
}

impl Div for Exact {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let quotient = |[one, by]: [u128; 2], [two, other]: [u128; 2]| [one * other, by * two];
        let wide = |[one, by]: &Wide, [two, other]: &Wide| [one * other, by * two];
        self.combine(other, quotient, Long::checked_div, wide)
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

    /// Numbers of 63 bits and longer ones go different ways. Some of the numbers below have results that do not fit.
    #[test]
    fn short_and_long_numbers_are_computed_alike() {
        let ends = [0, 1, 2, 3, 7, 12, 1 << 31, (1 << 32) + 1, (1 << 62) + 1, (1 << 63) - 1, 1 << 63, u64::MAX];
        let all =
            ends.iter().flat_map(|numerator| ends.iter().map(|denominator| Exact::ratio(*numerator, *denominator)));
        let ratios: Vec<(Exact, Long)> = all.filter_map(|ratio| Some((ratio, ratio.long()?))).collect();
        assert_eq!(ratios.len(), 11 * 12);
        let check = |got: Exact, long: Option<Long>, wide: Ratio<BigUint>| match long {
            Some(long) => assert_eq!(got, Exact::from_long(long)),
            None => assert_rounded_up(got, &wide),
        };
        let big = |one: Exact| {
            let [numerator, denominator] = one.wide();
            Ratio::new(numerator, denominator)
        };
        for &(one, left) in &ratios {
            for &(two, right) in &ratios {
                check(one + two, left.checked_add(&right), big(one) + big(two));
                check(one * two, left.checked_mul(&right), big(one) * big(two));
                if two.is_positive() {
                    check(one / two, left.checked_div(&right), big(one) / big(two));
                } else {
                    assert_eq!(one / two, Exact::UNDEFINED);
                }
                if left > right {
                    check(one.saturating_sub(two), left.checked_sub(&right), big(one) - big(two));
                } else {
                    assert_eq!(one.saturating_sub(two), Exact::ZERO);
                }
                assert_eq!(one.partial_cmp(&two), Some(left.cmp(&right)), "{one} and {two}");
                assert_eq!(
                    (one.min(two), one.max(two)),
                    (Exact::from_long(left.min(right)), Exact::from_long(left.max(right)))
                );
            }
        }
    }

    /// Exact where 127 bits hold the number, else above it by less than 2^-61 of it or 2^-126; undefined from 2^127 on.
    fn assert_rounded_up(got: Exact, exact: &Ratio<BigUint>) {
        let one = || BigUint::from(1_u32);
        if got == Exact::UNDEFINED {
            assert!(exact.ceil().to_integer() >= one() << 127, "{exact}");
            return;
        }
        let [numerator, denominator] = got.wide();
        let got = Ratio::new(numerator, denominator);
        assert!(got >= *exact, "{got} is below {exact}");
        let most = (exact * Ratio::new(one(), one() << 61)).max(Ratio::new(one(), one() << 126));
        assert!(got - exact < most, "{exact}");
    }

    /// The denominators of a triangular loop: their least common multiple has 1,445 bits.
    #[test]
    fn a_sum_of_many_denominators_is_rounded_up_in_its_last_bits() {
        let (mut sum, mut exact) = (Exact::ZERO, Ratio::new(BigUint::ZERO, BigUint::from(1_u32)));
        for denominator in 1..=1024_u64 {
            sum += Exact::ratio(1, denominator);
            exact += Ratio::new(BigUint::from(1_u32), BigUint::from(denominator));
        }
        let [numerator, denominator] = sum.wide();
        let above = Ratio::new(numerator, denominator) - &exact;
        // Each of the 1,024 sums is rounded by less than 2^-61 of itself.
        assert!(above > Ratio::ZERO && above < exact * Ratio::new(BigUint::from(1_u32), BigUint::from(1_u32) << 51));
        assert_eq!((sum * Exact::from(1 << 40)).floor(), Some(8_256_425_966_682));
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
