//! SPIN, driven as a child process: generate, compile, search, replay.
//!
//! Its programs exit with 0 whatever they find, so [`pan_output`] reads verdicts from their text, and only from text that
//! it understands in full.

use std::ops::RangeInclusive;

mod checker;
pub mod pan_output;
pub mod process;
mod record;
mod toolchain;

pub use checker::{Cost, Found, ModelChecker, Settings, SpinError, TABLES, WITNESSES};
pub use record::{Record, SearchKey, SearchResult};
pub use toolchain::{Tool, ToolError, Toolchain, Wanted};

/// Bytes that one search may be allowed: pan counts them in MiB, and its table and stack alone take some.
pub const MEMORY: RangeInclusive<u64> = 16 << 20..=4 << 40;
