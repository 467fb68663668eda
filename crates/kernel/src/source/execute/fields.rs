//! Numbers in structures that are passed by value, and in constant tables.

use super::super::ir::{IrParameter, Type, Typed};
use super::super::trace::{RegionId, SourceMemory};
use super::super::value::{Known, KnownFloat, Mask, Number, Value, wrap};
use super::loop_state::LoopState;
use super::state::Run;

impl Run<'_> {
    /// Keeps the known numbers of a structure whose copy lies in a region.
    pub(super) fn keep_fields(&mut self, position: usize, region: RegionId) {
        for field in self.launch.fields.iter().filter(|field| field.parameter == position) {
            let first = region.address().saturating_add_unsigned(field.offset);
            let bytes = field.bits.to_le_bytes();
            let bytes = bytes.iter().take(usize::try_from(field.bytes).unwrap_or(0));
            self.fields.extend((first..).zip(bytes.copied()));
        }
    }

    /// The value of a structure that is passed as such: the address of its copy, if a number in it is known.
    pub(super) fn structure(&mut self, position: usize, parameter: &IrParameter) -> Value {
        if !self.launch.fields.iter().any(|field| field.parameter == position) {
            return Value::unknown(parameter.of.elements());
        }
        let region = self.region(&parameter.name, SourceMemory::Constant, None);
        self.keep_fields(position, region);
        Value::constant(region.address())
    }

    /// The value of a vector that is passed as such: its elements that are known.
    pub(super) fn vector(&self, position: usize, of: &Type) -> Value {
        let (element, size) = (of.element(), self.module.size(of.element()));
        let value = |at: u64| {
            let mut fields = self.launch.fields.iter().filter(|field| field.parameter == position);
            let field = fields.find(|field| field.offset == at * size && field.bytes == size)?;
            match element {
                Type::Integer(bits) => Some(Value::constant(wrap(field.bits.cast_signed(), *bits))),
                Type::Float(bits) => KnownFloat::of_bits(field.bits, *bits).map(Value::real),
                _ => None,
            }
        };
        Value::Vector((0..of.elements()).map(|at| value(at).unwrap_or(Value::Unknown)).collect())
    }

    /// Copies the known numbers of a structure to private memory, for all work items that have not returned.
    pub(super) fn copy_fields(&mut self, from: &Value, to: &Value, bytes: u64, mask: &Mask) {
        let constant = |value: &Value| value.known().and_then(Known::as_constant);
        let (Some(from), Some(to)) = (constant(from), constant(to)) else { return };
        if *mask != self.standing() {
            return;
        }
        let places = from..from.saturating_add_unsigned(bytes);
        let known = self.fields.range(places.clone()).chain(self.tables.range(places));
        let copied: Vec<(i64, u8)> = known.map(|(place, byte)| (place - from + to, *byte)).collect();
        if !copied.is_empty() {
            // Private memory does not belong to what is compared between iterations.
            self.loops.iter_mut().for_each(LoopState::walk);
            self.fields.extend(copied);
        }
    }

    /// Forgets the copies in private memory at the places that are meant.
    pub(super) fn forget_copies(&mut self, is_meant: impl Fn(i64) -> bool) {
        let regions = &self.regions;
        let memory =
            |place| RegionId::from_address(place).and_then(|id| regions.get(id.0 as usize)).map(|region| region.memory);
        let before = self.fields.len();
        self.fields.retain(|place, _| !(is_meant(*place) && memory(*place) == Some(SourceMemory::Private)));
        if self.fields.len() < before {
            self.walk_all();
        }
    }

    /// The value that a load of a type takes from a structure or a constant table; `None` if it is not known.
    pub(super) fn field(&mut self, address: &Value, of: &Type) -> Option<Value> {
        if self.fields.is_empty() && self.tables.is_empty() || address.known()?.is_on_data() {
            return None;
        }
        let element = of.element();
        let size = i64::try_from(self.module.size(element)).ok()?;
        let places = (0..i64::try_from(of.elements()).ok()?).map(|at| at.checked_mul(size));
        let values = places.map(|place| self.kept_number(address, place?, element)).collect::<Option<Vec<Value>>>()?;
        match (of, values.as_slice()) {
            (Type::Vector(..), _) => Some(Value::Vector(values.into())),
            (_, [value]) => Some(value.clone()),
            _ => None,
        }
    }

    /// The number at a distance in bytes behind an address; `None` if it is not known. Other iterations and groups take other
    /// numbers.
    fn kept_number(&self, address: &Value, behind: i64, of: &Type) -> Option<Value> {
        let bytes = i64::try_from(self.module.size(of)).ok().filter(|bytes| (1..=8).contains(bytes))?;
        let byte = |place: i64| self.fields.get(&place).or_else(|| self.tables.get(&place));
        let own = |first: i64| {
            let places = (0..bytes).rev().map(|at| byte(first.checked_add(behind)?.checked_add(at)?));
            places.into_iter().try_fold(0_u64, |bits, byte| Some(bits << 8 | u64::from(*byte?)))
        };
        let value = self.pointwise(&[address], |numbers| match (of, numbers) {
            (Type::Integer(bits), [Number::Whole(first)]) => {
                own(*first).map(|own| Number::Whole(wrap(own.cast_signed(), *bits)))
            }
            (Type::Float(bits), [Number::Whole(first)]) => KnownFloat::of_bits(own(*first)?, *bits).map(Number::Real),
            _ => None,
        });
        Some(value).filter(|value| !value.is_unknown())
    }

    /// A field of a structure that is a value.
    pub(super) fn extracted(&mut self, aggregate: &Typed, positions: &[usize]) -> Value {
        if let (Value::Vector(values), [position]) = (self.typed(aggregate), positions) {
            return values.get(*position).cloned().unwrap_or(Value::Unknown);
        }
        let (mut of, mut offset) = (aggregate.of.clone(), 0_u64);
        for position in positions {
            let inner = match &of {
                Type::Array(_, element) => {
                    let size = self.module.size(element);
                    Some((size.saturating_mul(*position as u64), element.as_ref().clone()))
                }
                structure => self.module.field(structure, *position),
            };
            let Some((place, inner)) = inner else { return Value::Unknown };
            offset = offset.saturating_add(place);
            of = inner;
        }
        let address = self.typed(aggregate).known().and_then(Known::as_constant);
        let Some(address) = address.map(|address| address.saturating_add_unsigned(offset)) else {
            return Value::unknown(of.elements());
        };
        match of {
            Type::Array(..) | Type::Structure(..) | Type::Named(_) => Value::constant(address),
            of => self.field(&Value::constant(address), &of).unwrap_or_else(|| Value::unknown(of.elements())),
        }
    }
}
