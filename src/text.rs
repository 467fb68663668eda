//! Texts with names: places in them, and frames that show a line of them.

mod inferred;
mod integers;
pub mod json;
mod nearest;
mod options;
mod source;
pub(crate) mod words;

pub use inferred::{Inferred, InferredKind, inferred_lines};
pub(crate) use integers::{FORMS, integer, integers};
pub(crate) use nearest::{list, nearest};
pub(crate) use options::OptionTexts;
pub(crate) use source::LayerPart;
pub use source::{Place, Source, SourceLine};
