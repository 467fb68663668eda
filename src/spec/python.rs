//! Conditions of a spec as Python writes them, for tuners that are driven from it.
//!
//! What is known beforehand (problem sizes, the GPU) is put in as numbers, `let`s are written out, and the bounds of each part
//! decide how much of a division has to be written: Python rounds quotients down, a spec rounds them towards zero.

use super::expression::Expression;
use super::operators::{Binary, Function, ceil_div, log2, pow2};
use super::scope::{GpuNames, Scope, Slot};
use super::tree::{Kind, Tree};
use super::{Space, Spec};

/// A text of more bytes is given up: `let`s that are written out grow.
const LONGEST: usize = 10_000;

/// How strongly Python's operators bind.
mod strength {
    pub(super) const CHOICE: u8 = 0;
    pub(super) const OR: u8 = 1;
    pub(super) const AND: u8 = 2;
    pub(super) const NOT: u8 = 3;
    pub(super) const COMPARISON: u8 = 4;
    pub(super) const SUM: u8 = 5;
    pub(super) const PRODUCT: u8 = 6;
    pub(super) const SIGN: u8 = 7;
    pub(super) const ATOM: u8 = 9;
}

/// Writes conditions of one spec on one GPU.
#[derive(Debug)]
pub struct Python<'a> {
    spec: &'a Spec,
    scope: Scope,
    /// The least and the greatest value of each parameter.
    ends: Vec<Bounds>,
}

/// Bounds of a value, both included.
type Bounds = (i64, i64);

/// A part of a condition.
#[derive(Debug, Clone)]
struct Part {
    text: String,
    strength: u8,
    bounds: Bounds,
}

impl<'a> Python<'a> {
    /// For the values that a space's parameters have.
    #[must_use]
    pub fn new(spec: &'a Spec, gpu: &GpuNames, space: &Space) -> Self {
        let ends = |domain: &Vec<i64>| {
            (domain.iter().min().copied().unwrap_or(i64::MIN), domain.iter().max().copied().unwrap_or(i64::MAX))
        };
        Self { spec, scope: spec.base_scope(gpu), ends: space.domains().iter().map(ends).collect() }
    }

    /// A condition; none if it would be too long.
    #[must_use]
    pub fn condition(&self, condition: &Expression) -> Option<String> {
        self.part(condition.tree(), true).map(|part| part.text)
    }

    /// That a product is at most a number; none if it would be too long.
    #[must_use]
    pub fn at_most(&self, factors: &[Expression], most: i64) -> Option<String> {
        let mut product = number(1);
        for factor in factors {
            let factor = self.part(factor.tree(), false)?;
            product = if product.text == "1" { factor } else { binary(Binary::Multiply, &product, &factor)? };
        }
        binary(Binary::AtMost, &product, &number(most)).map(|part| part.text)
    }

    /// One part. Where only its truth matters, `and` and `or` may give an operand.
    fn part(&self, tree: &Tree, truth: bool) -> Option<Part> {
        let part = match &tree.kind {
            Kind::Number(value) => number(*value),
            Kind::Name(slot) => self.name(*slot)?,
            Kind::Negate(operand) => negated(&self.part(operand, false)?),
            Kind::Not(operand) => {
                let operand = self.part(operand, true)?;
                let text = format!("not {}", operand.at_least(strength::NOT));
                exact(operand.bounds)
                    .map_or(Part { text, strength: strength::NOT, bounds: (0, 1) }, |value| number((value == 0).into()))
            }
            Kind::Binary(operator @ (Binary::And | Binary::Or), operands) => {
                self.logical(*operator, operands, truth)?
            }
            Kind::Binary(operator, operands) => {
                binary(*operator, &self.part(&operands[0], false)?, &self.part(&operands[1], false)?)?
            }
            Kind::Choice(parts) => self.choice(parts, truth)?,
            Kind::Call(function, arguments) => self.call(*function, arguments)?,
        };
        (part.text.len() <= LONGEST).then_some(part)
    }

    fn name(&self, slot: Slot) -> Option<Part> {
        let names = &self.scope.names;
        if slot >= names.first_let() {
            return self.part(self.spec.lets.get(slot - names.first_let())?.1.tree(), false);
        }
        match slot.checked_sub(names.first_parameter()) {
            None => self.scope.values.get(slot).map(|value| number(*value)),
            Some(parameter) => Some(Part {
                text: names.name(slot)?.to_owned(),
                strength: strength::ATOM,
                bounds: *self.ends.get(parameter)?,
            }),
        }
    }

