//! Bytes and alignments of types, by the rules that GPUs share.

use super::read::IrModule;
use super::types::Type;

/// A size of 2^56 bytes: larger types count as this large, so that no sum overflows.
const LARGEST: u64 = 1 << 56;

impl IrModule {
    /// The bytes that a value of this type takes in an array.
    #[must_use]
    pub fn size(&self, of: &Type) -> u64 {
        match of {
            Type::Integer(bits) | Type::Float(bits) => u64::from(bits.div_ceil(8)).next_power_of_two(),
            Type::Pointer(_) => 8,
            // A vector of three takes the room of four.
            Type::Vector(count, element) => {
                let count = if *count == 3 { 4 } else { *count };
                self.size(element).saturating_mul(count).min(LARGEST)
            }
            Type::Array(count, element) => self.size(element).saturating_mul(*count).min(LARGEST),
            Type::Structure(fields, packed) => {
                let end = fields.iter().fold(0, |end, field| self.after(end, field, *packed));
                if *packed { end } else { end.next_multiple_of(self.alignment(of)).min(LARGEST) }
            }
            Type::Named(name) => self.named(name).map_or(0, |structure| self.size(&structure)),
            Type::Void | Type::Other => 0,
        }
    }

    /// The alignment of a type in bytes.
    #[must_use]
    pub fn alignment(&self, of: &Type) -> u64 {
        match of {
            Type::Array(_, element) => self.alignment(element),
            Type::Structure(_, true) => 1,
            Type::Structure(fields, false) => fields.iter().map(|field| self.alignment(field)).max().unwrap_or(1),
            Type::Named(name) => self.named(name).map_or(1, |structure| self.alignment(&structure)),
            _ => self.size(of).max(1),
        }
    }

    /// The place of a structure's field in bytes, and the field's type; `None` if there is no such field.
    #[must_use]
    pub fn field(&self, structure: &Type, index: usize) -> Option<(u64, Type)> {
        match structure {
            Type::Named(name) => self.field(&self.named(name)?, index),
            Type::Structure(fields, packed) => {
                let field = fields.get(index)?;
                let end = fields[..index].iter().fold(0, |end, field| self.after(end, field, *packed));
                Some((if *packed { end } else { end.next_multiple_of(self.alignment(field)) }, field.clone()))
            }
            _ => None,
        }
    }

    /// The end of a field that follows `end`.
    fn after(&self, end: u64, field: &Type, packed: bool) -> u64 {
        let start = if packed { end } else { end.next_multiple_of(self.alignment(field)) };
        start.saturating_add(self.size(field)).min(LARGEST)
    }
}
