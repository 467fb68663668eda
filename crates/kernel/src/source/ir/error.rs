//! The reader's errors.

use thiserror::Error;

/// A text that is not understood.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line} of the compiler's output: {problem}")]
pub struct IrError {
    /// The line of the text, from 1.
    pub line: usize,
    /// The words that are not understood.
    pub problem: String,
}
