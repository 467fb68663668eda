//! The syntax tree of an expression and its evaluation.

use std::ops::Range;

use num_rational::Ratio;
use num_traits::{CheckedAdd, CheckedDiv, CheckedMul, CheckedSub, Zero};

use super::names::Slot;
use super::operators::{Binary, Function, exact_div, log2, pow2};
use crate::spec::expression::fault::{Fault, FaultAt};

/// A fraction whose numerator and denominator fit 64 bits.
pub(crate) type Fraction = Ratio<i128>;

/// A part of an expression and its bytes in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) kind: Kind,
    pub(crate) span: Range<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    Number(i64),
    /// A decimal fraction: the digits and the power of ten that divides them.
    Decimal(i64, i64),
    Name(Slot),
    Negate(Box<Tree>),
    Not(Box<Tree>),
    Binary(Binary, Box<[Tree; 2]>),
    /// Condition, then, otherwise.
    Choice(Box<[Tree; 3]>),
    Call(Function, Vec<Tree>),
}

/// A source of the values of names. Whether a value exists may be found out only by the look-up.
pub(crate) trait Lookup {
    /// The reason why there is no value.
    type Stop: From<FaultAt>;

    /// True if `/` must give an integer; else `/` rounds towards zero.
    const EXACT: bool = false;

    fn value(&mut self, slot: Slot) -> Result<i64, Self::Stop>;
}

impl Lookup for &[i64] {
    type Stop = FaultAt;

    fn value(&mut self, slot: Slot) -> Result<i64, FaultAt> {
        Ok(self[slot])
    }
}

impl Tree {
    pub(crate) fn new(kind: Kind, span: Range<usize>) -> Self {
        Self { kind, span }
    }

    /// The value. Operands that `&&`, `||` and `? :` do not need are not evaluated.
    pub(crate) fn evaluate<L: Lookup>(&self, names: &mut L) -> Result<i64, L::Stop> {
        match &self.kind {
            Kind::Number(value) => Ok(*value),
            Kind::Decimal(digits, scale) => Ok(exact_div(*digits, *scale).map_err(|fault| self.fault(fault))?),
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
        if L::EXACT && operator == Binary::Divide {
            return Ok(exact_div(left, right).map_err(|fault| self.fault(fault))?);
        }
        Ok(operator.apply(left, right).map_err(|fault| self.fault(fault))?)
    }

    fn call<L: Lookup>(&self, function: Function, arguments: &[Tree], names: &mut L) -> Result<i64, L::Stop> {
        let first = arguments[0].evaluate(names)?;
        if let ([_, second], Some(divide)) = (arguments, function.division()) {
            let divisor = second.evaluate(names)?;
            return Ok(divide(first, divisor).map_err(|fault| self.fault(fault))?);
        }
        let mut value = first;
        for argument in &arguments[1..] {
            let other = argument.evaluate(names)?;
            value = if function == Function::Min { value.min(other) } else { value.max(other) };
        }
        match function {
            Function::Log2 => Ok(log2(value).map_err(|fault| self.fault(fault))?),
            Function::Pow2 => Ok(pow2(value).map_err(|fault| self.fault(fault))?),
            _ => Ok(value),
        }
    }

    /// The exact value of an expression that may contain decimals and means.
    pub(crate) fn fraction<L: Lookup>(&self, names: &mut L) -> Result<Fraction, L::Stop> {
        if !self.has_fraction() {
            return self.evaluate(names).map(|value| Ratio::from_integer(value.into()));
        }
        let value = match &self.kind {
            Kind::Decimal(digits, scale) => Some(Ratio::new((*digits).into(), (*scale).into())),
            Kind::Negate(operand) => Some(-operand.fraction(names)?),
            Kind::Binary(operator, operands) => {
                let [left, right] = [operands[0].fraction(names)?, operands[1].fraction(names)?];
                match operator {
                    Binary::Add => left.checked_add(&right),
                    Binary::Subtract => left.checked_sub(&right),
                    Binary::Multiply => left.checked_mul(&right),
                    _ => self.quotient(left, right)?,
                }
            }
            Kind::Choice(parts) => {
                let [condition, then, otherwise] = &**parts;
                let chosen = if condition.evaluate(names)? == 0 { otherwise } else { then };
                return chosen.fraction(names);
            }
            Kind::Call(Function::Mean, arguments) => {
                let [dividend, divisor] = [arguments[0].fraction(names)?, arguments[1].fraction(names)?];
                self.quotient(dividend, divisor)?
            }
            Kind::Call(function, arguments) => {
                let mut value = arguments[0].fraction(names)?;
                for argument in &arguments[1..] {
                    let other = argument.fraction(names)?;
                    value = if *function == Function::Min { value.min(other) } else { value.max(other) };
                }
                Some(value)
            }
            Kind::Number(_) | Kind::Name(_) | Kind::Not(_) => None,
        };
        let fits = |part: &i128| i64::try_from(*part).is_ok_and(|part| part != i64::MIN);
        let value = value.filter(|value| fits(value.numer()) && fits(value.denom()));
        Ok(value.ok_or_else(|| self.fault(Fault::Overflow))?)
    }

    fn quotient(&self, dividend: Fraction, divisor: Fraction) -> Result<Option<Fraction>, FaultAt> {
        if divisor.is_zero() {
            return Err(self.fault(Fault::DivisionByZero));
        }
        Ok(dividend.checked_div(&divisor))
    }

    /// True if the tree contains a decimal or a mean.
    pub(crate) fn has_fraction(&self) -> bool {
        let is_one = matches!(self.kind, Kind::Decimal(..) | Kind::Call(Function::Mean, _));
        is_one || self.parts().iter().any(Self::has_fraction)
    }

    /// The first part with a decimal or a mean where only an integer has a meaning: below a comparison, `%`, `log2` and
    /// so on; `None` if there is no such part.
    pub(crate) fn misplaced_fraction(&self) -> Option<&Self> {
        let mut parts = self.parts().iter();
        let takes_fractions = match &self.kind {
            Kind::Choice(choice) if choice[0].has_fraction() => return Some(&choice[0]),
            Kind::Number(_) | Kind::Decimal(..) | Kind::Name(_) | Kind::Negate(_) | Kind::Choice(_) => true,
            Kind::Call(function, _) => matches!(function, Function::Mean | Function::Min | Function::Max),
            Kind::Binary(operator, _) => {
                matches!(operator, Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide)
            }
            Kind::Not(_) => false,
        };
        if takes_fractions { parts.find_map(Self::misplaced_fraction) } else { parts.find(|part| part.has_fraction()) }
    }

    /// The trees directly below this one, in the order of the text.
    fn parts(&self) -> &[Self] {
        match &self.kind {
            Kind::Number(_) | Kind::Decimal(..) | Kind::Name(_) => &[],
            Kind::Negate(operand) | Kind::Not(operand) => std::slice::from_ref(operand),
            Kind::Binary(_, operands) => &**operands,
            Kind::Choice(parts) => &**parts,
            Kind::Call(_, arguments) => arguments,
        }
    }

    pub(crate) fn fault(&self, fault: Fault) -> FaultAt {
        FaultAt { fault, span: self.span.clone() }
    }

    /// The number of trees, this one included.
    pub(crate) fn size(&self) -> usize {
        1 + self.parts().iter().map(Self::size).sum::<usize>()
    }

    /// Calls `visit` with the slot of every name, in the order of the text.
    pub(crate) fn visit_names(&self, visit: &mut impl FnMut(Slot)) {
        if let Kind::Name(slot) = self.kind {
            visit(slot);
        }
        for part in self.parts() {
            part.visit_names(visit);
        }
    }
}
