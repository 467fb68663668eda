//! The conditions of one configuration as conditions of problem sizes, in C and in Python.
//!
//! Parameters and values of the GPU are written as numbers, `let`s are expanded, and every problem size counts as at least
//! 1: then C, Python and a spec round quotients alike. A condition that may round otherwise is not written.

use super::super::Spec;
use super::super::configuration::Configuration;
use super::names::{GPU_NAMES, Slot};
use super::operators::{Binary, Function};
use super::scope::{GpuNames, Scope};
use super::tree::{Kind, Tree};

/// The most bytes of a condition; expanded `let`s can grow beyond it.
const LONGEST: usize = 2_000;

/// A language of conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionSyntax {
    /// C and `OpenCL` C, whose `long` has 64 bits.
    C,
    /// Python.
    Python,
}

/// A writer of the conditions of one configuration on one GPU.
#[derive(Debug)]
pub struct SizeConditions<'a> {
    spec: &'a Spec,
    scope: Scope,
}

/// A part of a condition.
#[derive(Debug, Clone)]
struct Part {
    text: String,
    /// True if the text needs no parentheses as an operand.
    is_atom: bool,
    /// True if the text is a sum, a product or a quotient, which needs no parentheses in a comparison.
    is_arithmetic: bool,
    /// True if the value is 1 or 0 (or Python's `True` or `False`).
    is_truth: bool,
    /// A lower bound of the value.
    least: i64,
    /// The value, if it does not depend on sizes.
    value: Option<i64>,
}

impl Part {
    fn number(value: i64) -> Self {
        Self {
            text: value.to_string(),
            is_atom: value >= 0,
            is_arithmetic: false,
            is_truth: value == 0 || value == 1,
            least: value,
            value: Some(value),
        }
    }

    fn new(text: String, least: i64) -> Self {
        Self { text, is_atom: false, is_arithmetic: false, is_truth: false, least, value: None }
    }

    fn operand(&self) -> String {
        if self.is_atom { self.text.clone() } else { format!("({})", self.text) }
    }
}

impl<'a> SizeConditions<'a> {
    /// Returns a writer for one configuration.
    #[must_use]
    pub fn new(spec: &'a Spec, gpu: &GpuNames, configuration: &Configuration) -> Self {
        let mut scope = spec.base_scope(gpu);
        scope.configure(configuration);
        Self { spec, scope }
    }

    /// Returns the spec's constraints, without those that always hold or stand before; `None` if one cannot be written.
    #[must_use]
    pub fn conditions(&self, language: ConditionSyntax) -> Option<Vec<String>> {
        let mut conditions = Vec::new();
        for constraint in &self.spec.constraints {
            let part = self.part(constraint.tree(), language)?;
            if part.value.is_none_or(|value| value == 0) && !conditions.contains(&part.text) {
                conditions.push(part.text);
            }
        }
        Some(conditions)
    }

    fn part(&self, tree: &Tree, language: ConditionSyntax) -> Option<Part> {
        let part = match &tree.kind {
            Kind::Number(value) => Part::number(*value),
            Kind::Decimal(..) => return None,
            Kind::Name(slot) => self.name(*slot, language)?,
            Kind::Negate(operand) => {
                let operand = self.part(operand, language)?;
                match operand.value {
                    Some(value) => Part::number(value.checked_neg()?),
                    None => Part::new(format!("-{}", operand.operand()), i64::MIN),
                }
            }
            Kind::Not(operand) => {
                let operand = self.part(operand, language)?;
                match operand.value {
                    Some(value) => Part::number((value == 0).into()),
                    None => truth(format!("{} == 0", operand.operand())),
                }
            }
            Kind::Binary(operator @ (Binary::And | Binary::Or), operands) => {
                self.logical(*operator, operands, language)?
            }
            Kind::Binary(operator, operands) => {
                binary(*operator, &self.part(&operands[0], language)?, &self.part(&operands[1], language)?, language)?
            }
            Kind::Choice(parts) => self.choice(parts, language)?,
            Kind::Call(function, arguments) => self.call(*function, arguments, language)?,
        };
        (part.text.len() <= LONGEST).then_some(part)
    }

