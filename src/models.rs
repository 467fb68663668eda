//! Analytical models of a kernel, without a model checker.

pub mod efficiency;
pub mod locality;
pub mod maxplus;
pub mod predict;
