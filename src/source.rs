//! Kernels from their source: what a work group executes, read from the compiler's intermediate form.

mod analyse;
mod compile;
mod execute;
mod flow;
mod functions;
mod headers;
mod ir;
mod places;
mod prices;
mod registers;
mod trace;
mod value;

pub use analyse::{AnalysisError, Kernel};
pub use compile::*;
pub use execute::*;
pub use flow::Flow;
pub use ir::*;
pub use places::{UserPlace, UserPlaces};
pub use prices::{Maker, Operations, Prices};
pub use registers::*;
pub use trace::*;
pub use value::*;
