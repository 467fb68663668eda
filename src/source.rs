//! Kernels from their source: what a work group executes, read from the compiler's intermediate form.

mod ir;
mod value;

pub use ir::*;
pub use value::*;
