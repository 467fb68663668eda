//! Values while a work group is executed: unknown data, integers and addresses that are known for each work item and
//! change evenly with the counters of loops and with numbers from data that work items share, or floating-point numbers that
//! are known for each work item.

mod arithmetic;
mod changes;
mod compare;
mod convert;
mod data;
mod demand;
mod exact;
mod float;
mod floats;
mod lanes;
mod pointwise;
mod quotient;
mod shape;

use std::sync::Arc;

use smallvec::SmallVec;

pub use data::DataSymbol;
pub(in crate::source) use data::joined;
pub use demand::{Demands, RangeDemand, Relation};
pub use exact::Arithmetic;
pub use float::KnownFloat;
pub use floats::KnownFloats;
pub use lanes::Lanes;
pub(in crate::source) use lanes::{unsigned, wrap};
pub use pointwise::Number;
pub use shape::{Shape, item_name};

/// The work items that stand at a block.
pub type Mask = fixedbitset::FixedBitSet;

/// A number that values depend on evenly. Symbols of data are the last ones of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// The id of the group along an axis. It is known; its slope says what neighbouring groups do.
    Group(u8),
    /// The iterations of a loop that is folded, from 0.
    Counter(u32),
    /// A number that depends on data.
    Data(DataSymbol),
}

/// The change of a value when a symbol grows by one.
#[derive(Debug, Clone, PartialEq)]
pub enum Slope {
    /// This much in each work item.
    By(Lanes),
    /// Not the same at each step: the least and the greatest change from the value of the executed group in any group of the
    /// launch, if it is the same in all work items; `None` if work items may change differently. Of several such slopes of a
    /// value, the ends of their sum are the sums of the ends.
    Uneven(Option<[i64; 2]>),
}

impl Symbol {
    /// The axis of an id of the group, from 0 to 2; `None` for another symbol.
    #[must_use]
    pub fn axis(self) -> Option<usize> {
        if let Self::Group(axis) = self { Some(usize::from(axis).min(2)) } else { None }
    }
}

impl Slope {
    /// A change that nothing is known about.
    pub const UNEVEN: Self = Self::Uneven(None);

    /// True if the change is not the same at each step.
    #[must_use]
    pub fn is_uneven(&self) -> bool {
        matches!(self, Self::Uneven(_))
    }

    /// True if all work items change alike.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(self, Self::By(Lanes::Same(_)) | Self::Uneven(Some(_)))
    }
}

/// The symbols that a value changes with, in their order, without those that do not change the value.
pub type Slopes = SmallVec<[(Symbol, Slope); 2]>;

/// A known integer or address.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    /// The value of each work item where all counters, and all numbers from data, are 0.
    pub base: Lanes,
    /// The change with each symbol.
    pub slopes: Slopes,
}

/// A value of the kernel.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Data that no one knows before the kernel runs.
    Unknown,
    /// An integer or an address.
    Known(Known),
    /// A floating-point number of each work item.
    Float(KnownFloats),
    /// The elements of a vector.
    Vector(Arc<[Value]>),
}

impl Known {
    /// A value that no symbol changes.
    #[must_use]
    pub fn fixed(base: Lanes) -> Self {
        Self { base, slopes: Slopes::new() }
    }

    /// One integer for all work items.
    #[must_use]
    pub fn constant(value: i64) -> Self {
        Self::fixed(Lanes::Same(value))
    }

    /// The one integer that the value is in all work items and iterations; `None` if there are several.
    #[must_use]
    pub fn as_constant(&self) -> Option<i64> {
        match self.base {
            Lanes::Same(value) if self.slopes.is_empty() => Some(value),
            _ => None,
        }
    }

    /// The slope of a symbol; `None` if the symbol does not change the value.
    #[must_use]
    pub fn slope(&self, symbol: Symbol) -> Option<&Slope> {
        self.slopes.iter().find(|(known, _)| *known == symbol).map(|(_, slope)| slope)
    }

    /// True if the value changes unevenly with an id of the group.
    pub(in crate::source) fn is_uneven_in_groups(&self) -> bool {
        self.slopes.iter().any(|(symbol, slope)| matches!(symbol, Symbol::Group(_)) && slope.is_uneven())
    }
}

impl Value {
    /// A constant of all work items.
    #[must_use]
    pub fn constant(value: i64) -> Self {
        Self::Known(Known::constant(value))
    }

    /// A vector of unknown elements, or one unknown value for a single element.
    #[must_use]
    pub fn unknown(elements: u64) -> Self {
        if elements == 1 { Self::Unknown } else { Self::Vector((0..elements).map(|_| Self::Unknown).collect()) }
    }

    /// The known value; `None` for data and vectors.
    #[must_use]
    pub fn known(&self) -> Option<&Known> {
        if let Self::Known(known) = self { Some(known) } else { None }
    }

    /// A floating-point number of all work items.
    #[must_use]
    pub fn real(number: KnownFloat) -> Self {
        Self::Float(KnownFloats::constant(number))
    }

    /// The value without what is known of floating-point numbers.
    #[must_use]
    pub fn without_floats(self) -> Self {
        match self {
            Self::Float(_) => Self::Unknown,
            Self::Vector(elements) => {
                Self::Vector(elements.iter().map(|element| element.clone().without_floats()).collect())
            }
            other => other,
        }
    }

    /// The value without what data decides.
    #[must_use]
    pub fn without_data(self) -> Self {
        match self {
            Self::Known(known) if known.is_on_data() => Self::Unknown,
            Self::Vector(elements) => {
                Self::Vector(elements.iter().map(|element| element.clone().without_data()).collect())
            }
            other => other,
        }
    }

    /// True if nothing is known of the value.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        match self {
            Self::Unknown => true,
            Self::Known(_) | Self::Float(_) => false,
            Self::Vector(elements) => elements.iter().all(Self::is_unknown),
        }
    }
}
