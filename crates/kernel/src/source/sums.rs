//! Addresses as sums: which of them stand at a constant distance, as far as a compiler knows without the launch.

use std::collections::HashMap;
use std::sync::Arc;

use super::ir::{Cast, Instruction, IrModule, Kind, Operand, Operator, Type, Typed, ValueId};

/// The deepest nesting of operations that is followed.
const DEEPEST: u32 = 64;
/// The most terms of a sum; a longer one is a term by itself.
const MOST_TERMS: usize = 32;

/// The extension of an integer to 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Extension {
    /// It has 64 bits.
    None,
    /// Filled with its sign.
    Sign,
    /// Filled with zeros.
    Zero,
}

/// A value of the function, with 64 bits.
type Term = (ValueId, Extension);

/// A number as a sum of values, each with a factor, and a constant; it wraps at 64 bits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Number {
    /// The terms by their values, none with the factor 0.
    terms: Vec<(Term, i64)>,
    constant: i64,
}

impl Number {
    fn plus(mut self, other: &Self, factor: i64) -> Self {
        for (term, times) in &other.terms {
            let times = times.wrapping_mul(factor);
            match self.terms.binary_search_by_key(term, |(term, _)| *term) {
                Ok(at) => self.terms[at].1 = self.terms[at].1.wrapping_add(times),
                Err(at) => self.terms.insert(at, (*term, times)),
            }
        }
        self.terms.retain(|(_, times)| *times != 0);
        self.constant = self.constant.wrapping_add(other.constant.wrapping_mul(factor));
        self
    }

    fn constant(constant: i64) -> Self {
        Self { terms: Vec::new(), constant }
    }
}

/// The beginning of the memory that an address lies in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Base {
    /// A variable of the module.
    Variable(Arc<str>),
    /// A pointer: an argument, or what the function has loaded or chosen.
    Pointer(ValueId),
}

/// An address: a number of bytes behind the beginning of some memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) base: Base,
    offset: Number,
}

impl Address {
    /// The bytes behind the sum's terms.
    pub(super) fn constant(&self) -> i64 {
        self.offset.constant
    }

    /// All but the constant.
    pub(super) fn key(&self) -> (Base, Vec<(Term, i64)>) {
        (self.base.clone(), self.offset.terms.clone())
    }
}

/// The sums of a function.
pub(super) struct Sums<'m> {
    module: &'m IrModule,
    /// The instructions by the values that they define.
    definitions: Vec<Option<&'m Instruction>>,
    numbers: HashMap<Term, Number>,
    pointers: HashMap<ValueId, Option<Address>>,
}

impl<'m> Sums<'m> {
    pub(super) fn new(module: &'m IrModule) -> Self {
        let mut definitions = vec![None; module.kernel.values];
        for instruction in module.kernel.blocks.iter().flat_map(|block| &block.instructions) {
            if let Some(result) = instruction.result {
                definitions[result.index()] = Some(instruction);
            }
        }
        Self { module, definitions, numbers: HashMap::new(), pointers: HashMap::new() }
    }

    /// The address that a pointer is; `None` if it is a constant, or nothing is known of it.
    pub(super) fn address(&mut self, pointer: &Operand) -> Option<Address> {
        self.pointer(pointer, 0)
    }

    /// The address a number of elements of this many bytes behind a pointer.
    pub(super) fn element(&mut self, pointer: &Operand, index: &Typed, bytes: u64) -> Option<Address> {
        let address = self.pointer(pointer, 0)?;
        let index = self.number(&index.of, &index.operand, Extension::Sign, 0)?;
        Some(Address { offset: address.offset.plus(&index, bytes.cast_signed()), ..address })
    }

    /// The greatest power of two that divides a sum without its constant.
    pub(super) fn divisor(&self, address: &Address) -> u64 {
        let zeros = |(term, times): &(Term, i64)| times.trailing_zeros() + self.zeros(*term);
        1 << address.offset.terms.iter().map(zeros).min().unwrap_or(63).min(63)
    }

    /// The bits at a value's end that are surely 0.
    fn zeros(&self, (value, _): Term) -> u32 {
        match self.definitions[value.index()].map(|instruction| &instruction.kind) {
            Some(Kind::Binary { operator: Operator::And | Operator::Mul, right: Operand::Integer(by), .. }) => {
                by.trailing_zeros()
            }
            Some(Kind::Binary { operator: Operator::Shl, right: Operand::Integer(by), .. }) => {
                u32::try_from(*by).unwrap_or(0)
            }
            _ => 0,
        }
    }

    fn pointer(&mut self, pointer: &Operand, depth: u32) -> Option<Address> {
        match pointer {
            Operand::Value(id) => {
                if let Some(known) = self.pointers.get(id) {
                    return known.clone();
                }
                let found = self.defined(*id, depth);
                self.pointers.insert(*id, found.clone());
                found
            }
            Operand::Global(name) => {
                Some(Address { base: Base::Variable(Arc::clone(name)), offset: Number::default() })
            }
            Operand::Element(element) => self.within(&element.0, &element.1, depth),
            Operand::Cast(Cast::Same, from, _) => self.pointer(&from.operand, depth + 1),
            _ => None,
        }
    }

