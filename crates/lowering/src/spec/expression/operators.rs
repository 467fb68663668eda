//! The operators and functions of expressions.

use std::ops::RangeInclusive;

use super::fault::Fault;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    /// Python's `/`: an error if the quotient is not an integer.
    DivideExactly,
    /// Python's `//`, which rounds down.
    FloorDivide,
    /// Python's `%`, which has the divisor's sign.
    FloorRemainder,
    /// Python's `**`.
    Power,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    Min,
    Max,
    CeilDiv,
    FloorDiv,
    /// A quotient that may be a fraction.
    Mean,
    Log2,
    Pow2,
}

impl Binary {
    /// The operator of a sign and its strength of binding: 0 is the weakest.
    pub(in crate::spec) fn of_sign(sign: &str) -> Option<(Self, u8)> {
        Some(match sign {
            "||" => (Self::Or, 0),
            "&&" => (Self::And, 1),
            "==" => (Self::Equal, 2),
            "!=" => (Self::Unequal, 2),
            "<" => (Self::Less, 3),
            "<=" => (Self::AtMost, 3),
            ">" => (Self::Greater, 3),
            ">=" => (Self::AtLeast, 3),
            "+" => (Self::Add, 4),
            "-" => (Self::Subtract, 4),
            "*" => (Self::Multiply, 5),
            "/" => (Self::Divide, 5),
            "%" => (Self::Remainder, 5),
            _ => return None,
        })
    }

    /// Applies the operator to two known values; `&&` and `||` do not skip the right one.
    pub(in crate::spec) fn apply(self, left: i64, right: i64) -> Result<i64, Fault> {
        let value = match self {
            Self::Or => Some(i64::from(left != 0 || right != 0)),
            Self::And => Some(i64::from(left != 0 && right != 0)),
            Self::Equal => Some(i64::from(left == right)),
            Self::Unequal => Some(i64::from(left != right)),
            Self::Less => Some(i64::from(left < right)),
            Self::AtMost => Some(i64::from(left <= right)),
            Self::Greater => Some(i64::from(left > right)),
            Self::AtLeast => Some(i64::from(left >= right)),
            Self::Add => left.checked_add(right),
            Self::Subtract => left.checked_sub(right),
            Self::Multiply => left.checked_mul(right),
            Self::Power if right < 0 => return Err(Fault::Exponent(right)),
            Self::Power => power(left, right),
            _ if right == 0 => return Err(Fault::DivisionByZero),
            Self::Remainder => Some(left.wrapping_rem(right)),
            Self::DivideExactly if left.wrapping_rem(right) != 0 => return Err(Fault::NotWhole { left, right }),
            Self::Divide | Self::DivideExactly => left.checked_div(right),
            Self::FloorDivide => left.checked_div(right).map(|quotient| quotient - i64::from(rounds_up(left, right))),
            Self::FloorRemainder => Some(left.wrapping_rem(right) + if rounds_up(left, right) { right } else { 0 }),
        };
        value.ok_or(Fault::Overflow)
    }
}

/// A division of two integers that gives an integer or a fault.
pub(in crate::spec) type Division = fn(i64, i64) -> Result<i64, Fault>;

impl Function {
    pub(in crate::spec) const ALL: [Self; 7] =
        [Self::Min, Self::Max, Self::CeilDiv, Self::FloorDiv, Self::Mean, Self::Log2, Self::Pow2];

    pub(in crate::spec) fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|function| function.name() == name)
    }

    pub(in crate::spec) fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Max => "max",
            Self::CeilDiv => "ceil_div",
            Self::FloorDiv => "floor_div",
            Self::Mean => "mean",
            Self::Log2 => "log2",
            Self::Pow2 => "pow2",
        }
    }

    /// The function as a division that gives an integer; `None` if it is not a division.
    pub(in crate::spec) fn division(self) -> Option<Division> {
        match self {
            Self::CeilDiv => Some(ceil_div),
            Self::FloorDiv => Some(floor_div),
            Self::Mean => Some(exact_div),
            Self::Min | Self::Max | Self::Log2 | Self::Pow2 => None,
        }
    }

    /// The number of arguments that the function takes.
    pub(in crate::spec) fn takes(self) -> RangeInclusive<usize> {
        match self {
            Self::Min | Self::Max => 2..=usize::MAX,
            Self::CeilDiv | Self::FloorDiv | Self::Mean => 2..=2,
            Self::Log2 | Self::Pow2 => 1..=1,
        }
    }

    /// The number of arguments in words, for messages.
    pub(in crate::spec) fn usage(self) -> &'static str {
        match self {
            Self::Min | Self::Max => "two or more arguments",
            Self::CeilDiv | Self::FloorDiv | Self::Mean => "two arguments",
            Self::Log2 | Self::Pow2 => "one argument",
        }
    }
}

/// True if division towards zero rounds the quotient up.
fn rounds_up(dividend: i64, divisor: i64) -> bool {
    dividend.wrapping_rem(divisor) != 0 && (dividend < 0) != (divisor < 0)
}

fn power(base: i64, exponent: i64) -> Option<i64> {
    match (base, u32::try_from(exponent)) {
        (0 | 1, _) => Some(if exponent == 0 { 1 } else { base }),
        (-1, _) => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        (_, Ok(exponent)) => base.checked_pow(exponent),
        (_, Err(_)) => None,
    }
}

