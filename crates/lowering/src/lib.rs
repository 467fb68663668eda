//! Specs and GPU profiles of autotune, lowered to the abstract GPU; spaces of configurations.

pub mod extraction;
pub mod gpu;
pub mod inference;
pub mod lowering;
pub mod models;
pub mod space;
pub mod spec;
