//! The values of registers, of predicates and of results of inline assembly.

use super::super::ids::id_of_register;
use super::super::state::Run;
use super::Text;
use crate::source::ir::{AddressSpace, AssemblyOperand, AssemblyStatement, Predicate, Predicated};
use crate::source::value::{Known, Mask, Value};

impl Run<'_> {
    /// `setp.ne p, a, b`.
    pub(super) fn compare(&mut self, text: &mut Text, equal: bool, statement: &AssemblyStatement, mask: &Mask) {
        let [AssemblyOperand::Register(to), one, other] = &statement.operands[..] else { return };
        let (one, other) = (self.value(text, one), self.value(text, other));
        let Some(mut part) = self.unequal(&one, &other, mask) else { return };
        if equal {
            let mut rest = mask.clone();
            rest.difference_with(&part);
            part = rest;
        }
        text.predicates.insert(to.clone(), part);
    }

    /// The work items whose two integers differ; `None` if it is not known.
    pub(super) fn unequal(&mut self, one: &Value, other: &Value, mask: &Mask) -> Option<Mask> {
        let truth = self.arithmetic().compare(Predicate::Ne, 32, one, other, mask).without_data();
        let Value::Known(truth) = truth else { return None };
        self.walk_if_uneven(&truth);
        let mut part = mask.clone();
        mask.ones().for_each(|lane| part.set(lane, truth.base.at(lane, &self.shape) != 0));
        Some(part)
    }

    /// The work items of a mask that a predicate lets take part, and true; all of them and false if it is not known.
    pub(super) fn part(&mut self, text: &Text, predicate: Option<&Predicated>, mask: &Mask) -> (Mask, bool) {
        let mut part = mask.clone();
        let Some(Predicated { of, negated }) = predicate else { return (part, true) };
        let known = match of {
            AssemblyOperand::Register(name) => text.predicates.get(name).cloned(),
            of => {
                let value = self.value(text, of);
                self.unequal(&value, &Value::constant(0), mask)
            }
        };
        let is_sure = known.is_some();
        match known {
            Some(some) if *negated => part.difference_with(&some),
            Some(some) => part.intersect_with(&some),
            None => {}
        }
        (part, is_sure)
    }

    /// Takes the values of a load: those that an array is assumed to hold, or unknown ones.
    pub(super) fn take_loaded(
        &mut self,
        text: &mut Text,
        statement: &AssemblyStatement,
        (space, bytes): (AddressSpace, u64),
        (part, is_sure): (&Mask, bool),
    ) {
        let Some(to) = statement.operands.first() else { return };
        let all = if let AssemblyOperand::List(all) = to { &all[..] } else { std::slice::from_ref(to) };
        let each = bytes / (all.len() as u64).max(1);
        let address = self.address_of(text, statement, space).unwrap_or(Value::Unknown);
        let is_volatile = statement.operation.contains(".volatile");
        let bits = u32::try_from(8 * each).unwrap_or(u32::MAX);
        for (to, at) in all.iter().zip(0..) {
            let value = self.content(&address, (at * each, each), bits, part);
            let value = value.unwrap_or_else(|| match address.known().filter(|_| !is_volatile) {
                Some(known) => self.number_at(known, (at * each, each), part),
                None => Value::Unknown,
            });
            self.set_in(text, to, value, (part, is_sure));
        }
    }

    /// Sets a register or a result in the work items of `part`; if these are not known for sure, its value is no longer known.
    pub(super) fn set_in(
        &mut self,
        text: &mut Text,
        to: &AssemblyOperand,
        value: Value,
        (part, is_sure): (&Mask, bool),
    ) {
        let value = match (value, text.held(to)) {
            (_, _) if !is_sure => Value::Unknown,
            (value, _) if part == text.mask => value,
            (Value::Known(new), Some(Value::Known(old))) => Value::Known(self.arithmetic().blend(part, &new, &old)),
            (_, Some(old)) if part.count_ones(..) == 0 => old,
            // The text gives the others no value.
            (value, None) => value,
            _ => Value::Unknown,
        };
        text.set(to, value);
    }

    /// The value of an operand, as far as it is known; of an address, with what stands behind it.
    pub(super) fn value(&mut self, text: &Text, operand: &AssemblyOperand) -> Value {
        match operand {
            AssemblyOperand::Integer(value) => Value::constant(*value),
            AssemblyOperand::Slot(number) => {
                let argument = number.checked_sub(text.values.len()).and_then(|at| text.arguments.get(at));
                argument.map_or(Value::Unknown, |argument| self.typed(argument))
            }
            AssemblyOperand::At(base, behind) => match self.value(text, base) {
                Value::Known(base) if *behind != 0 => {
                    Value::Known(self.arithmetic().sum(&base, &Known::constant(*behind), 1, 64, true))
                }
                value => value,
            },
            AssemblyOperand::Register(name) => match name.strip_prefix('%').and_then(id_of_register) {
                Some((id, axis)) => self.id(id, axis),
                None => text.registers.get(name).cloned().unwrap_or(Value::Unknown),
            },
            AssemblyOperand::Tile(..) | AssemblyOperand::List(_) => Value::Unknown,
        }
    }
}

impl Text<'_> {
    pub(super) fn set(&mut self, to: &AssemblyOperand, value: Value) {
        match to {
            AssemblyOperand::Register(name) => drop(self.registers.insert(name.clone(), value)),
            AssemblyOperand::Slot(number) => {
                if let Some(result) = self.values.get_mut(*number) {
                    *result = Some(value);
                }
            }
            _ => {}
        }
    }

    /// Nothing is known from now on of what an unknown operation writes: its first operand.
    pub(super) fn forget(&mut self, statement: &AssemblyStatement) {
        match statement.operands.first() {
            Some(AssemblyOperand::List(all)) => all.iter().for_each(|to| self.set(to, Value::Unknown)),
            Some(to) => {
                self.set(to, Value::Unknown);
                if let AssemblyOperand::Register(name) = to {
                    self.predicates.remove(name);
                }
            }
            None => {}
        }
    }

    /// The value of a register or a result that the text has set; `None` if it has not.
    pub(super) fn held(&self, of: &AssemblyOperand) -> Option<Value> {
        match of {
            AssemblyOperand::Register(name) => self.registers.get(name).cloned(),
            AssemblyOperand::Slot(number) => self.values.get(*number).cloned().flatten(),
            _ => None,
        }
    }

    /// The value of the text, whose parts are its results; `None` if nothing is known of it.
    pub(super) fn result(self) -> Option<Value> {
        let mut values: Vec<Value> = self.values.into_iter().map(|value| value.unwrap_or(Value::Unknown)).collect();
        let value = if values.len() == 1 { values.pop()? } else { Value::Vector(values.into()) };
        Some(value).filter(|value| !value.is_unknown())
    }
}
