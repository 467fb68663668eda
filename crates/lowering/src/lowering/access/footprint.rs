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
//! Everything else is listed stretch by stretch, up to 65,536. Beyond that a footprint is unknown.

mod accesses;
mod corner;
mod stretches;
#[cfg(test)]
mod tests;
mod union;

pub use accesses::{Accesses, Starts, Variable};
pub use corner::Corner;
