//! Floating-point numbers that are known for each work item.

use super::{Arithmetic, KnownFloat, Lanes, Mask, Shape, Slope, Slopes, Symbol, Value};

/// A floating-point number for each work item, as the bits of its value with 64 bits. A symbol that changes the numbers
/// changes them unevenly.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownFloats {
    pub(super) bits: Lanes,
    pub(super) slopes: Slopes,
}

impl KnownFloats {
    /// One number for all work items.
    #[must_use]
    pub fn constant(number: KnownFloat) -> Self {
        Self { bits: Lanes::Same(number.value().to_bits().cast_signed()), slopes: Slopes::new() }
    }

    /// The number of a work item.
    #[must_use]
    pub fn at(&self, lane: usize, shape: &Shape) -> KnownFloat {
        KnownFloat::of_value(f64::from_bits(self.bits.at(lane, shape).cast_unsigned()))
    }

    /// The one number that all work items have in all iterations; `None` if there are several.
    #[must_use]
    pub fn as_constant(&self) -> Option<KnownFloat> {
        match self.bits {
            Lanes::Same(bits) if self.slopes.is_empty() => {
                Some(KnownFloat::of_value(f64::from_bits(bits.cast_unsigned())))
            }
            _ => None,
        }
    }

    /// The symbols that change the numbers.
    #[must_use]
    pub fn slopes(&self) -> &Slopes {
        &self.slopes
    }

    /// The numbers where a symbol changes them no more.
    #[must_use]
    pub(in crate::source) fn without(mut self, symbol: Symbol) -> Self {
        self.slopes.retain(|(known, _)| *known != symbol);
        self
    }

    /// True if two numbers are the same in the work items of a mask, whatever the iteration.
    pub(in crate::source) fn agrees(&self, other: &Self, mask: &Mask, shape: &Shape) -> bool {
        self == other || self.slopes.is_empty() && other.slopes.is_empty() && self.bits.agrees(&other.bits, mask, shape)
    }
}

impl Arithmetic<'_> {
    /// The first number in the work items of a mask, the second in the others.
    #[must_use]
    pub fn blend_floats(&self, mask: &Mask, first: &KnownFloats, second: &KnownFloats) -> Value {
        if first == second {
            return Value::Float(first.clone());
        }
        let bits = first.bits.blend(mask, &second.bits, self.shape);
        Value::Float(KnownFloats { bits, slopes: joined([&first.slopes, &second.slopes]) })
    }
}

/// The symbols of all slopes, which change a value unevenly.
pub(super) fn joined<'s>(all: impl IntoIterator<Item = &'s Slopes>) -> Slopes {
    let mut joined = Slopes::new();
    for (symbol, _) in all.into_iter().flatten() {
        if !joined.iter().any(|(known, _)| known == symbol) {
            joined.push((*symbol, Slope::UNEVEN));
        }
    }
    joined.sort_by_key(|(symbol, _)| *symbol);
    joined
}
