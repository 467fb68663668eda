//! The question that the text of a source states.

use crate::spec::SourceOptions;
use autotune_base::text::Inferred;

/// A question about a source with what its text says.
#[derive(Debug)]
pub struct Inference {
    /// The options, complete as far as the text says.
    pub options: SourceOptions,
    /// The parts that the text gave, in the order of an answer.
    pub inferred: Vec<Inferred>,
}
