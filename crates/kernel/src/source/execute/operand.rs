//! The values of operands.

use super::super::ir::{Cast, Operand, Operator, Type, Typed};
use super::super::trace::SourceMemory;
use super::super::value::{Known, KnownFloat, Number, Value, unsigned, wrap};
use super::memory::{self, LOCAL};
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
            Operand::Float(bits) => float(KnownFloat::rounded(f64::from_bits(*bits), of.float_bits().unwrap_or(0))),
            Operand::Zero => match of {
                Type::Float(bits) => float(KnownFloat::rounded(0.0, *bits)),
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
            Operand::Elements(_) | Operand::Bytes(_) => Value::Unknown,
            Operand::Global(name) => self.global(name),
            Operand::Element(element) => self.element(&element.0, &element.1),
            Operand::Cast(cast, from, to) => {
                let value = self.typed(from);
                self.cast(*cast, &from.of, to, &value)
            }
            Operand::Binary(operator, operands) => {
                let (left, right) = (self.typed(&operands.0), self.typed(&operands.1));
                self.binary(*operator, &operands.0.of, &left, &right, Rules::default())
            }
        }
    }

    /// The address of a variable.
    fn global(&mut self, name: &std::sync::Arc<str>) -> Value {
        let Some(global) = self.module.globals.get(name) else { return Value::Unknown };
        let memory = if global.is_constant { SourceMemory::Constant } else { memory::of_space(global.space) };
        let bytes = if global.is_given_at_launch { self.launch.shared } else { Some(self.module.size(&global.of)) };
        let known = self.regions.len();
        let region = self.region(name, memory, bytes);
        if self.regions.len() > known {
            self.keep_table(region, global);
        }
        Value::constant(region.address())
    }

    pub(super) fn binary(&mut self, operator: Operator, of: &Type, left: &Value, right: &Value, rules: Rules) -> Value {
        self.elementwise(of, &[left, right], |run, operands| match (of.bits(), of.float_bits()) {
            (Some(bits), _) => run.arithmetic().binary(operator, bits, operands[0], operands[1], rules.no_wrap),
            (None, Some(bits)) => run.pointwise(operands, |numbers| match numbers {
                [Number::Real(left), Number::Real(right)] => {
                    left.binary(operator, *right, bits, rules.is_loose).map(Number::Real)
                }
                _ => None,
            }),
            (None, None) => Value::Unknown,
        })
    }

    pub(super) fn cast(&mut self, cast: Cast, from: &Type, to: &Type, value: &Value) -> Value {
        if from.elements() != to.elements() {
            let (words, others) = (as_integers(from), as_integers(to));
            let own = if from.is_float() { self.cast(Cast::Same, from, &words, value) } else { value.clone() };
            let regrouped = self.regrouped(&words, &others, &own);
            return if to.is_float() { self.cast(Cast::Same, &others, to, &regrouped) } else { regrouped };
        }
        // An integer has the offset of what it points to in local memory, as `.shared` operands have.
        let value = match (from.element(), to.element()) {
            (Type::Pointer(LOCAL), Type::Integer(_)) => &self.local_offset(value),
            (Type::Integer(_), Type::Pointer(LOCAL)) => &self.local_address(value),
            _ => value,
        };
        self.elementwise(to, &[value], |run, operands| match (from.bits(), to.bits()) {
            (Some(from), Some(to)) => run.arithmetic().cast(cast, from, to, operands[0]),
            _ => run.pointwise(operands, |numbers| converted(cast, from.element(), to.element(), numbers[0])),
        })
    }

    /// The bits of integers as elements of another width: those of a vector of pointers as words of 32 bits, those of a word
    /// as its bytes.
    fn regrouped(&mut self, from: &Type, to: &Type, value: &Value) -> Value {
        let unknown = Value::unknown(to.elements());
        let (Some(wide), Some(narrow)) = (from.bits(), to.bits()) else { return unknown };
        let elements = match value {
            Value::Vector(elements) => elements.to_vec(),
            value => vec![value.clone()],
        };
        let is_whole = elements.len() as u64 == from.elements()
            && u64::from(wide) * from.elements() == u64::from(narrow) * to.elements();
        let parts: Vec<Value> = if !is_whole || wide == 0 || narrow == 0 {
            return unknown;
        } else if wide.is_multiple_of(narrow) {
            let all = elements.iter().flat_map(|element| (0..wide / narrow).map(move |at| (element, at)));
            all.map(|(element, at)| self.part_of(element, at, [wide, narrow])).collect()
        } else if narrow.is_multiple_of(wide) {
            let count = usize::try_from(narrow / wide).unwrap_or(1);
            elements.chunks(count).map(|parts| self.put_together(parts, [wide, narrow])).collect()
        } else {
            return unknown;
        };
        match (to, &parts[..]) {
            (Type::Vector(..), _) => Value::Vector(parts.into()),
            (_, [one]) => one.clone(),
            _ => unknown,
        }
    }

    /// A part of an integer's bits.
    fn part_of(&mut self, element: &Value, at: u32, [wide, narrow]: [u32; 2]) -> Value {
        let shift = Value::constant((at * narrow).into());
        let moved = self.arithmetic().binary(Operator::LShr, wide, element, &shift, false);
        self.arithmetic().cast(Cast::Truncate, wide, narrow, &moved)
    }

    /// An integer of its parts, the lowest first.
    fn put_together(&mut self, parts: &[Value], [from, to]: [u32; 2]) -> Value {
        let mut all = Value::constant(0);
        for (at, part) in (0_u32..).zip(parts) {
            let shift = Value::constant((at * from).into());
            let mut arithmetic = self.arithmetic();
            let wide = arithmetic.cast(Cast::ExtendZero, from, to, part);
            let moved = arithmetic.binary(Operator::Shl, to, &wide, &shift, false);
            all = arithmetic.binary(Operator::Or, to, &all, &moved, false);
        }
        all
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

/// The rules that let an operation give another result.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Rules {
    /// True if the result of integers does not wrap as a signed number.
    pub(super) no_wrap: bool,
    /// True if the compiler may join the operation with others, or take an approximation.
    pub(super) is_loose: bool,
}

