//! The syntax tree of an expression, and what it is worth.

use std::ops::{Range, RangeInclusive};

use thiserror::Error;

use super::scope::Slot;

/// A part of an expression and the bytes that it has in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tree {
    pub(super) kind: Kind,
    pub(super) span: Range<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Number(i64),
    Name(Slot),
    Negate(Box<Tree>),
    Not(Box<Tree>),
    Binary(Binary, Box<[Tree; 2]>),
    /// Condition, then, otherwise.
    Choice(Box<[Tree; 3]>),
    Call(Function, Vec<Tree>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
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
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    Min,
    Max,
    CeilDiv,
    Log2,
    Pow2,
}

/// Why a part of an expression has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Fault {
    /// A value does not fit 64 bits.
    #[error("a value beyond 64 bits")]
    Overflow,
    /// A divisor, `%` and `ceil_div` included, is 0.
    #[error("division by zero")]
    DivisionByZero,
    /// `log2` of a number below 1.
    #[error("`log2` of {0}, which is below 1")]
    Logarithm(i64),
    /// `pow2` of a number below 0.
    #[error("`pow2` of {0}, which is negative")]
    Power(i64),
    /// A count that is negative.
    #[error("the value is {0}, but must not be negative")]
    Negative(i64),
    /// A size that is below 1.
    #[error("the value is {0}, but must be at least 1")]
    NotPositive(i64),
    /// An id or a counter is used in another way than times a number.
    #[error("this is not affine in the ids and counters")]
    NotAffine,
}

/// A fault, and the part of the expression that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FaultAt {
    pub(super) fault: Fault,
    pub(super) span: Range<usize>,
}

/// Gives names their values. Some find out only when asked that there is none.
pub(super) trait Lookup {
    /// Why there is no value.
    type Stop: From<FaultAt>;

    /// The value in a slot.
    fn value(&mut self, slot: Slot) -> Result<i64, Self::Stop>;
}

impl Lookup for &[i64] {
    type Stop = FaultAt;

    fn value(&mut self, slot: Slot) -> Result<i64, FaultAt> {
        Ok(self[slot])
    }
}

impl Tree {
    pub(super) fn new(kind: Kind, span: Range<usize>) -> Self {
        Self { kind, span }
    }

    /// The value; what `&&`, `||` and `? :` do not need is not evaluated.
    pub(super) fn evaluate<L: Lookup>(&self, names: &mut L) -> Result<i64, L::Stop> {
        match &self.kind {
            Kind::Number(value) => Ok(*value),
            Kind::Name(slot) => names.value(*slot),
            Kind::Negate(operand) => {
                let value = operand.evaluate(names)?;
                Ok(value
                    .checked_neg()
                    .ok_or_else(|| self.fault(Fault::Overflow))?)
            }
            Kind::Not(operand) => Ok(i64::from(operand.evaluate(names)? == 0)),
            Kind::Binary(operator, operands) => self.binary(*operator, operands, names),
            Kind::Choice(parts) => {
                let [condition, then, otherwise] = &**parts;
                let chosen = if condition.evaluate(names)? == 0 {
                    otherwise
                } else {
                    then
                };
                chosen.evaluate(names)
            }
            Kind::Call(function, arguments) => self.call(*function, arguments, names),
        }
    }

    fn binary<L: Lookup>(
        &self,
        operator: Binary,
        operands: &[Tree; 2],
        names: &mut L,
    ) -> Result<i64, L::Stop> {
        let left = operands[0].evaluate(names)?;
        match operator {
            Binary::Or if left != 0 => return Ok(1),
            Binary::And if left == 0 => return Ok(0),
            _ => {}
        }
        let right = operands[1].evaluate(names)?;
        Ok(operator
            .apply(left, right)
            .map_err(|fault| self.fault(fault))?)
    }

