//! Numbers that are loaded from memory: one for all work items that load from one address.

use super::super::ir::{Instruction, Kind, Type};
use super::super::trace::SourceMemory;
use super::super::value::{Known, Mask, Value};
use super::state::Run;

/// The most numbers that are remembered.
const MOST_REMEMBERED: usize = 64;

/// The fewest bits of a number.
const FEWEST_BITS: u32 = 8;

impl Run<'_> {
    /// The integers or pointers that the work items of a mask load: one for all that load from the same address.
    pub(super) fn loaded_numbers(
        &mut self,
        instruction: &Instruction,
        address: &Value,
        of: &Type,
        mask: &Mask,
    ) -> Value {
        let unknown = Value::unknown(of.elements());
        let is_volatile = matches!(instruction.kind, Kind::Load { volatile: true, .. });
        let is_number = match of.element() {
            Type::Integer(bits) => *bits >= FEWEST_BITS,
            Type::Pointer(_) => true,
            _ => false,
        };
        let Some(address) = address.known().filter(|_| is_number && !is_volatile) else { return unknown };
        let bytes = self.module.size(of.element());
        let mut number = |at: u64| self.number_at(address, (at * bytes, bytes), mask);
        match of {
            Type::Vector(count, _) => Value::Vector((0..*count).map(number).collect()),
            _ => number(0),
        }
    }

    /// The number of so many bytes that lies behind an address.
    pub(super) fn number_at(&mut self, address: &Known, (behind, bytes): (u64, u64), mask: &Mask) -> Value {
        let at = Known { base: address.base.moved(behind.cast_signed()), slopes: address.slopes.clone() };
        let at = at.within(mask, &self.shape);
        if let Some((.., value)) = self.numbers.0.iter().find(|(known, size, _)| *size == bytes && *known == at) {
            return value.clone();
        }
        let is_of_group = |id: &super::super::trace::RegionId| {
            matches!(self.regions[id.0 as usize].memory, SourceMemory::Local | SourceMemory::Private)
        };
        let regions = self.regions_of(&at, mask);
        let is_shared = !regions.is_empty() && !regions.iter().any(is_of_group);
        let mut arithmetic = self.arithmetic();
        arithmetic.items = mask;
        let value = arithmetic.follows(&[&at]);
        let value = if is_shared { value } else { value.of_group() };
        if !value.is_unknown() {
            if self.numbers.0.len() >= MOST_REMEMBERED {
                self.numbers.0.remove(0);
            }
            self.numbers.0.push((at, bytes, value.clone()));
        }
        value
    }
}
