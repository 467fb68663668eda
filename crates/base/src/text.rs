//! Texts with names: places in them, and frames that show a line of them.

mod inferred;
mod integers;
pub mod json;
mod nearest;
mod options;
mod source;
pub mod words;

pub use inferred::{Inferred, InferredKind, inferred_lines};
pub use integers::{FORMS, integer, integers};
pub use nearest::{list, nearest};
pub use options::OptionTexts;
pub use source::LayerPart;
pub use source::{Place, Source, SourceLine};
