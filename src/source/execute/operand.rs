//! The values of operands.

use super::super::ir::{Cast, Operand, Operator, Type, Typed};
use super::super::trace::SourceMemory;
use super::super::value::{Known, Value};
use super::memory;
use super::state::Run;

impl Run<'_> {
    pub(super) fn typed(&mut self, typed: &Typed) -> Value {
        self.operand(&typed.of, &typed.operand)
    }

    pub(super) fn operand(&mut self, of: &Type, operand: &Operand) -> Value {
        match operand {
            Operand::Value(id) => self.values[id.index()].clone().unwrap_or_else(|| Value::unknown(of.elements())),
            Operand::Integer(value) => Value::constant(*value),
            Operand::Unknown => Value::unknown(of.elements()),
            Operand::Zero => match of {
                Type::Integer(_) | Type::Pointer(_) => Value::constant(0),
                Type::Vector(count, element) => {
                    let zero = self.operand(element, &Operand::Zero);
                    Value::Vector((0..*count).map(|_| zero.clone()).collect())
                }
                _ => Value::Unknown,
            },
            Operand::Elements(elements) if matches!(of, Type::Vector(..)) => {
                Value::Vector(elements.iter().map(|element| self.typed(element)).collect())
            }
            Operand::Elements(_) => Value::Unknown,
            Operand::Global(name) => self.global(name),
            Operand::Element(element) => self.element(&element.0, &element.1),
            Operand::Cast(cast, from, to) => {
                let value = self.typed(from);
                self.cast(*cast, &from.of, to, &value)
            }
            Operand::Binary(operator, operands) => {
                let (left, right) = (self.typed(&operands.0), self.typed(&operands.1));
                self.binary(*operator, &operands.0.of, &left, &right, false)
            }
        }
    }

    /// The address of a variable.
    fn global(&mut self, name: &std::sync::Arc<str>) -> Value {
        let Some(global) = self.module.globals.get(name) else { return Value::Unknown };
        let memory = if global.is_constant { SourceMemory::Constant } else { memory::of_space(global.space) };
        let bytes = self.module.size(&global.of);
        Value::constant(self.region(name, memory, Some(bytes)).address())
    }

    pub(super) fn binary(
        &mut self,
        operator: Operator,
        of: &Type,
        left: &Value,
        right: &Value,
        no_wrap: bool,
    ) -> Value {
        self.elementwise(of, &[left, right], |run, operands| match of.bits() {
            Some(bits) => run.arithmetic().binary(operator, bits, operands[0], operands[1], no_wrap),
            None => Value::Unknown,
        })
    }

    pub(super) fn cast(&mut self, cast: Cast, from: &Type, to: &Type, value: &Value) -> Value {
        if from.elements() != to.elements() {
            return Value::unknown(to.elements());
        }
        self.elementwise(to, &[value], |run, operands| match (from.bits(), to.bits()) {
            (Some(from), Some(to)) => run.arithmetic().cast(cast, from, to, operands[0]),
            _ => Value::Unknown,
        })
    }

    /// The value of an operation, which on vectors is done for each element.
    pub(super) fn elementwise(
        &mut self,
        of: &Type,
        operands: &[&Value],
        mut operation: impl FnMut(&mut Self, &[&Value]) -> Value,
    ) -> Value {
        let Type::Vector(count, _) = of else { return operation(self, operands) };
        let element = |value: &Value, at: usize| match value {
            Value::Vector(elements) => elements.get(at).cloned().unwrap_or(Value::Unknown),
            _ => Value::Unknown,
        };
        let each = (0..usize::try_from(*count).unwrap_or(0)).map(|at| {
            let elements: Vec<Value> = operands.iter().map(|operand| element(operand, at)).collect();
            operation(self, &elements.iter().collect::<Vec<_>>())
        });
        Value::Vector(each.collect())
    }

    /// An address within another one.
    pub(super) fn element(&mut self, source: &Type, operands: &[Typed]) -> Value {
        let Some((base, indices)) = operands.split_first() else { return Value::Unknown };
        let Value::Known(mut address) = self.typed(base) else {
            // The address of an element of a vector is the vector's own.
            return Value::Unknown;
        };
        let mut of = source.clone();
        for (depth, index) in indices.iter().enumerate() {
            let Value::Known(index) = self.typed(index) else { return Value::Unknown };
            if depth > 0 {
                let inner = match &of {
                    Type::Array(_, element) | Type::Vector(_, element) => element.as_ref().clone(),
                    structure => {
                        let field = index.as_constant().and_then(|at| usize::try_from(at).ok());
                        let Some((place, field)) = field.and_then(|at| self.module.field(structure, at)) else {
                            return Value::Unknown;
                        };
                        let place = Known::constant(i64::try_from(place).unwrap_or(i64::MAX));
                        address = self.arithmetic().sum(&address, &place, 1, 64, true);
                        of = field;
                        continue;
                    }
                };
                of = inner;
            }
            let size = i64::try_from(self.module.size(&of)).unwrap_or(i64::MAX);
            address = self.arithmetic().sum(&address, &index, size, 64, true);
        }
        Value::Known(address)
    }
}
