//! Footprints: the different units of memory (sectors, bytes) that affine accesses touch.
//!
//! An access of a work item begins at an address that is affine in its local ids, its group's ids and the counters of
//! loops. Everything here is a function of the coefficients in bytes and of the numbers of values, whatever described
//! the kernel. Counts are exact:
//!
//! 1. The work items of a group, and the groups that run together, are the first points of a grid. They are a union of
//!    boxes ([`corner`]).
//! 2. In a box, variables whose values leave gaps of less than a unit make one stretch of memory; other variables are
//!    digits of a number system if the memory below a digit is shorter than its step. Then counts multiply
//!    ([`stretches`]).
//! 3. Boxes whose variables are different digits are united by inclusion and exclusion, boxes that lie one behind the
//!    other by addition ([`union`]).
//!
//! Everything else is listed stretch by stretch, up to [`MOST_STRETCHES`]. Beyond that a footprint is unknown.

mod corner;
mod stretches;
#[cfg(test)]
mod tests;
mod union;

pub(crate) use corner::Corner;

/// The most separate stretches of memory that are listed for one count.
const MOST_STRETCHES: u64 = 1 << 16;

/// A variable of an affine address, from 0 to `count` - 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Variable {
    /// Bytes from one value to the next.
    pub(crate) step: i64,
    /// The number of values, at least 1.
    pub(crate) count: u64,
}

/// The accesses of one statement by some groups.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Accesses {
    /// Bytes of one access, at least 1.
    pub(crate) width: u64,
    /// The repetitions of the statement and the loops around it.
    pub(crate) loops: Vec<Variable>,
    /// The work items of a group that take part, the first in lane order.
    pub(crate) items: Corner,
    /// The groups, in the order of their launch.
    pub(crate) groups: Corner,
}

impl Accesses {
    /// The number of different units of `unit` bytes, summed over the places in a unit at which the data may begin.
    /// `None` if more than [`MOST_STRETCHES`] stretches had to be listed, or if an address does not fit 127 bits.
    pub(crate) fn units(&self, unit: u64, starts: Starts) -> Option<u128> {
        union::Union::of(self, starts.first).units(unit, starts.step)
    }
}

/// The places in a unit at which data may begin: `first` and the multiples of `step` behind it, a unit long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Starts {
    /// Bytes from the begin of a unit to the first byte of the accesses, if all their variables are 0.
    pub(crate) first: i64,
    /// A divisor of the unit.
    pub(crate) step: u64,
}

impl Starts {
    /// The begin of a unit alone.
    pub(crate) fn aligned(unit: u64) -> Self {
        Self { first: 0, step: unit }
    }
}

fn gcd(mut one: i128, mut two: i128) -> i128 {
    while two != 0 {
        (one, two) = (two, one % two);
    }
    one.abs()
}
