//! The accesses of a statement as affine functions.

use super::corner::Corner;

/// A variable of an affine address, from 0 to `count` - 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Variable {
    /// Bytes from one value to the next.
    pub(crate) step: i64,
    /// The number of values, at least 1.
    pub(crate) count: u64,
}

/// The accesses of one statement by some groups.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Accesses {
    /// Bytes of one access, at least 1.
    pub(crate) width: u64,
    /// The repetitions of the statement and the loops around it.
    pub(crate) loops: Vec<Variable>,
    /// The work items of a group that take part, the first in lane order.
    pub items: Corner,
    /// The groups, in the order of their launch.
    pub(crate) groups: Corner,
}

/// The places in a unit where data may begin: `first` and the multiples of `step` behind it, a unit long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Starts {
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
