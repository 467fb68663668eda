//! Texts with names: places in them, and frames that show a line of them.

mod nearest;
mod source;
pub(crate) mod words;

pub(crate) use nearest::{list, nearest};
pub use source::{Place, Source, SourceLine};