    fn name(&self, slot: Slot, language: ConditionSyntax) -> Option<Part> {
        let names = &self.scope.names;
        if slot >= names.first_let() {
            return self.part(self.spec.lets.get(slot - names.first_let())?.1.tree(), language);
        }
        if (GPU_NAMES.len()..names.first_parameter()).contains(&slot) {
            return Some(Part { is_atom: true, ..Part::new(names.name(slot)?.to_owned(), 1) });
        }
        self.scope.values.get(slot).map(|value| Part::number(*value))
    }

    fn logical(&self, operator: Binary, operands: &[Tree; 2], language: ConditionSyntax) -> Option<Part> {
        let is_decisive = |value: i64| (value != 0) == (operator == Binary::Or);
        let left = self.part(&operands[0], language)?;
        if left.value.is_some_and(is_decisive) {
            return Some(Part::number((operator == Binary::Or).into()));
        }
        let right = self.part(&operands[1], language)?;
        let shown = |part: &Part| if part.is_truth { part.operand() } else { format!("({} != 0)", part.operand()) };
        let word = match (language, operator) {
            (ConditionSyntax::C, Binary::And) => "&&",
            (ConditionSyntax::C, _) => "||",
            (ConditionSyntax::Python, Binary::And) => "and",
            (ConditionSyntax::Python, _) => "or",
        };
        Some(match (left.value, right.value) {
            (Some(_), Some(value)) => Part::number((value != 0).into()),
            (Some(_), None) => truth(format!("{} != 0", right.operand())),
            // A right operand that decides does so only if the left one has a value.
            _ => truth(format!("{} {word} {}", shown(&left), shown(&right))),
        })
    }

    fn choice(&self, parts: &[Tree; 3], language: ConditionSyntax) -> Option<Part> {
        let condition = self.part(&parts[0], language)?;
        if let Some(value) = condition.value {
            return self.part(&parts[if value == 0 { 2 } else { 1 }], language);
        }
        let [then, otherwise] = [self.part(&parts[1], language)?, self.part(&parts[2], language)?];
        Some(chosen(&condition.operand(), &then, &otherwise, language))
    }

    fn call(&self, function: Function, arguments: &[Tree], language: ConditionSyntax) -> Option<Part> {
        let arguments = arguments.iter().map(|tree| self.part(tree, language)).collect::<Option<Vec<_>>>()?;
        let (first, others) = arguments.split_first()?;
        if let (Some(one), Some(two), Some(divide)) =
            (first.value, others.first().and_then(|other| other.value), function.division())
        {
            return divide(one, two).ok().map(Part::number);
        }
        match function {
            Function::Min | Function::Max => others.iter().try_fold(first.clone(), |one, two| {
                if let (Some(one), Some(two)) = (one.value, two.value) {
                    return Some(Part::number(if function == Function::Min { one.min(two) } else { one.max(two) }));
                }
                let sign = if function == Function::Min { "<" } else { ">" };
                let part = chosen(&format!("({} {sign} {})", one.operand(), two.operand()), &one, two, language);
                let least = if function == Function::Max { one.least.max(two.least) } else { part.least };
                (part.text.len() <= LONGEST).then_some(Part { least, ..part })
            }),
            Function::FloorDiv => binary(Binary::Divide, first, others.first()?, language),
            Function::CeilDiv => {
                let below = binary(Binary::Subtract, others.first()?, &Part::number(1), language)?;
                let below = Part { least: others.first()?.least.checked_sub(1)?, ..below };
                binary(Binary::Divide, &binary(Binary::Add, first, &below, language)?, others.first()?, language)
            }
            Function::Log2 => super::operators::log2(first.value?).ok().map(Part::number),
            Function::Pow2 => super::operators::pow2(first.value?).ok().map(Part::number),
            Function::Mean => None,
        }
    }
}

fn truth(text: String) -> Part {
    Part { is_truth: true, ..Part::new(text, 0) }
}

/// The first part if the condition holds, else the second.
fn chosen(condition: &str, then: &Part, otherwise: &Part, language: ConditionSyntax) -> Part {
    let (one, two) = (then.operand(), otherwise.operand());
    let text = match language {
        ConditionSyntax::C => format!("{condition} ? {one} : {two}"),
        ConditionSyntax::Python => format!("{one} if {condition} else {two}"),
    };
    Part { is_truth: then.is_truth && otherwise.is_truth, ..Part::new(text, then.least.min(otherwise.least)) }
}

