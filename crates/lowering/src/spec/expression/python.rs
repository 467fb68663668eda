//! Conditions of a spec in Python's syntax, for tuners that are driven from Python.
//!
//! Problem sizes and values of the GPU are written as numbers, and `let`s are expanded. Python rounds quotients down, a
//! spec rounds them towards zero: the possible values of each part show which divisions need a case distinction.

mod part;

use super::super::Spec;
use super::Expression;
use super::names::Slot;
use super::operators::{Binary, Function};
use super::possible::Possible;
use super::scope::{GpuNames, Scope};
use super::tree::{Kind, Tree};
use part::{Part, binary, called, guarded, negated, number, strength};

/// The most bytes of a condition; expanded `let`s can grow beyond it.
const LONGEST: usize = 10_000;

/// A writer of one spec's conditions in Python, for one GPU.
#[derive(Debug)]
pub struct Python<'a> {
    spec: &'a Spec,
    scope: Scope,
    /// The values of each parameter.
    values: Vec<Possible>,
}

impl<'a> Python<'a> {
    /// Returns a writer for conditions on the parameter values of `space`.
    #[must_use]
    pub fn new(spec: &'a Spec, gpu: &GpuNames, domains: &[Vec<i64>]) -> Self {
        let values = |domain: &Vec<i64>| Possible::among(domain).unwrap_or(Possible::ANY);
        Self { spec, scope: spec.base_scope(gpu), values: domains.iter().map(values).collect() }
    }

    /// Returns a condition; `None` if its text would be too long.
    #[must_use]
    pub fn condition(&self, condition: &Expression) -> Option<String> {
        self.part(condition.tree(), true).map(|part| part.text)
    }

    /// Returns the condition that the product of `factors` is at most `most`; `None` if its text would be too long.
    #[must_use]
    pub fn at_most(&self, factors: &[Expression], most: i64) -> Option<String> {
        let mut product = number(1);
        for factor in factors {
            let factor = self.part(factor.tree(), false)?;
            product = if product.text == "1" { factor } else { binary(Binary::Multiply, &product, &factor)? };
        }
        binary(Binary::AtMost, &product, &number(most)).map(|part| part.text)
    }

    /// Writes one part. `truth` is true if only the part's truth matters: `and` and `or` may then give an operand.
    fn part(&self, tree: &Tree, truth: bool) -> Option<Part> {
        let part = match &tree.kind {
            Kind::Number(value) => number(*value),
            // Constraints cannot contain decimals.
            Kind::Decimal(..) => return None,
            Kind::Name(slot) => self.name(*slot)?,
            Kind::Negate(operand) => negated(&self.part(operand, false)?),
            Kind::Not(operand) => {
                let operand = self.part(operand, true)?;
                let text = format!("not {}", operand.at_least(strength::NOT));
                let truth = operand.values.truth();
                let values = Possible::of_truth(None, false);
                truth.map_or(Part { text, strength: strength::NOT, values }, |truth| number((!truth).into()))
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
                values: *self.values.get(parameter)?,
            }),
        }
    }

    fn logical(&self, operator: Binary, operands: &[Tree; 2], truth: bool) -> Option<Part> {
        let (word, strength) = if operator == Binary::And { ("and", strength::AND) } else { ("or", strength::OR) };
        let left = self.part(&operands[0], true)?;
        let decisive = operator == Binary::Or;
        match left.values.truth() {
            Some(value) if value == decisive => return Some(number(value.into())),
            Some(_) if truth => return self.part(&operands[1], true),
            _ => {}
        }
        let right = self.part(&operands[1], true)?;
        let text = format!("{} {word} {}", left.at_least(strength), right.at_least(strength));
        let values = Possible::of_truth(None, false);
        Some(if truth {
            Part { text, strength, values }
        } else {
            Part { text: format!("bool({text})"), strength: strength::ATOM, values }
        })
    }

    fn choice(&self, parts: &[Tree; 3], truth: bool) -> Option<Part> {
        let condition = self.part(&parts[0], true)?;
        if let Some(holds) = condition.values.truth() {
            return self.part(&parts[if holds { 1 } else { 2 }], truth);
        }
        let (then, otherwise) = (self.part(&parts[1], truth)?, self.part(&parts[2], truth)?);
        let text = format!(
            "{} if {} else {}",
            then.at_least(strength::OR),
            condition.at_least(strength::OR),
            otherwise.at_least(strength::CHOICE)
        );
        Some(Part { text, strength: strength::CHOICE, values: then.values.or(otherwise.values) })
    }

    fn call(&self, function: Function, arguments: &[Tree]) -> Option<Part> {
        let arguments = arguments.iter().map(|tree| self.part(tree, false)).collect::<Option<Vec<_>>>()?;
        let first = arguments.first()?;
        let list = || arguments.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(", ");
        let (text, strength) = match (function, arguments.get(1)) {
            (Function::Min, _) => (format!("min({})", list()), strength::ATOM),
            (Function::Max, _) => (format!("max({})", list()), strength::ATOM),
            (Function::CeilDiv, Some(divisor)) => {
                // Rounding down the negated quotient rounds it up, whatever the signs.
                let (dividend, by) = (negated(first).at_least(strength::PRODUCT), divisor.at_least(strength::SIGN));
                let strength = if divisor.values.may_be_zero() { strength::CHOICE } else { strength::SIGN };
                (guarded(format!("-({dividend} // {by})"), divisor), strength)
            }
            (Function::FloorDiv, Some(divisor)) => return binary(Binary::FloorDivide, first, divisor),
            (Function::Log2, _) => (format!("({}).bit_length() - 1", first.text), strength::SUM),
            (Function::Pow2, _) => (format!("2 ** {}", first.at_least(strength::ATOM)), strength::SIGN),
            // Constraints cannot contain a mean.
            (Function::Mean, _) | (Function::CeilDiv | Function::FloorDiv, None) => return None,
        };
        let values = called(function, &arguments)?;
        Some(values.value().map_or(Part { text, strength, values }, number))
    }
}
