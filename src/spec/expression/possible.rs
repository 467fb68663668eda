//! The values that an expression can take while some of its names still have several.
//!
//! A set of values is known by its ends and by the distance of its members, as in "every 4th integer from 8 to 64". It
//! lacks no value that the expression takes, and may hold others. Evaluation that can fail is marked, so that a caller
//! can leave every error to the exact evaluation.

mod operators;
#[cfg(test)]
mod tests;

use num_integer::gcd;

use super::names::Slot;
use super::operators::{Binary, Function, exact_div};
use super::tree::{Kind, Tree};
use operators::{binary, call, negated};

/// An upper bound of the values of an expression: every `step`-th integer between two ends, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Possible {
    least: i64,
    greatest: i64,
    /// The distance of neighbouring values; 0 if there is only one value.
    step: u64,
    /// True if the evaluation may fail.
    fails: bool,
}

impl Possible {
    /// Any value or failure.
    const ANY: Self = Self { least: i64::MIN, greatest: i64::MAX, step: 1, fails: true };

    /// One known value.
    pub(crate) fn one(value: i64) -> Self {
        Self { least: value, greatest: value, step: 0, fails: false }
    }

    /// One of these values; `None` if there are none.
    pub(crate) fn among(values: &[i64]) -> Option<Self> {
        values.iter().map(|value| Self::one(*value)).reduce(Self::or)
    }

    /// A value of either set.
    pub(crate) fn or(self, other: Self) -> Self {
        let least = self.least.min(other.least);
        let greatest = self.greatest.max(other.greatest);
        Self { least, greatest, step: self.step_with(other), fails: self.fails || other.fails }
    }

    /// True if the evaluation gives a condition this truth, whatever the open names are.
    pub(crate) fn is_always(self, truth: bool) -> bool {
        !self.fails && self.truth() == Some(truth)
    }

    /// The truth of a condition that does not fail; `None` if it is not known.
    fn truth(self) -> Option<bool> {
        match self.value() {
            Some(value) => Some(value != 0),
            None => (!self.may_be_zero()).then_some(true),
        }
    }

    /// A condition of this truth; `None` stands for both.
    fn of_truth(truth: Option<bool>, fails: bool) -> Self {
        let least = i64::from(truth == Some(true));
        let greatest = i64::from(truth != Some(false));
        Self { least, greatest, step: greatest.abs_diff(least), fails }
    }

    /// The only value; `None` if there are several.
    fn value(self) -> Option<i64> {
        (self.step == 0).then_some(self.least)
    }

    fn may_be_zero(self) -> bool {
        self.least <= 0 && self.greatest >= 0 && self.least.unsigned_abs().is_multiple_of(self.step)
    }

    fn failing_if(self, fails: bool) -> Self {
        Self { fails: self.fails || fails, ..self }
    }

    /// The distance of the values of both sets together.
    fn step_with(self, other: Self) -> u64 {
        gcd(gcd(self.step, other.step), self.least.abs_diff(other.least))
    }
}

impl Tree {
    /// The possible values; `names` gives those of the names.
    pub(crate) fn possible(&self, names: &impl Fn(Slot) -> Possible) -> Possible {
        match &self.kind {
            Kind::Number(value) => Possible::one(*value),
            Kind::Decimal(digits, scale) => exact_div(*digits, *scale).map_or(Possible::ANY, Possible::one),
            Kind::Name(slot) => names(*slot),
            Kind::Negate(operand) => negated(operand.possible(names)),
            Kind::Not(operand) => {
                let operand = operand.possible(names);
                Possible::of_truth(operand.truth().map(|truth| !truth), operand.fails)
            }
            Kind::Binary(operator @ (Binary::And | Binary::Or), operands) => logical(*operator, operands, names),
            Kind::Binary(operator, operands) => {
                binary(*operator, operands[0].possible(names), operands[1].possible(names))
            }
            Kind::Choice(parts) => choice(parts, names),
            Kind::Call(function, arguments) => called(*function, arguments, names),
        }
    }
}

/// `&&` and `||`, which do not evaluate their right side if the left one decides.
fn logical(operator: Binary, operands: &[Tree; 2], names: &impl Fn(Slot) -> Possible) -> Possible {
    let decisive = operator == Binary::Or;
    let left = operands[0].possible(names);
    if left.truth() == Some(decisive) {
        return Possible::of_truth(Some(decisive), left.fails);
    }
    let right = operands[1].possible(names);
    let truth = if left.truth().is_some() || right.truth() == Some(decisive) { right.truth() } else { None };
    Possible::of_truth(truth, left.fails || right.fails)
}

/// `? :`, which evaluates one of its ends.
fn choice([condition, then, otherwise]: &[Tree; 3], names: &impl Fn(Slot) -> Possible) -> Possible {
    let condition = condition.possible(names);
    let chosen = match condition.truth() {
        Some(true) => then.possible(names),
        Some(false) => otherwise.possible(names),
        None => then.possible(names).or(otherwise.possible(names)),
    };
    chosen.failing_if(condition.fails)
}

fn called(function: Function, arguments: &[Tree], names: &impl Fn(Slot) -> Possible) -> Possible {
    let mut arguments = arguments.iter().map(|argument| argument.possible(names));
    let Some(first) = arguments.next() else { return Possible::ANY };
    match function {
        Function::Log2 | Function::Pow2 => call(function, first, first),
        _ => arguments.fold(first, |value, argument| call(function, value, argument)),
    }
}