/// An operator of two operands; `None` if its value is not certain to be the same in all languages.
fn binary(operator: Binary, left: &Part, right: &Part, language: ConditionSyntax) -> Option<Part> {
    if let (Some(left), Some(right)) = (left.value, right.value) {
        return operator.apply(left, right).ok().map(Part::number);
    }
    let are_counts = left.least >= 0 && right.least >= 0;
    let (sign, least) = match operator {
        Binary::Add if are_counts => ("+", left.least.saturating_add(right.least)),
        Binary::Add => ("+", i64::MIN),
        Binary::Subtract => ("-", i64::MIN),
        Binary::Multiply if are_counts => ("*", left.least.saturating_mul(right.least)),
        Binary::Multiply => ("*", i64::MIN),
        // Rounding is the same for counts alone, and the divisor must not be 0.
        Binary::Divide | Binary::FloorDivide | Binary::Remainder | Binary::FloorRemainder
            if left.least < 0 || right.least < 1 =>
        {
            return None;
        }
        Binary::Divide | Binary::FloorDivide => (if language == ConditionSyntax::C { "/" } else { "//" }, 0),
        Binary::Remainder | Binary::FloorRemainder => ("%", 0),
        Binary::DivideExactly | Binary::Power | Binary::And | Binary::Or => return None,
        Binary::Equal => return Some(compared("==", left, right)),
        Binary::Unequal => return Some(compared("!=", left, right)),
        Binary::Less => return Some(compared("<", left, right)),
        Binary::AtMost => return Some(compared("<=", left, right)),
        Binary::Greater => return Some(compared(">", left, right)),
        Binary::AtLeast => return Some(compared(">=", left, right)),
    };
    let text = format!("{} {sign} {}", left.operand(), right.operand());
    Some(Part { is_arithmetic: true, ..Part::new(text, least) })
}

fn compared(sign: &str, left: &Part, right: &Part) -> Part {
    let shown = |part: &Part| if part.is_arithmetic { part.text.clone() } else { part.operand() };
    truth(format!("{} {sign} {}", shown(left), shown(right)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "
kernel: sized
problem: { n: 64, m: 32 }
parameters: { A: { values: [4, 6] }, B: { values: [1, 2] } }
let: { tiles: 'ceil_div(n, A)' }
constraints: [CONDITION]
launch: { work_items: 64, work_group: 4 }
body: [ barrier ]
";

    fn written(condition: &str) -> Option<[Vec<String>; 2]> {
        let spec = Spec::parse(&SPEC.replace("CONDITION", &format!("'{condition}'")), "sized").unwrap();
        let gpu = GpuNames {
            multiprocessors: 8,
            warp_size: 32,
            local_memory: 49152,
            max_work_group: 1024,
            register_limit: 255,
            amd: 0,
        };
        let writer = SizeConditions::new(&spec, &gpu, &Configuration(vec![4, 2]));
        Some([writer.conditions(ConditionSyntax::C)?, writer.conditions(ConditionSyntax::Python)?])
    }

    #[test]
    fn conditions_are_of_sizes_alone() {
        for (condition, c, python) in [
            ("n % A == 0", "n % 4 == 0", "n % 4 == 0"),
            ("tiles >= B && m > 1", "((n + 3) / 4 >= 2) && (m > 1)", "((n + 3) // 4 >= 2) and (m > 1)"),
            ("min(n, m) > gpu.warp_size", "((n < m) ? n : m) > 32", "(n if (n < m) else m) > 32"),
            ("A == 6 || !(n < m)", "((n < m) == 0) != 0", "((n < m) == 0) != 0"),
        ] {
            assert_eq!(written(condition).unwrap(), [[c], [python]], "{condition}");
        }
        assert_eq!(written("A * B < 9 || n > 3"), Some([vec![], vec![]]));
        assert_eq!(written("A < B"), Some([vec!["0".to_owned()], vec!["0".to_owned()]]));
    }

    #[test]
    fn what_may_round_otherwise_is_not_written() {
        for condition in ["(n - 100) / 7 < 3", "n % (m - 32) == 0", "log2(n) > 3"] {
            assert_eq!(written(condition), None, "{condition}");
        }
    }
}
