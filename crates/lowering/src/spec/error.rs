//! The errors of a spec and of questions about it, with advice.

mod problem;

use std::ops::Range;
use std::sync::Arc;

use thiserror::Error;

use super::configuration::ConfigurationError;
use super::expression::EvaluationError;
use autotune_base::text::{Place, Source, list};
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_kernel::source::{READ_LANGUAGES, UnreadLanguage};

pub(super) use problem::Flaw;
pub use problem::Problem;

/// The reason why a spec cannot be used. `Display` prints the whole message: the problem and, if it has a place, the
/// file, the line, the column and the line itself.
#[derive(Debug, Error)]
pub enum SpecError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// The file is not UTF-8.
    #[error("`{path}` is not UTF-8: the byte at offset {valid} is invalid")]
    NotText {
        /// The file.
        path: String,
        /// The number of valid bytes before the first invalid one.
        valid: usize,
    },
    /// The file is not a spec, but a kernel in a language that is not read.
    #[error("{0}")]
    Unread(UnreadLanguage),
    /// Something in the file is wrong.
    #[error("{}", .0.render())]
    InFile(Box<Located>),
    /// An expression cannot be evaluated for a configuration.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// A problem size that the spec does not have was to be set.
    #[error("the spec has no problem size `{name}`")]
    UnknownProblemSize {
        /// The unknown name.
        name: String,
        /// The most similar problem size; `None` if none is similar enough.
        nearest: Option<String>,
        /// All problem sizes of the spec.
        known: Vec<String>,
    },
    /// A text that should name one configuration does not.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
}

/// A problem and its place in a spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The problem.
    pub problem: Problem,
    source: Arc<Source>,
    span: Range<usize>,
}

impl SpecError {
    /// Returns a problem with some bytes of a text.
    pub(super) fn at(source: &Arc<Source>, span: Range<usize>, problem: Problem) -> Self {
        Self::InFile(Box::new(Located { problem, source: Arc::clone(source), span }))
    }

    /// Returns a problem with the word that begins at a place.
    pub(super) fn at_word(source: &Arc<Source>, place: Place, problem: Problem) -> Self {
        Self::at(source, source.word(place.offset as usize), problem)
    }

    /// The first byte of the text that is wrong; 0 if the error has no place.
    pub(super) fn begin(&self) -> usize {
        match self {
            Self::InFile(located) => located.span.start,
            _ => 0,
        }
    }

    /// Returns the file and the place; `None` if the error has no place.
    #[must_use]
    pub fn place(&self) -> Option<(String, Place)> {
        match self {
            Self::InFile(located) => Some(located.source.whereabouts(located.span.start)),
            Self::Evaluation(error) => Some(error.place()),
            _ => None,
        }
    }

    /// Returns the name of the file that is wrong; `None` if the error is not in a file's text.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        match self {
            Self::InFile(located) => Some(located.source.name()),
            _ => None,
        }
    }
}

impl UserError for SpecError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::InFile(located) => located.problem.help(),
            Self::Configuration(error) => error.help(),
            Self::UnknownProblemSize { nearest, known, .. } => Some(match (nearest, known.as_slice()) {
                (Some(nearest), _) => format!("did you mean `{nearest}`?"),
                (None, []) => "the spec has no problem sizes".to_owned(),
                (None, known) => format!("its problem sizes are {}", list(known)),
            }),
            Self::Unread(_) => Some(READ_LANGUAGES.to_owned()),
            Self::NotText { .. } => Some("save the file as UTF-8".to_owned()),
            Self::Read(_) | Self::Evaluation(_) => None,
        }
    }
}

impl Located {
    /// The bytes that have the problem.
    pub(super) fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// True if the problem is in this text.
    pub(super) fn is_in(&self, source: &Arc<Source>) -> bool {
        Arc::ptr_eq(&self.source, source)
    }

    /// Moves the problem to another place.
    pub(super) fn place_in(&mut self, source: &Arc<Source>, span: Range<usize>) {
        self.source = Arc::clone(source);
        self.span = span;
    }

    fn render(&self) -> String {
        let of_options = if self.source.is_of_options() { self.problem.of_options() } else { None };
        match (of_options, &self.problem) {
            (Some(missing), Problem::MissingKey { .. }) => missing,
            (title, problem) => {
                self.source.frame_of(&title.unwrap_or_else(|| problem.to_string()), self.span.clone(), "")
            }
        }
    }
}
