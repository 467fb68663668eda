//! The parts of a condition in Python: their text, its strength of binding and the bounds of their values.

use super::super::operators::Binary;

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

/// Bounds of a value, both included.
pub(super) type Bounds = (i64, i64);

#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) text: String,
    pub(super) strength: u8,
    pub(super) bounds: Bounds,
}

impl Part {
    /// The text as an operand of an operator of this strength: in parentheses if the part binds weaker.
    pub(super) fn at_least(&self, strength: u8) -> String {
        if self.strength >= strength { self.text.clone() } else { format!("({})", self.text) }
    }
}

pub(super) fn number(value: i64) -> Part {
    let strength = if value < 0 { strength::SIGN } else { strength::ATOM };
    Part { text: value.to_string(), strength, bounds: (value, value) }
}

pub(super) fn negated(operand: &Part) -> Part {
    let bounds = match (operand.bounds.1.checked_neg(), operand.bounds.0.checked_neg()) {
        (Some(lower), Some(upper)) => (lower, upper),
        _ => ANY,
    };
    let text = format!("-{}", operand.at_least(strength::SIGN));
    exact(bounds).map_or(Part { text, strength: strength::SIGN, bounds }, number)
}

const ANY: Bounds = (i64::MIN, i64::MAX);

/// The value, if the bounds hold only one.
pub(super) fn exact(bounds: Bounds) -> Option<i64> {
    (bounds.0 == bounds.1).then_some(bounds.0)
}

pub(super) fn may_be_zero(part: &Part) -> bool {
    part.bounds.0 <= 0 && part.bounds.1 >= 0
}

/// Guards a quotient against a divisor of 0. Another condition excludes such a configuration, but Python may evaluate
/// this one first.
pub(super) fn guarded(quotient: String, divisor: &Part) -> String {
    if may_be_zero(divisor) { format!("{quotient} if {} else 0", divisor.at_least(strength::OR)) } else { quotient }
}

/// Writes any operator but `and` and `or`.
pub(super) fn binary(operator: Binary, left: &Part, right: &Part) -> Option<Part> {
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

/// Writes a quotient or a remainder with Python's rounding.
fn of_python(sign: &str, operator: Binary, left: &Part, right: &Part) -> Part {
    let bounds = bounds(operator, left.bounds, right.bounds);
    let text = format!("{} {sign} {}", left.at_least(strength::PRODUCT), right.at_least(strength::SIGN));
    if may_be_zero(right) {
        Part { text: guarded(text, right), strength: strength::CHOICE, bounds: ANY }
    } else {
        Part { text, strength: strength::PRODUCT, bounds }
    }
}

/// Writes a quotient or a remainder that is rounded towards zero.
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
        // A comparison has one value everywhere if it has that value at all corners.
        Binary::Add
        | Binary::Subtract
        | Binary::Multiply
        | Binary::Less
        | Binary::AtMost
        | Binary::Greater
        | Binary::AtLeast => corners(left, right, at),
        Binary::Divide | Binary::FloorDivide if right.0 > 0 || right.1 < 0 => corners(left, right, at),
        Binary::Remainder | Binary::FloorRemainder if left.0 >= 0 && right.0 > 0 => (0, left.1.min(right.1 - 1)),
        Binary::Divide
        | Binary::Remainder
        | Binary::DivideExactly
        | Binary::FloorDivide
        | Binary::FloorRemainder
        | Binary::Power => ANY,
        _ if left.1 < right.0 || left.0 > right.1 => {
            let value = i64::from(operator == Binary::Unequal);
            (value, value)
        }
        _ => (0, 1),
    }
}

/// The bounds of an operation whose extremes lie at the corners of its operands' bounds.
pub(super) fn corners(left: Bounds, right: Bounds, at: impl Fn(i64, i64) -> Option<i64>) -> Bounds {
    let corners = [(left.0, right.0), (left.0, right.1), (left.1, right.0), (left.1, right.1)];
    let values = corners.map(|(left, right)| at(left, right)).into_iter().collect::<Option<Vec<_>>>();
    let values = values.filter(|_| right.0 > 0 || right.1 < 0 || at(1, 0).is_some());
    values.and_then(|values| Some((*values.iter().min()?, *values.iter().max()?))).unwrap_or(ANY)
}

/// The bounds of an increasing function.
pub(super) fn ends(bounds: Bounds, at: impl Fn(i64) -> Option<i64>) -> Bounds {
    at(bounds.0).zip(at(bounds.1)).unwrap_or(ANY)
}