/// The quotient; a fault if it is not an integer.
pub(in crate::spec) fn exact_div(dividend: i64, divisor: i64) -> Result<i64, Fault> {
    match Binary::DivideExactly.apply(dividend, divisor) {
        Err(Fault::NotWhole { left, right }) => Err(Fault::Rounded { left, right }),
        quotient => quotient,
    }
}

pub(in crate::spec) fn floor_div(dividend: i64, divisor: i64) -> Result<i64, Fault> {
    Binary::FloorDivide.apply(dividend, divisor)
}

pub(in crate::spec) fn ceil_div(dividend: i64, divisor: i64) -> Result<i64, Fault> {
    let quotient = Binary::Divide.apply(dividend, divisor)?;
    let upwards = dividend.wrapping_rem(divisor) != 0 && (dividend < 0) == (divisor < 0);
    Ok(quotient + i64::from(upwards))
}

pub(in crate::spec) fn log2(value: i64) -> Result<i64, Fault> {
    value.checked_ilog2().map(i64::from).ok_or(Fault::Logarithm(value))
}

pub(in crate::spec) fn pow2(exponent: i64) -> Result<i64, Fault> {
    match exponent {
        ..0 => Err(Fault::Power(exponent)),
        0..=62 => Ok(1 << exponent),
        63.. => Err(Fault::Overflow),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_is_towards_zero_and_checked() {
        let divide = |left, right| Binary::Divide.apply(left, right);
        assert_eq!(divide(-7, 2), Ok(-3));
        assert_eq!(divide(i64::MIN, -1), Err(Fault::Overflow));
        assert_eq!(divide(1, 0), Err(Fault::DivisionByZero));
        let remainder = |left, right| Binary::Remainder.apply(left, right);
        assert_eq!(remainder(-7, 2), Ok(-1));
        assert_eq!(remainder(7, -2), Ok(1));
        assert_eq!(remainder(i64::MIN, -1), Ok(0));
        assert_eq!(remainder(1, 0), Err(Fault::DivisionByZero));
    }

    /// The values are Python 3's.
    #[test]
    fn pythons_operators_are_pythons() {
        let floor = |left, right| (Binary::FloorDivide.apply(left, right), Binary::FloorRemainder.apply(left, right));
        assert_eq!(floor(7, 2), (Ok(3), Ok(1)));
        assert_eq!(floor(-7, 2), (Ok(-4), Ok(1)));
        assert_eq!(floor(7, -2), (Ok(-4), Ok(-1)));
        assert_eq!(floor(-7, -2), (Ok(3), Ok(-1)));
        assert_eq!(floor(i64::MIN, -1), (Err(Fault::Overflow), Ok(0)));
        assert_eq!(floor(1, 0), (Err(Fault::DivisionByZero), Err(Fault::DivisionByZero)));
        let exactly = |left, right| Binary::DivideExactly.apply(left, right);
        assert_eq!((exactly(-6, 2), exactly(1, 0)), (Ok(-3), Err(Fault::DivisionByZero)));
        assert_eq!(exactly(7, 2), Err(Fault::NotWhole { left: 7, right: 2 }));
        let power = |left, right| Binary::Power.apply(left, right);
        assert_eq!((power(2, 10), power(-3, 3), power(0, 0), power(-1, i64::MAX)), (Ok(1024), Ok(-27), Ok(1), Ok(-1)));
        assert_eq!((power(2, 63), power(2, -1)), (Err(Fault::Overflow), Err(Fault::Exponent(-1))));
    }

    #[test]
    fn ceil_div_rounds_up() {
        let quotients = [(7, 2, 4), (6, 2, 3), (-7, 2, -3), (7, -2, -3), (-7, -2, 4), (0, 5, 0)];
        for (dividend, divisor, quotient) in quotients {
            assert_eq!(ceil_div(dividend, divisor), Ok(quotient), "{dividend} / {divisor}");
        }
        assert_eq!(ceil_div(i64::MIN, -1), Err(Fault::Overflow));
        assert_eq!(ceil_div(1, 0), Err(Fault::DivisionByZero));
    }

    #[test]
    fn floor_div_rounds_down() {
        let quotients =
            [(7, 2, 3), (6, 2, 3), (-7, 2, -4), (7, -2, -4), (-7, -2, 3), (-6, 2, -3), (0, 5, 0), (-1, i64::MAX, -1)];
        for (dividend, divisor, quotient) in quotients {
            assert_eq!(floor_div(dividend, divisor), Ok(quotient), "{dividend} / {divisor}");
        }
        assert_eq!(floor_div(i64::MIN, -1), Err(Fault::Overflow));
        assert_eq!(floor_div(1, 0), Err(Fault::DivisionByZero));
    }

    #[test]
    fn powers_and_logarithms_have_their_ends() {
        assert_eq!(pow2(0), Ok(1));
        assert_eq!(pow2(62), Ok(1 << 62));
        assert_eq!(pow2(63), Err(Fault::Overflow));
        assert_eq!(pow2(-1), Err(Fault::Power(-1)));
        assert_eq!(log2(1), Ok(0));
        assert_eq!(log2(i64::MAX), Ok(62));
        assert_eq!(log2(0), Err(Fault::Logarithm(0)));
    }
}
