//! The values that an expression can take while some of its names still have several.
//!
//! A set of values is known by its ends and by the distance of its members, as in "every 4th integer from 8 to 64". It
//! lacks no value that the expression takes, and may hold others. Evaluation that can fail is marked, so that a caller
//! can leave every error to the exact evaluation.

mod operators;
#[cfg(test)]
mod tests;
mod values;

use super::names::Slot;
use super::operators::{Binary, Function, exact_div};
use super::tree::{Kind, Tree};
pub(super) use operators::{binary, call, negated};
pub(crate) use values::Possible;

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
