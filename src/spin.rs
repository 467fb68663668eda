//! SPIN, driven as a child process: generate, compile, search, replay.
//!
//! Its programs exit with 0 whatever they find, so [`pan_output`] reads verdicts from their text, and only from text that
//! it understands in full.

mod checker;
mod memory;
pub mod pan_output;
mod record;
mod toolchain;

pub use checker::{Cost, Found, ModelChecker, Settings, SpinError, TABLES, WITNESSES};
pub use memory::memory;
pub use record::{Record, SearchKey, SearchResult};
pub use toolchain::{Tool, ToolError, Toolchain, Wanted};