    fn logical(&self, operator: Binary, operands: &[Tree; 2], truth: bool) -> Option<Part> {
        let (word, strength) = if operator == Binary::And { ("and", strength::AND) } else { ("or", strength::OR) };
        let left = self.part(&operands[0], true)?;
        let decides = |value: i64| (value == 0) == (operator == Binary::And);
        match exact(left.bounds) {
            Some(value) if decides(value) => return Some(number((value != 0).into())),
            Some(_) if truth => return self.part(&operands[1], true),
            _ => {}
        }
        let right = self.part(&operands[1], true)?;
        let text = format!("{} {word} {}", left.at_least(strength), right.at_least(strength));
        let bounds = (0, 1);
        Some(if truth {
            Part { text, strength, bounds }
        } else {
            Part { text: format!("bool({text})"), strength: strength::ATOM, bounds }
        })
    }

    fn choice(&self, parts: &[Tree; 3], truth: bool) -> Option<Part> {
        let condition = self.part(&parts[0], true)?;
        if let Some(value) = exact(condition.bounds) {
            return self.part(&parts[if value == 0 { 2 } else { 1 }], truth);
        }
        let (then, otherwise) = (self.part(&parts[1], truth)?, self.part(&parts[2], truth)?);
        let text = format!(
            "{} if {} else {}",
            then.at_least(strength::OR),
            condition.at_least(strength::OR),
            otherwise.at_least(strength::CHOICE)
        );
        let bounds = (then.bounds.0.min(otherwise.bounds.0), then.bounds.1.max(otherwise.bounds.1));
        Some(Part { text, strength: strength::CHOICE, bounds })
    }

    fn call(&self, function: Function, arguments: &[Tree]) -> Option<Part> {
        let arguments = arguments.iter().map(|one| self.part(one, false)).collect::<Option<Vec<_>>>()?;
        let first = arguments.first()?;
        let list = || arguments.iter().map(|one| one.text.as_str()).collect::<Vec<_>>().join(", ");
        let lower = arguments.iter().map(|one| one.bounds.0);
        let upper = arguments.iter().map(|one| one.bounds.1);
        let (text, strength, bounds) = match (function, arguments.get(1)) {
            (Function::Min, _) => (format!("min({})", list()), strength::ATOM, (lower.min()?, upper.min()?)),
            (Function::Max, _) => (format!("max({})", list()), strength::ATOM, (lower.max()?, upper.max()?)),
            (Function::CeilDiv, Some(divisor)) => {
                // Rounding down the negated quotient rounds it up, whatever the signs.
                let quotient = format!(
                    "-({} // {})",
                    negated(first).at_least(strength::PRODUCT),
                    divisor.at_least(strength::SIGN)
                );
                let bounds = corners(first.bounds, divisor.bounds, |left, right| ceil_div(left, right).ok());
                (
                    guarded(quotient, divisor),
                    if may_be_zero(divisor) { strength::CHOICE } else { strength::SIGN },
                    bounds,
                )
            }
            (Function::Log2, _) => {
                let text = format!("({}).bit_length() - 1", first.text);
                (text, strength::SUM, ends(first.bounds, |value| log2(value).ok()))
            }
            (Function::Pow2, _) => {
                let text = format!("2 ** {}", first.at_least(strength::ATOM));
                (text, strength::SIGN, ends(first.bounds, |value| pow2(value).ok()))
            }
            (Function::CeilDiv, None) => return None,
        };
        Some(exact(bounds).map_or(Part { text, strength, bounds }, number))
    }
}

impl Part {
    /// Its text where an operator of this strength is around it.
    fn at_least(&self, strength: u8) -> String {
        if self.strength >= strength { self.text.clone() } else { format!("({})", self.text) }
    }
}

fn number(value: i64) -> Part {
    let strength = if value < 0 { strength::SIGN } else { strength::ATOM };
    Part { text: value.to_string(), strength, bounds: (value, value) }
}

fn negated(operand: &Part) -> Part {
    let bounds = match (operand.bounds.1.checked_neg(), operand.bounds.0.checked_neg()) {
        (Some(lower), Some(upper)) => (lower, upper),
        _ => ANY,
    };
    let text = format!("-{}", operand.at_least(strength::SIGN));
    exact(bounds).map_or(Part { text, strength: strength::SIGN, bounds }, number)
}

const ANY: Bounds = (i64::MIN, i64::MAX);

/// The value, if there is only one.
fn exact(bounds: Bounds) -> Option<i64> {
    (bounds.0 == bounds.1).then_some(bounds.0)
}

fn may_be_zero(part: &Part) -> bool {
    part.bounds.0 <= 0 && part.bounds.1 >= 0
}

/// A configuration for which a divisor is 0 is excluded by another condition, but Python may come to this one first.
fn guarded(quotient: String, divisor: &Part) -> String {
    if may_be_zero(divisor) { format!("{quotient} if {} else 0", divisor.at_least(strength::OR)) } else { quotient }
}

