//! A part of a condition: its text, and the values that it may have.

use super::super::operators::Binary;

/// A language of conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConditionSyntax {
    /// C and `OpenCL` C, with sizes of 64 bits.
    C,
    /// Python.
    Python,
}

/// A form of a text, by the parentheses that it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// No parentheses as an operand.
    Atom,
    /// A sum, a product or a quotient, which needs none in a comparison.
    Arithmetic,
    /// Parentheses everywhere.
    Other,
}

/// A part of a condition.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) text: String,
    pub(super) form: Form,
    /// True if the text has the type `int` in C, of 32 bits.
    pub(super) is_int: bool,
    /// True if the value is 1 or 0 (or Python's `True` or `False`).
    pub(super) is_truth: bool,
    /// A lower bound of the value.
    pub(super) least: i64,
    /// An upper bound of the value.
    pub(super) most: i64,
    /// The value, if it does not depend on sizes.
    pub(super) value: Option<i64>,
}

impl Part {
    pub(super) fn number(value: i64) -> Self {
        Self {
            form: if value >= 0 { Form::Atom } else { Form::Other },
            is_truth: value == 0 || value == 1,
            value: Some(value),
            is_int: are_int([value, value]),
            ..Self::new(value.to_string(), [value, value])
        }
    }

    /// A part whose value lies between two bounds.
    pub(super) fn new(text: String, [least, most]: [i64; 2]) -> Self {
        Self { text, form: Form::Other, is_int: false, is_truth: false, least, most, value: None }
    }

    pub(super) fn truth(text: String) -> Self {
        Self { is_truth: true, is_int: true, ..Self::new(text, [0, 1]) }
    }

    pub(super) fn operand(&self) -> String {
        if self.form == Form::Atom { self.text.clone() } else { format!("({})", self.text) }
    }
}

/// The first part if the condition holds, else the second.
pub(super) fn chosen(condition: &str, then: &Part, otherwise: &Part, language: ConditionSyntax) -> Part {
    let (one, two) = (then.operand(), otherwise.operand());
    let text = match language {
        ConditionSyntax::C => format!("{condition} ? {one} : {two}"),
        ConditionSyntax::Python => format!("{one} if {condition} else {two}"),
    };
    let bounds = [then.least.min(otherwise.least), then.most.max(otherwise.most)];
    let is_int = then.is_int && otherwise.is_int;
    Part { is_truth: then.is_truth && otherwise.is_truth, is_int, ..Part::new(text, bounds) }
}

/// An operator of two operands; `None` if its value is not certain to be the same in all languages: a value that 64 bits
/// may not hold, or a quotient of what may be negative.
pub(super) fn binary(operator: Binary, left: &Part, right: &Part, language: ConditionSyntax) -> Option<Part> {
    if let (Some(left), Some(right)) = (left.value, right.value) {
        return operator.apply(left, right).ok().map(Part::number);
    }
    let (sign, bounds) = match operator {
        Binary::Add => ("+", [left.least.checked_add(right.least)?, left.most.checked_add(right.most)?]),
        Binary::Subtract => ("-", [left.least.checked_sub(right.most)?, left.most.checked_sub(right.least)?]),
        Binary::Multiply => ("*", products(left, right)?),
        // Rounding is the same for counts alone, and the divisor must not be 0.
        Binary::Divide | Binary::FloorDivide | Binary::Remainder | Binary::FloorRemainder
            if left.least < 0 || right.least < 1 =>
        {
            return None;
        }
        Binary::Divide | Binary::FloorDivide => {
            let sign = if language == ConditionSyntax::C { "/" } else { "//" };
            (sign, [left.least / right.most, left.most / right.least])
        }
        Binary::Remainder | Binary::FloorRemainder => ("%", [0, left.most.min(right.most - 1)]),
        Binary::DivideExactly | Binary::Power | Binary::And | Binary::Or => return None,
        Binary::Equal => return Some(compared("==", left, right)),
        Binary::Unequal => return Some(compared("!=", left, right)),
        Binary::Less => return Some(compared("<", left, right)),
        Binary::AtMost => return Some(compared("<=", left, right)),
        Binary::Greater => return Some(compared(">", left, right)),
        Binary::AtLeast => return Some(compared(">=", left, right)),
    };
    let text = format!("{} {sign} {}", left.operand(), right.operand());
    let is_int = left.is_int && right.is_int;
    (!is_int || are_int(bounds)).then_some(Part { form: Form::Arithmetic, is_int, ..Part::new(text, bounds) })
}

/// True if C's type `int` holds all values between two bounds.
fn are_int(bounds: [i64; 2]) -> bool {
    bounds.into_iter().all(|bound| i32::try_from(bound).is_ok())
}

/// The bounds of a product; `None` if 64 bits may not hold it.
fn products(left: &Part, right: &Part) -> Option<[i64; 2]> {
    let ends = [left.least, left.most].into_iter().flat_map(|one| [right.least, right.most].map(|two| (one, two)));
    let products = ends.map(|(one, two)| one.checked_mul(two)).collect::<Option<Vec<_>>>()?;
    Some([*products.iter().min()?, *products.iter().max()?])
}

fn compared(sign: &str, left: &Part, right: &Part) -> Part {
    let shown = |part: &Part| if part.form == Form::Arithmetic { part.text.clone() } else { part.operand() };
    Part::truth(format!("{} {sign} {}", shown(left), shown(right)))
}
