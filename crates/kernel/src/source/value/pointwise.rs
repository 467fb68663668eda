//! Functions of known numbers that each work item computes by itself.

use super::floats::{KnownFloats, joined};
use super::{Known, KnownFloat, Lanes, Mask, Shape, Value};

/// A number of one work item.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer, as its type holds it: with its sign, but a truth as 0 or 1.
    Whole(i64),
    /// A floating-point number.
    Real(KnownFloat),
}

impl Number {
    fn bits(self) -> i64 {
        match self {
            Self::Whole(value) => value,
            Self::Real(number) => number.value().to_bits().cast_signed(),
        }
    }
}

impl Shape {
    /// The value of a function in each work item of a mask; the function is `None` where its value is not known. Unknown if
    /// an operand is, or the function's value in one of these work items. Symbols change the value unevenly.
    #[must_use]
    pub fn pointwise(&self, operands: &[&Value], mask: &Mask, of: impl Fn(&[Number]) -> Option<Number>) -> Value {
        let Some(all) = operands.iter().map(|operand| Operand::new(operand)).collect::<Option<Vec<_>>>() else {
            return Value::Unknown;
        };
        let at = |lane: usize| of(&all.iter().map(|operand| operand.at(lane, self)).collect::<Vec<_>>());
        let Some(first) = mask.minimum().and_then(&at) else { return Value::Unknown };
        let lanes = if all.iter().all(|operand| matches!(operand.lanes(), Lanes::Same(_))) {
            Lanes::Same(first.bits())
        } else {
            // What others than the work items of the mask have is never used.
            let value = |lane: usize| match at(lane) {
                Some(value) => Some(value.bits()),
                None => (!mask.contains(lane)).then(|| first.bits()),
            };
            let Some(values) = (0..self.lanes()).map(value).collect::<Option<Vec<i64>>>() else {
                return Value::Unknown;
            };
            Lanes::from_values(values, self)
        };
        let slopes = joined(all.iter().map(|operand| match operand {
            Operand::Whole(known) => &known.slopes,
            Operand::Real(known) => &known.slopes,
        }));
        match first {
            Number::Whole(_) => Value::Known(Known { base: lanes, slopes }),
            Number::Real(_) => Value::Float(KnownFloats { bits: lanes, slopes }),
        }
    }
}

/// A known operand.
enum Operand<'v> {
    Whole(&'v Known),
    Real(&'v KnownFloats),
}

impl<'v> Operand<'v> {
    fn new(value: &'v Value) -> Option<Self> {
        match value {
            Value::Known(known) => Some(Self::Whole(known)),
            Value::Float(known) => Some(Self::Real(known)),
            Value::Unknown | Value::Vector(_) => None,
        }
    }

    fn lanes(&self) -> &'v Lanes {
        match self {
            Self::Whole(known) => &known.base,
            Self::Real(known) => &known.bits,
        }
    }

    fn at(&self, lane: usize, shape: &Shape) -> Number {
        match self {
            Self::Whole(known) => Number::Whole(known.base.at(lane, shape)),
            Self::Real(known) => Number::Real(known.at(lane, shape)),
        }
    }
}
