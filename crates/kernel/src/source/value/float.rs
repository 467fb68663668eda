//! Known floating-point numbers, with the rounding of their type.

use crate::source::ir::Operator;

/// A known floating-point number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KnownFloat(u64);

impl KnownFloat {
    /// The number of a type of that many bits that is nearest to a value; `None` for 16 bits, and for other types.
    #[must_use]
    pub fn rounded(value: f64, bits: u32) -> Option<Self> {
        match bits {
            32 => Some(Self(f64::from(single(value)).to_bits())),
            64 => Some(Self(value.to_bits())),
            _ => None,
        }
    }

    /// The number of a value that its type holds.
    #[must_use]
    pub fn of_value(value: f64) -> Self {
        Self(value.to_bits())
    }

    /// The number of a type that is nearest to an integer.
    #[must_use]
    pub fn of_integer(value: i128, bits: u32) -> Option<Self> {
        #[expect(clippy::cast_precision_loss, reason = "the conversion rounds as the kernel's does")]
        match bits {
            32 => Some(Self(f64::from(value as f32).to_bits())),
            64 => Some(Self((value as f64).to_bits())),
            _ => None,
        }
    }

    /// The number with these bits of its own type; `None` for other types than those of 32 and 64 bits.
    #[must_use]
    pub fn of_bits(own: u64, bits: u32) -> Option<Self> {
        match bits {
            32 => Some(Self(f64::from(f32::from_bits(u32::try_from(own).ok()?)).to_bits())),
            64 => Some(Self(own)),
            _ => None,
        }
    }

    /// The value.
    #[must_use]
    pub fn value(self) -> f64 {
        f64::from_bits(self.0)
    }

    /// The bits of the number in its own type; `None` for what is not a number, whose bits are not defined.
    #[must_use]
    pub fn own_bits(self, bits: u32) -> Option<u64> {
        let value = self.value();
        match bits {
            _ if value.is_nan() => None,
            32 => Some(single(value).to_bits().into()),
            64 => Some(self.0),
            _ => None,
        }
    }

    /// The integer below a limit of bits that is the number without its fraction; `None` if there is none.
    #[must_use]
    pub fn integer(self, bits: u32, signed: bool) -> Option<i64> {
        let whole = self.value().trunc();
        // Each bound is a power of two, or 0.
        let power = |exponent: u32| 2_f64.powi(i32::try_from(exponent).unwrap_or(i32::MAX));
        let bits = bits.min(64);
        let (least, end) = if signed { (-power(bits - 1), power(bits - 1)) } else { (0.0, power(bits)) };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value is within the bounds")]
        (whole >= least && whole < end).then(|| if signed { whole as i64 } else { (whole as u64).cast_signed() })
    }

    /// The result of an operation; `None` if the compiler or the machine may compute another one.
    #[must_use]
    pub fn binary(self, operator: Operator, other: Self, bits: u32, is_loose: bool) -> Option<Self> {
        let (left, right) = (self.value(), other.value());
        // Of two numbers of 32 bits, 64 bits hold a product, and enough of other results to round them once more.
        let wide = match operator {
            Operator::FAdd => left + right,
            Operator::FSub => left - right,
            Operator::FMul => left * right,
            Operator::FDiv => left / right,
            Operator::FRem => left % right,
            _ => return None,
        };
        let result = Self::rounded(wide, bits)?;
        let is_exact = match operator {
            Operator::FMul => result.value().to_bits() == wide.to_bits() && left.mul_add(right, -wide) == 0.0,
            _ => false,
        };
        let is_small = bits == 32 && single(result.value()).is_subnormal();
        (!is_small && (!is_loose || is_exact)).then_some(result)
    }

    /// The number with the other sign.
    #[must_use]
    pub fn negated(self) -> Self {
        Self((-self.value()).to_bits())
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the conversion rounds to the nearest number")]
fn single(value: f64) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float(value: f64, bits: u32) -> KnownFloat {
        KnownFloat::rounded(value, bits).unwrap()
    }

    #[test]
    fn results_are_those_of_the_type() {
        let of = |operator, left: f64, right: f64, bits| {
            float(left, bits).binary(operator, float(right, bits), bits, false).map(KnownFloat::value)
        };
        assert_eq!(of(Operator::FAdd, 16_777_216.0, 1.0, 32), Some(16_777_216.0));
        assert_eq!(of(Operator::FAdd, 16_777_216.0, 1.0, 64), Some(16_777_217.0));
        assert_eq!(of(Operator::FDiv, 1.0, 3.0, 32), Some(f64::from(1.0_f32 / 3.0)));
        assert_eq!(of(Operator::FRem, 7.5, 2.0, 32), Some(1.5));
        assert_eq!(of(Operator::FDiv, 1.0, 0.0, 64), Some(f64::INFINITY));
        assert_eq!(of(Operator::FMul, 1e-30, 1e-10, 32), None, "a machine may flush it to 0");
        assert_eq!(float(0.1, 32), float(f64::from(0.1_f32), 64));
        assert_eq!(KnownFloat::rounded(1.0, 16), None);
    }

    #[test]
    fn a_product_that_may_be_fused_is_known_if_it_is_exact() {
        let product = |left: f64, right: f64| float(left, 32).binary(Operator::FMul, float(right, 32), 32, true);
        assert_eq!(product(0.5, 3.0).map(KnownFloat::value), Some(1.5));
        assert_eq!(product(0.1, 0.1), None);
    }

    #[test]
    fn integers_are_those_of_the_type() {
        assert_eq!(float(-1.9, 32).integer(32, true), Some(-1));
        assert_eq!(float(-1.0, 32).integer(32, false), None);
        assert_eq!(float(3e9, 64).integer(32, true), None);
        assert_eq!(float(3e9, 64).integer(32, false), Some(3_000_000_000));
        assert_eq!(float(f64::NAN, 64).integer(32, true), None);
        assert_eq!(KnownFloat::of_integer(16_777_217, 32), Some(float(16_777_216.0, 64)));
    }
}