/// The integers of a type's bits in place of its floating-point numbers.
fn as_integers(of: &Type) -> Type {
    match of {
        Type::Float(bits) => Type::Integer(*bits),
        Type::Vector(count, element) => Type::Vector(*count, as_integers(element).into()),
        other => other.clone(),
    }
}

pub(super) fn float(known: Option<KnownFloat>) -> Value {
    known.map_or(Value::Unknown, Value::real)
}

/// A conversion from or to a floating-point number.
fn converted(cast: Cast, from: &Type, to: &Type, number: Number) -> Option<Number> {
    match (cast, from, to, number) {
        (Cast::Number { signed }, Type::Integer(bits), Type::Float(to), Number::Whole(value)) => {
            let whole: i128 = if signed && *bits > 1 { value.into() } else { unsigned(value, *bits).into() };
            let whole = if signed && *bits == 1 { -whole } else { whole };
            KnownFloat::of_integer(whole, *to).map(Number::Real)
        }
        (Cast::Number { signed }, Type::Float(_), Type::Integer(bits), Number::Real(known)) => {
            known.integer(*bits, signed).map(|value| Number::Whole(wrap(value, *bits)))
        }
        (Cast::Number { .. }, Type::Float(_), Type::Float(to), Number::Real(known)) => {
            KnownFloat::rounded(known.value(), *to).map(Number::Real)
        }
        (Cast::Same, Type::Float(bits), Type::Integer(to), Number::Real(known)) if bits == to => {
            known.own_bits(*bits).map(|own| Number::Whole(wrap(own.cast_signed(), *bits)))
        }
        (Cast::Same, Type::Integer(bits), Type::Float(to), Number::Whole(value)) if bits == to => {
            KnownFloat::of_bits(unsigned(value, *bits), *to).map(Number::Real)
        }
        _ => None,
    }
}
