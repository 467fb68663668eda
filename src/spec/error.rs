//! Why a spec, or a question about it, cannot be used, and how to mend it.

use std::ops::Range;
use std::sync::Arc;

use thiserror::Error;

use super::configuration::ConfigurationError;
use super::expression::EvaluationError;
use crate::text::{Place, Source, list};

mod problem;

pub(super) use problem::Flaw;
pub use problem::Problem;

/// Why a spec cannot be used. Its text is the whole message: what, and where it has a place, file, line, column and the
/// line itself.
#[derive(Debug, Error)]
pub enum SpecError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// The file is no text.
    #[error("`{path}` is not UTF-8 from byte {valid} on")]
    NotText {
        /// The file.
        path: String,
        /// How many bytes at its beginning are.
        valid: usize,
    },
    /// Something in the file is wrong.
    #[error("{}", .0.render())]
    InFile(Box<Located>),
    /// An expression has no value for a configuration.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// There is no problem size of the name that was to be set.
    #[error("the spec has no problem size `{name}`")]
    UnknownProblemSize {
        /// The name.
        name: String,
        /// The most similar one.
        nearest: Option<String>,
        /// All of them.
        known: Vec<String>,
    },
    /// A text that should name one configuration does not.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
}

/// A problem and its place in a spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// What is wrong.
    pub problem: Problem,
    source: Arc<Source>,
    span: Range<usize>,
}

impl SpecError {
    /// A problem with some bytes of a text.
    pub(super) fn at(source: &Arc<Source>, span: Range<usize>, problem: Problem) -> Self {
        Self::InFile(Box::new(Located { problem, source: Arc::clone(source), span }))
    }

    /// A problem with the word that begins at a place.
    pub(super) fn at_word(source: &Arc<Source>, place: Place, problem: Problem) -> Self {
        Self::at(source, source.word(place.offset as usize), problem)
    }

    /// The first byte of the text that is wrong; 0 where that is not known.
    pub(super) fn begin(&self) -> usize {
        match self {
            Self::InFile(located) => located.span.start,
            _ => 0,
        }
    }

    /// File, line and column, where it has a place.
    #[must_use]
    pub fn place(&self) -> Option<(String, Place)> {
        match self {
            Self::InFile(located) => Some((located.source.name().to_owned(), located.source.place(located.span.start))),
            Self::Evaluation(error) => Some(error.place()),
            _ => None,
        }
    }

    /// The name of the file in which something is wrong, if it is in one.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        match self {
            Self::InFile(located) => Some(located.source.name()),
            _ => None,
        }
    }

    /// How to mend it, where that can be said.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        match self {
            Self::InFile(located) => located.problem.help(),
            Self::Configuration(error) => error.help(),
            Self::UnknownProblemSize { nearest, known, .. } => Some(match (nearest, known.as_slice()) {
                (Some(nearest), _) => format!("did you mean `{nearest}`?"),
                (None, []) => "it has none".to_owned(),
                (None, known) => format!("it has {}", list(known)),
            }),
            Self::Read(_) | Self::NotText { .. } | Self::Evaluation(_) => None,
        }
    }
}

impl Located {
    /// The bytes that it is about.
    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// Whether it is about this text.
    pub(super) fn is_in(&self, source: &Arc<Source>) -> bool {
        Arc::ptr_eq(&self.source, source)
    }

    /// Gives it another place.
    pub(super) fn place_in(&mut self, source: &Arc<Source>, span: Range<usize>) {
        self.source = Arc::clone(source);
        self.span = span;
    }

    fn render(&self) -> String {
        self.source.frame_of(&self.problem.to_string(), self.span.clone(), "")
    }
}
