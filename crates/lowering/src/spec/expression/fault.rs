//! The reasons why a part of an expression cannot be evaluated.

use std::ops::Range;

use thiserror::Error;

/// The reason why a part of an expression cannot be evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Fault {
    /// A value does not fit 64 bits.
    #[error("a value does not fit 64 bits")]
    Overflow,
    /// A divisor is 0; `%` and `ceil_div` also divide.
    #[error("division by zero")]
    DivisionByZero,
    /// `log2` of a number below 1.
    #[error("`log2` of {0}, which is below 1")]
    Logarithm(i64),
    /// `pow2` of a number below 0.
    #[error("`pow2` of {0}, which is negative")]
    Power(i64),
    /// `**` with an exponent below 0.
    #[error("the exponent of `**` is {0}, which is negative")]
    Exponent(i64),
    /// A quotient of Python's `/` is not an integer.
    #[error("{left} / {right} is not an integer (`//` rounds down)")]
    NotWhole {
        /// The dividend.
        left: i64,
        /// The divisor.
        right: i64,
    },
    /// A `/` would round a count.
    #[error(
        "{left} / {right} is not an integer, and a count must not be rounded: exclude the case by a constraint \
         (`a % b == 0`), or write `ceil_div(a, b)` or `floor_div(a, b)`"
    )]
    Rounded {
        /// The dividend.
        left: i64,
        /// The divisor.
        right: i64,
    },
    /// A count is negative.
    #[error("the value is {0}, but must not be negative")]
    Negative(i64),
    /// A size is below 1.
    #[error("the value is {0}, but must be at least 1")]
    NotPositive(i64),
    /// An id or a counter is used in another way than in a sum or in a product with a number.
    #[error("not affine in the ids and counters: they may only be added, subtracted and multiplied by a number")]
    NotAffine,
}

/// A fault and the bytes of the part of the expression that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FaultAt {
    pub(crate) fault: Fault,
    pub(crate) span: Range<usize>,
}