    fn defined(&mut self, id: ValueId, depth: u32) -> Option<Address> {
        let itself = Address { base: Base::Pointer(id), offset: Number::default() };
        let Some(instruction) = self.definitions[id.index()].filter(|_| depth < DEEPEST) else { return Some(itself) };
        match &instruction.kind {
            Kind::Element(of, operands) => self.within(of, operands, depth),
            Kind::Cast(Cast::Same, from, Type::Pointer(_)) if matches!(from.of, Type::Pointer(_)) => {
                self.pointer(&from.operand, depth + 1)
            }
            _ => Some(itself),
        }
    }

    /// The address of an element within a type.
    fn within(&mut self, source: &Type, operands: &[Typed], depth: u32) -> Option<Address> {
        let (base, indices) = operands.split_first()?;
        let Address { base, mut offset } = self.pointer(&base.operand, depth + 1)?;
        let mut of = source.clone();
        for (level, index) in indices.iter().enumerate() {
            let number = self.number(&index.of, &index.operand, Extension::Sign, depth + 1)?;
            if level > 0 {
                of = match &of {
                    Type::Array(_, element) | Type::Vector(_, element) => element.as_ref().clone(),
                    structure => {
                        let (place, field) = self.module.field(structure, usize::try_from(number.constant).ok()?)?;
                        offset = offset.plus(&Number::constant(place.cast_signed()), 1);
                        of = field;
                        continue;
                    }
                };
            }
            offset = offset.plus(&number, self.module.size(&of).cast_signed());
        }
        Some(Address { base, offset })
    }

    /// An integer as a number of 64 bits; `None` for a constant that is not understood.
    fn number(&mut self, of: &Type, operand: &Operand, extension: Extension, depth: u32) -> Option<Number> {
        let bits = of.bits()?;
        match operand {
            Operand::Integer(number) if extension == Extension::Zero && bits < 64 => {
                Some(Number::constant(number & ((1 << bits) - 1)))
            }
            Operand::Integer(number) => Some(Number::constant(*number)),
            Operand::Zero => Some(Number::default()),
            Operand::Value(id) => Some(self.value((*id, if bits == 64 { Extension::None } else { extension }), depth)),
            _ => None,
        }
    }

    fn value(&mut self, term: Term, depth: u32) -> Number {
        if let Some(known) = self.numbers.get(&term) {
            return known.clone();
        }
        let sum = self.computed(term, depth).filter(|sum| sum.terms.len() <= MOST_TERMS);
        let sum = sum.unwrap_or_else(|| Number { terms: vec![(term, 1)], constant: 0 });
        self.numbers.insert(term, sum.clone());
        sum
    }

    /// The sum that an instruction computes; `None` if it is a term by itself.
    fn computed(&mut self, (id, extension): Term, depth: u32) -> Option<Number> {
        let instruction = self.definitions[id.index()].filter(|_| depth < DEEPEST)?;
        match &instruction.kind {
            Kind::Binary { operator, left, right, no_wrap, no_unsigned_wrap, disjoint, .. } => {
                let wraps = match extension {
                    Extension::None => false,
                    Extension::Sign => !no_wrap,
                    Extension::Zero => !no_unsigned_wrap,
                };
                let one = self.number(&left.of, &left.operand, extension, depth + 1)?;
                let other = self.number(&left.of, right, extension, depth + 1)?;
                // A constant below the zeros at the end of the other operand is put there, without a carry.
                let is_put = other.terms.is_empty()
                    && (0..1 << self.divisor_of(&one).trailing_zeros().min(62)).contains(&other.constant);
                match operator {
                    Operator::Or if *disjoint || is_put => Some(one.plus(&other, 1)),
                    Operator::Add if !wraps || is_put => Some(one.plus(&other, 1)),
                    Operator::Sub if !wraps => Some(one.plus(&other, -1)),
                    Operator::Mul if !wraps && other.terms.is_empty() => {
                        Some(Number::default().plus(&one, other.constant))
                    }
                    Operator::Shl if !wraps && other.terms.is_empty() && (0..63).contains(&other.constant) => {
                        Some(Number::default().plus(&one, 1 << other.constant))
                    }
                    _ => None,
                }
            }
            Kind::Cast(cast @ (Cast::ExtendSign | Cast::ExtendZero), from, _) => {
                let inner = if *cast == Cast::ExtendSign { Extension::Sign } else { Extension::Zero };
                match (inner, extension) {
                    (Extension::Sign, Extension::Zero) => None,
                    _ => self.number(&from.of, &from.operand, inner, depth + 1),
                }
            }
            _ => None,
        }
    }

    /// The greatest power of two that divides a number.
    fn divisor_of(&self, number: &Number) -> u64 {
        let zeros = |(term, times): &(Term, i64)| times.trailing_zeros() + self.zeros(*term);
        let least = number.terms.iter().map(zeros).chain([number.constant.trailing_zeros()]).min();
        1 << least.unwrap_or(63).min(63)
    }
}
