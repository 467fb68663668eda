//! Bodies and the sources that they describe: the body that a source amounts to, and bodies held against sources.

mod agreement;
mod document;
mod error;
mod lines;
mod statements;
mod time;

pub use agreement::{Agreement, ComparedAmount, CountedPlace, QuantityAgreement, agreement};
pub use document::{ExtractedSpec, extract};
pub use error::ExtractionError;