    fn call<L: Lookup>(
        &self,
        function: Function,
        arguments: &[Tree],
        names: &mut L,
    ) -> Result<i64, L::Stop> {
        let first = arguments[0].evaluate(names)?;
        if let [_, second] = arguments
            && function == Function::CeilDiv
        {
            let divisor = second.evaluate(names)?;
            return Ok(ceil_div(first, divisor).map_err(|fault| self.fault(fault))?);
        }
        let mut value = first;
        for argument in &arguments[1..] {
            let other = argument.evaluate(names)?;
            value = if function == Function::Min {
                value.min(other)
            } else {
                value.max(other)
            };
        }
        match function {
            Function::Log2 => Ok(log2(value).map_err(|fault| self.fault(fault))?),
            Function::Pow2 => Ok(pow2(value).map_err(|fault| self.fault(fault))?),
            Function::Min | Function::Max | Function::CeilDiv => Ok(value),
        }
    }

    pub(super) fn fault(&self, fault: Fault) -> FaultAt {
        FaultAt {
            fault,
            span: self.span.clone(),
        }
    }

    /// Calls `visit` with the slot of every name, in the order of the text.
    pub(super) fn visit_names(&self, visit: &mut impl FnMut(Slot)) {
        match &self.kind {
            Kind::Number(_) => {}
            Kind::Name(slot) => visit(*slot),
            Kind::Negate(operand) | Kind::Not(operand) => operand.visit_names(visit),
            Kind::Binary(_, operands) => operands
                .iter()
                .for_each(|operand| operand.visit_names(visit)),
            Kind::Choice(parts) => parts.iter().for_each(|part| part.visit_names(visit)),
            Kind::Call(_, arguments) => arguments
                .iter()
                .for_each(|argument| argument.visit_names(visit)),
        }
    }
}

impl Binary {
    /// The operator that a sign is, and how strongly it binds.
    pub(super) fn of_sign(sign: &str) -> Option<(Self, u8)> {
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

    /// Both sides are known: `&&` and `||` have nothing left to skip.
    pub(super) fn apply(self, left: i64, right: i64) -> Result<i64, Fault> {
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
            Self::Divide | Self::Remainder if right == 0 => return Err(Fault::DivisionByZero),
            Self::Divide => left.checked_div(right),
            Self::Remainder => Some(left.wrapping_rem(right)),
        };
        value.ok_or(Fault::Overflow)
    }
}

impl Function {
    pub(super) const ALL: [Self; 5] = [Self::Min, Self::Max, Self::CeilDiv, Self::Log2, Self::Pow2];

    pub(super) fn of_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|function| function.name() == name)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Max => "max",
            Self::CeilDiv => "ceil_div",
            Self::Log2 => "log2",
            Self::Pow2 => "pow2",
        }
    }

    /// How many arguments it takes.
    pub(super) fn takes(self) -> RangeInclusive<usize> {
        match self {
            Self::Min | Self::Max => 2..=usize::MAX,
            Self::CeilDiv => 2..=2,
            Self::Log2 | Self::Pow2 => 1..=1,
        }
    }

    /// The same in words.
    pub(super) fn usage(self) -> &'static str {
        match self {
            Self::Min | Self::Max => "two or more arguments",
            Self::CeilDiv => "two arguments",
            Self::Log2 | Self::Pow2 => "one argument",
        }
    }
}

fn ceil_div(dividend: i64, divisor: i64) -> Result<i64, Fault> {
    let quotient = Binary::Divide.apply(dividend, divisor)?;
    let upwards = dividend.wrapping_rem(divisor) != 0 && (dividend < 0) == (divisor < 0);
    Ok(quotient + i64::from(upwards))
}

fn log2(value: i64) -> Result<i64, Fault> {
    value
        .checked_ilog2()
        .map(i64::from)
        .ok_or(Fault::Logarithm(value))
}

fn pow2(exponent: i64) -> Result<i64, Fault> {
    match exponent {
        ..0 => Err(Fault::Power(exponent)),
        0..=62 => Ok(1 << exponent),
        63.. => Err(Fault::Overflow),
    }
}
