//! The syntax tree of an expression, and what it is worth.

use std::ops::Range;

use thiserror::Error;

use super::operators::{Binary, Function, ceil_div, log2, pow2};
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
    /// `**` with an exponent below 0.
    #[error("the exponent of `**` is {0}, which is negative")]
    Exponent(i64),
    /// `/` of Python, where it gives a fraction.
    #[error("`/` of {left} and {right} is no integer (`//` rounds down)")]
    NotWhole {
        /// The dividend.
        left: i64,
        /// The divisor.
        right: i64,
    },
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
                Ok(value.checked_neg().ok_or_else(|| self.fault(Fault::Overflow))?)
            }
            Kind::Not(operand) => Ok(i64::from(operand.evaluate(names)? == 0)),
            Kind::Binary(operator, operands) => self.binary(*operator, operands, names),
            Kind::Choice(parts) => {
                let [condition, then, otherwise] = &**parts;
                let chosen = if condition.evaluate(names)? == 0 { otherwise } else { then };
                chosen.evaluate(names)
            }
            Kind::Call(function, arguments) => self.call(*function, arguments, names),
        }
    }

    fn binary<L: Lookup>(&self, operator: Binary, operands: &[Tree; 2], names: &mut L) -> Result<i64, L::Stop> {
        let left = operands[0].evaluate(names)?;
        match operator {
            Binary::Or if left != 0 => return Ok(1),
            Binary::And if left == 0 => return Ok(0),
            _ => {}
        }
        let right = operands[1].evaluate(names)?;
        Ok(operator.apply(left, right).map_err(|fault| self.fault(fault))?)
    }

    fn call<L: Lookup>(&self, function: Function, arguments: &[Tree], names: &mut L) -> Result<i64, L::Stop> {
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
            value = if function == Function::Min { value.min(other) } else { value.max(other) };
        }
        match function {
            Function::Log2 => Ok(log2(value).map_err(|fault| self.fault(fault))?),
            Function::Pow2 => Ok(pow2(value).map_err(|fault| self.fault(fault))?),
            Function::Min | Function::Max | Function::CeilDiv => Ok(value),
        }
    }

    pub(super) fn fault(&self, fault: Fault) -> FaultAt {
        FaultAt { fault, span: self.span.clone() }
    }

    /// How many parts it has.
    pub(super) fn size(&self) -> usize {
        1 + match &self.kind {
            Kind::Number(_) | Kind::Name(_) => 0,
            Kind::Negate(operand) | Kind::Not(operand) => operand.size(),
            Kind::Binary(_, operands) => operands.iter().map(Self::size).sum(),
            Kind::Choice(parts) => parts.iter().map(Self::size).sum(),
            Kind::Call(_, arguments) => arguments.iter().map(Self::size).sum(),
        }
    }

    /// Calls `visit` with the slot of every name, in the order of the text.
    pub(super) fn visit_names(&self, visit: &mut impl FnMut(Slot)) {
        match &self.kind {
            Kind::Number(_) => {}
            Kind::Name(slot) => visit(*slot),
            Kind::Negate(operand) | Kind::Not(operand) => operand.visit_names(visit),
            Kind::Binary(_, operands) => operands.iter().for_each(|operand| operand.visit_names(visit)),
            Kind::Choice(parts) => parts.iter().for_each(|part| part.visit_names(visit)),
            Kind::Call(_, arguments) => arguments.iter().for_each(|argument| argument.visit_names(visit)),
        }
    }
}