/// Any operator but `and` and `or`.
fn binary(operator: Binary, left: &Part, right: &Part) -> Option<Part> {
    if let (Some(left), Some(right)) = (exact(left.bounds), exact(right.bounds))
        && let Ok(value) = operator.apply(left, right)
    {
        return Some(number(value));
    }
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
        Binary::Divide => return Some(divided("//", operator, left, right)),
        Binary::Remainder => return Some(divided("%", operator, left, right)),
        Binary::DivideExactly => return Some(of_python("/", operator, left, right)),
        Binary::FloorDivide => return Some(of_python("//", operator, left, right)),
        Binary::FloorRemainder => return Some(of_python("%", operator, left, right)),
        Binary::Power => {
            let text = format!("{} ** {}", left.at_least(strength::ATOM), right.at_least(strength::ATOM));
            return Some(Part { text, strength: strength::SIGN, bounds: ANY });
        }
        Binary::And | Binary::Or => return None,
    };
    let bounds = bounds(operator, left.bounds, right.bounds);
    if let Some(value) = exact(bounds) {
        return Some(number(value));
    }
    // `a < b < c` is one condition to Python, and other operators are read from left to right.
    let left_strength = if strength == strength::COMPARISON { strength + 1 } else { strength };
    let text = format!("{} {sign} {}", left.at_least(left_strength), right.at_least(strength + 1));
    Some(Part { text, strength, bounds })
}

/// A quotient or a remainder that is Python's own.
fn of_python(sign: &str, operator: Binary, left: &Part, right: &Part) -> Part {
    let bounds = bounds(operator, left.bounds, right.bounds);
    let text = format!("{} {sign} {}", left.at_least(strength::PRODUCT), right.at_least(strength::SIGN));
    if may_be_zero(right) {
        Part { text: guarded(text, right), strength: strength::CHOICE, bounds: ANY }
    } else {
        Part { text, strength: strength::PRODUCT, bounds }
    }
}

/// A quotient or a remainder, rounded towards zero.
fn divided(sign: &str, operator: Binary, left: &Part, right: &Part) -> Part {
    let bounds = bounds(operator, left.bounds, right.bounds);
    let (dividend, divisor) = (left.at_least(strength::PRODUCT), right.at_least(strength::SIGN));
    let plain = format!("{dividend} {sign} {divisor}");
    if left.bounds.0 >= 0 && right.bounds.0 > 0 {
        return Part { text: plain, strength: strength::PRODUCT, bounds };
    }
    let text = if left.bounds.0 >= 0 && right.bounds.0 >= 0 {
        plain
    } else {
        let (below, negative) = (left.at_least(strength::SUM), negated(left).at_least(strength::PRODUCT));
        let other = right.at_least(strength::SUM);
        format!("{plain} if ({below} < 0) == ({other} < 0) else -({negative} {sign} {divisor})")
    };
    let text =
        if may_be_zero(right) { format!("0 if {} == 0 else {text}", right.at_least(strength::SUM)) } else { text };
    let bounds = if may_be_zero(right) { ANY } else { bounds };
    Part { text, strength: strength::CHOICE, bounds }
}

fn bounds(operator: Binary, left: Bounds, right: Bounds) -> Bounds {
    let at = |left, right| operator.apply(left, right).ok();
    match operator {
        Binary::Add | Binary::Multiply => corners(left, right, at),
        Binary::Subtract => corners(left, right, at),
        Binary::Divide | Binary::FloorDivide if right.0 > 0 || right.1 < 0 => corners(left, right, at),
        Binary::Remainder | Binary::FloorRemainder if left.0 >= 0 && right.0 > 0 => (0, left.1.min(right.1 - 1)),
        Binary::Divide
        | Binary::Remainder
        | Binary::DivideExactly
        | Binary::FloorDivide
        | Binary::FloorRemainder
        | Binary::Power => ANY,
        // Always or never, if it is so at all corners of what is monotone.
        Binary::Less | Binary::AtMost | Binary::Greater | Binary::AtLeast => corners(left, right, at),
        _ if left.1 < right.0 || left.0 > right.1 => {
            let value = i64::from(operator == Binary::Unequal);
            (value, value)
        }
        _ => (0, 1),
    }
}

/// Bounds of what has its extremes where its operands have theirs.
fn corners(left: Bounds, right: Bounds, at: impl Fn(i64, i64) -> Option<i64>) -> Bounds {
    let corners = [(left.0, right.0), (left.0, right.1), (left.1, right.0), (left.1, right.1)];
    let values = corners.map(|(left, right)| at(left, right)).into_iter().collect::<Option<Vec<_>>>();
    let values = values.filter(|_| right.0 > 0 || right.1 < 0 || at(1, 0).is_some());
    values.and_then(|values| Some((*values.iter().min()?, *values.iter().max()?))).unwrap_or(ANY)
}

/// Bounds of what rises.
fn ends(bounds: Bounds, at: impl Fn(i64) -> Option<i64>) -> Bounds {
    at(bounds.0).zip(at(bounds.1)).unwrap_or(ANY)
}
