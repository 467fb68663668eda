//! The scalars of `R_max`.

use thiserror::Error;

/// An element of the semiring (max, +): ε or a time in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// Minus infinity: a way does not exist.
    Epsilon,
    /// A time, in ticks.
    Time(u128),
}

/// A time beyond 128 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a time of the max-plus model exceeds 2^128 - 1 ticks")]
pub struct Overflow;

impl Scalar {
    /// The neutral element of [`times`](Self::times).
    pub const ONE: Self = Self::Time(0);

    /// The sum a ⊕ b = max(a, b) (section 4 of the paper).
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.max(other)
    }

    /// The product a ⊙ b = a + b (section 4).
    ///
    /// # Errors
    /// If the sum exceeds 128 bits.
    pub fn times(self, other: Self) -> Result<Self, Overflow> {
        match (self, other) {
            (Self::Time(a), Self::Time(b)) => a.checked_add(b).map(Self::Time).ok_or(Overflow),
            _ => Ok(Self::Epsilon),
        }
    }

    /// The power a ⊙ … ⊙ a of `exponent` factors: the power of a matrix with this single entry.
    ///
    /// # Errors
    /// If the product exceeds 128 bits.
    pub fn power(self, exponent: u64) -> Result<Self, Overflow> {
        match self {
            Self::Time(ticks) => ticks.checked_mul(exponent.into()).map(Self::Time).ok_or(Overflow),
            Self::Epsilon if exponent == 0 => Ok(Self::ONE),
            Self::Epsilon => Ok(Self::Epsilon),
        }
    }

    /// The time in ticks; `None` if a way does not exist.
    #[must_use]
    pub fn time(self) -> Option<u128> {
        match self {
            Self::Epsilon => None,
            Self::Time(ticks) => Some(ticks),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Scalars with ε in one fifth of the cases, and times whose sums fit into 128 bits.
    pub(in crate::models::maxplus) fn scalars() -> impl Strategy<Value = Scalar> {
        prop_oneof![
            1 => Just(Scalar::Epsilon),
            3 => (0..20_u128).prop_map(Scalar::Time),
            1 => (0..u128::MAX / 8).prop_map(Scalar::Time),
        ]
    }

    fn times(a: Scalar, b: Scalar) -> Scalar {
        a.times(b).unwrap()
    }

    proptest! {
        #[test]
        fn scalars_are_an_idempotent_commutative_semiring(a in scalars(), b in scalars(), c in scalars()) {
            prop_assert_eq!(a.plus(b), b.plus(a));
            prop_assert_eq!(a.plus(b).plus(c), a.plus(b.plus(c)));
            prop_assert_eq!(a.plus(a), a);
            prop_assert_eq!(a.plus(Scalar::Epsilon), a);
            prop_assert_eq!(times(a, b), times(b, a));
            prop_assert_eq!(times(times(a, b), c), times(a, times(b, c)));
            prop_assert_eq!(times(a, Scalar::ONE), a);
            prop_assert_eq!(times(a, Scalar::Epsilon), Scalar::Epsilon);
            prop_assert_eq!(times(a, b.plus(c)), times(a, b).plus(times(a, c)));
        }
    }

    #[test]
    fn a_sum_beyond_128_bits_is_refused() {
        assert_eq!(Scalar::Time(u128::MAX).times(Scalar::Time(1)), Err(Overflow));
        assert_eq!(Scalar::Time(u128::MAX).times(Scalar::Epsilon), Ok(Scalar::Epsilon));
    }
}
