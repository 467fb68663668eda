//! Numbers of operations, and the makers whose compilers choose them.

use super::super::ir::Type;

/// Numbers of operations of a work item, by the unit that executes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Operations {
    /// Operations of single precision.
    pub fp32: u64,
    /// Integer operations.
    pub int32: u64,
    /// Operations of double precision.
    pub fp64: u64,
    /// Operations on a 16-bit floating-point number, or on a packed pair of them.
    pub fp16: u64,
    /// Special functions.
    pub special: u64,
    /// Operations that only take an issue slot.
    pub any: u64,
}

impl Operations {
    pub(in crate::source) const NONE: Self = Self { fp32: 0, int32: 0, fp64: 0, fp16: 0, special: 0, any: 0 };

    pub(in crate::source) fn fp32(count: u64) -> Self {
        Self { fp32: count, ..Self::NONE }
    }

    pub(in crate::source) fn int32(count: u64) -> Self {
        Self { int32: count, ..Self::NONE }
    }

    pub(in crate::source) fn special(count: u64) -> Self {
        Self { special: count, ..Self::NONE }
    }

    pub(in crate::source) fn fp64(count: u64) -> Self {
        Self { fp64: count, ..Self::NONE }
    }

    pub(in crate::source) fn fp16(count: u64) -> Self {
        Self { fp16: count, ..Self::NONE }
    }

    /// An operation on each element of a value of a floating-point type; two elements of 16 bits share one.
    pub(super) fn elementwise(of: &Type) -> Self {
        match bits(of) {
            16 => Self::fp16(of.elements().div_ceil(2)),
            64 => Self::fp64(of.elements()),
            _ => Self::fp32(of.elements()),
        }
    }

    pub(super) fn times(self, count: u64) -> Self {
        let Self { fp32, int32, fp64, fp16, special, any } = self;
        Self {
            fp32: fp32 * count,
            int32: int32 * count,
            fp64: fp64 * count,
            fp16: fp16 * count,
            special: special * count,
            any: any * count,
        }
    }

    /// The sum with other operations.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            fp32: self.fp32 + other.fp32,
            int32: self.int32 + other.int32,
            fp64: self.fp64 + other.fp64,
            fp16: self.fp16 + other.fp16,
            special: self.special + other.special,
            any: self.any + other.any,
        }
    }

    /// The number of all operations.
    #[must_use]
    pub fn all(self) -> u64 {
        self.fp32 + self.int32 + self.fp64 + self.fp16 + self.special + self.any
    }
}

/// The makers of GPUs, as far as their prices differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Maker {
    /// Comparisons and extremes of floating-point numbers are integer operations, conversions special functions.
    Nvidia,
    /// Comparisons, extremes and conversions are operations of single precision.
    Other,
}

/// The bits of a type's element; 32 for what has no number of bits.
pub(super) fn bits(of: &Type) -> u32 {
    match of.element() {
        Type::Integer(bits) | Type::Float(bits) => *bits,
        Type::Pointer(_) => 64,
        _ => 32,
    }
}
