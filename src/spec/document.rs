//! The YAML of a spec: its shape first, then its names and expressions.

pub(super) mod check;
pub(super) mod diagnosis;
pub(super) mod load;
mod raw;
mod t1;
mod traps;

pub use t1::OuterSpace;
pub use traps::Trap;
