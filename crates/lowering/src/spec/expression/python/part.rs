//! The parts of a condition in Python: their text, its strength of binding and their possible values.

use super::super::operators::{Binary, Function};
use super::super::possible::{self, Possible};

/// Python's operators by their strength of binding, the weakest first.
pub(super) mod strength {
    pub(in crate::spec::expression::python) const CHOICE: u8 = 0;
    pub(in crate::spec::expression::python) const OR: u8 = 1;
    pub(in crate::spec::expression::python) const AND: u8 = 2;
    pub(in crate::spec::expression::python) const NOT: u8 = 3;
    pub(in crate::spec::expression::python) const COMPARISON: u8 = 4;
    pub(in crate::spec::expression::python) const SUM: u8 = 5;
    pub(in crate::spec::expression::python) const PRODUCT: u8 = 6;
    pub(in crate::spec::expression::python) const SIGN: u8 = 7;
    pub(in crate::spec::expression::python) const ATOM: u8 = 9;
}

#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) text: String,
    pub(super) strength: u8,
    pub(super) values: Possible,
}

impl Part {
    /// The text as an operand of an operator of this strength: in parentheses if the part binds weaker.
    pub(super) fn at_least(&self, strength: u8) -> String {
        if self.strength >= strength { self.text.clone() } else { format!("({})", self.text) }
    }
}

pub(super) fn number(value: i64) -> Part {
    let strength = if value < 0 { strength::SIGN } else { strength::ATOM };
    Part { text: value.to_string(), strength, values: Possible::one(value) }
}

pub(super) fn negated(operand: &Part) -> Part {
    let values = settled(possible::negated(operand.values));
    let text = format!("-{}", operand.at_least(strength::SIGN));
    values.value().map_or(Part { text, strength: strength::SIGN, values }, number)
}

/// The values of a part that Python evaluates without a failure: all of them where an expression may fail, since Python's
/// numbers have no limit and quotients are guarded.
fn settled(values: Possible) -> Possible {
    if values.fails { Possible { fails: false, ..Possible::ANY } } else { values }
}

/// The values of a function of some arguments.
pub(super) fn called(function: Function, arguments: &[Part]) -> Option<Possible> {
    let mut arguments = arguments.iter().map(|argument| argument.values);
    let first = arguments.next()?;
    Some(settled(match function {
        Function::Log2 | Function::Pow2 => possible::call(function, first, first),
        _ => arguments.fold(first, |values, argument| possible::call(function, values, argument)),
    }))
}

/// Guards a quotient against a divisor of 0. Another condition excludes such a configuration, but Python may evaluate
/// this one first.
pub(super) fn guarded(quotient: String, divisor: &Part) -> String {
    if divisor.values.may_be_zero() {
        format!("{quotient} if {} else 0", divisor.at_least(strength::OR))
    } else {
        quotient
    }
}

/// Writes any operator but `and` and `or`.
pub(super) fn binary(operator: Binary, left: &Part, right: &Part) -> Option<Part> {
    if let (Some(left), Some(right)) = (left.values.value(), right.values.value())
        && let Ok(value) = operator.apply(left, right)
    {
        return Some(number(value));
    }
    let values = settled(possible::binary(operator, left.values, right.values));
    let (sign, strength) = match operator {
        Binary::Equal => ("==", strength::COMPARISON),
        Binary::Unequal => ("!=", strength::COMPARISON),
        Binary::Less => ("<", strength::COMPARISON),
        Binary::AtMost => ("<=", strength::COMPARISON),
        Binary::Greater => (">", strength::COMPARISON),
        Binary::AtLeast => (">=", strength::COMPARISON),
        Binary::Add => ("+", strength::SUM),
        Binary::Subtract => ("-", strength::SUM),
        Binary::Multiply => ("*", strength::PRODUCT),
        Binary::Divide => return Some(divided("//", values, left, right)),
        Binary::Remainder => return Some(divided("%", values, left, right)),
        Binary::DivideExactly => return Some(of_python("/", values, left, right)),
        Binary::FloorDivide => return Some(of_python("//", values, left, right)),
        Binary::FloorRemainder => return Some(of_python("%", values, left, right)),
        Binary::Power => {
            let text = format!("{} ** {}", left.at_least(strength::ATOM), right.at_least(strength::ATOM));
            return Some(Part { text, strength: strength::SIGN, values });
        }
        Binary::And | Binary::Or => return None,
    };
    if let Some(value) = values.value() {
        return Some(number(value));
    }
    // `a < b < c` is one condition to Python, and other operators are read from left to right.
    let left_strength = if strength == strength::COMPARISON { strength + 1 } else { strength };
    let text = format!("{} {sign} {}", left.at_least(left_strength), right.at_least(strength + 1));
    Some(Part { text, strength, values })
}

/// Writes a quotient or a remainder with Python's rounding.
fn of_python(sign: &str, values: Possible, left: &Part, right: &Part) -> Part {
    let text = format!("{} {sign} {}", left.at_least(strength::PRODUCT), right.at_least(strength::SIGN));
    if right.values.may_be_zero() {
        Part { text: guarded(text, right), strength: strength::CHOICE, values }
    } else {
        Part { text, strength: strength::PRODUCT, values }
    }
}

/// Writes a quotient or a remainder that is rounded towards zero.
fn divided(sign: &str, values: Possible, left: &Part, right: &Part) -> Part {
    let (dividend, divisor) = (left.at_least(strength::PRODUCT), right.at_least(strength::SIGN));
    let plain = format!("{dividend} {sign} {divisor}");
    if left.values.least >= 0 && right.values.least > 0 {
        return Part { text: plain, strength: strength::PRODUCT, values };
    }
    let text = if left.values.least >= 0 && right.values.least >= 0 {
        plain
    } else {
        let (below, negative) = (left.at_least(strength::SUM), negated(left).at_least(strength::PRODUCT));
        let other = right.at_least(strength::SUM);
        format!("{plain} if ({below} < 0) == ({other} < 0) else -({negative} {sign} {divisor})")
    };
    let text = if right.values.may_be_zero() {
        format!("0 if {} == 0 else {text}", right.at_least(strength::SUM))
    } else {
        text
    };
    Part { text, strength: strength::CHOICE, values }
}
