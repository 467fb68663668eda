//! Constant tables: variables with a value that neither the kernel nor the host changes.

use super::super::ir::{Global, IrModule, Operand, Type};
use super::super::trace::RegionId;
use super::super::value::{KnownFloat, unsigned};
use super::state::Run;

/// The most bytes of a table: the constant memory of a GPU.
const MOST_BYTES: u64 = 64 << 10;

impl Run<'_> {
    /// Keeps the bytes of a constant variable that lies in a region.
    pub(super) fn keep_table(&mut self, region: RegionId, global: &Global) {
        let Some(initial) = &global.initial else { return };
        if self.module.size(&global.of) > MOST_BYTES {
            return;
        }
        let mut bytes = Vec::new();
        add(self.module, &global.of, initial, 0, &mut bytes);
        self.tables.extend(bytes.into_iter().map(|(at, byte)| (region.address().saturating_add_unsigned(at), byte)));
    }
}

/// Adds the known bytes of a constant of a type, each with its place.
fn add(module: &IrModule, of: &Type, constant: &Operand, at: u64, bytes: &mut Vec<(u64, u8)>) {
    let size = module.size(of);
    let mut put = |own: u64| bytes.extend((at..).zip(own.to_le_bytes()).take(usize::try_from(size).unwrap_or(0)));
    match (constant, of) {
        (Operand::Integer(value), Type::Integer(bits @ ..=64)) => put(unsigned(*value, *bits)),
        (Operand::Float(value), Type::Float(bits)) => {
            let number = KnownFloat::rounded(f64::from_bits(*value), *bits);
            number.and_then(|number| number.own_bits(*bits)).into_iter().for_each(put);
        }
        (Operand::Zero, _) => bytes.extend((at..at.saturating_add(size)).map(|place| (place, 0))),
        (Operand::Bytes(all), _) => bytes.extend((at..).zip(all.iter().copied())),
        (Operand::Elements(elements), Type::Array(_, element) | Type::Vector(_, element)) => {
            let size = module.size(element);
            for (place, typed) in (0_u64..).zip(elements.iter()) {
                add(module, element, &typed.operand, at.saturating_add(place.saturating_mul(size)), bytes);
            }
        }
        (Operand::Elements(elements), structure) => {
            for (index, typed) in elements.iter().enumerate() {
                if let Some((place, field)) = module.field(structure, index) {
                    add(module, &field, &typed.operand, at.saturating_add(place), bytes);
                }
            }
        }
        _ => {}
    }
}
