//! Promela models of autotune, SPIN, proofs, comparisons, explanations.

pub mod check;
pub mod compare;
pub mod difference;
pub mod explain;
pub mod model;
pub mod proof;
pub mod schedules;
pub mod spin;
