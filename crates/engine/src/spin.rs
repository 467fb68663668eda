//! SPIN as a child process: it generates, compiles and searches a model, and replays trails.
//!
//! SPIN's programs exit with 0 for every result. So [`pan_output`] reads the verdict from their text, and only from
//! text that it understands in full.

mod checker;
mod memory;
pub mod pan_output;
mod record;
mod toolchain;

pub use checker::{Found, ModelChecker, Settings, SpinCost, SpinError, TABLES, WITNESSES};
pub use memory::memory;
pub use record::{Record, SearchKey, SearchResult};
pub use toolchain::{Missing, Tool, ToolError, ToolPaths, Toolchain};
