//! What can be wrong with a spec, and how to mend it.

use std::ops::Range;
use std::sync::Arc;

use thiserror::Error;

use super::expression::EvaluationError;
use super::source::Source;
use super::tree::Function;

/// Why a spec cannot be used. Its text is the whole message: what, and where it has a place, file, line, column and the
/// line itself.
#[derive(Debug, Error)]
pub enum SpecError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// Something in the file is wrong.
    #[error("{}", .0.render())]
    InFile(Box<Located>),
    /// An expression has no value for a configuration.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
}

/// A problem and its place in a spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// What is wrong.
    pub problem: Problem,
    source: Arc<Source>,
    span: Range<usize>,
}

/// What is wrong at some place in a spec.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// A character that no expression has.
    #[error("an expression has no `{}`", found.escape_debug())]
    UnexpectedCharacter {
        /// It.
        found: char,
    },
    /// A word that cannot stand where it is.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What could stand there.
        expected: &'static str,
        /// What does.
        found: String,
    },
    /// A number with a fraction, an exponent or a unit.
    #[error("`{found}` is not an integer")]
    NotAnInteger {
        /// It.
        found: String,
    },
    /// A number beyond 64 bits.
    #[error("`{found}` does not fit 64 bits")]
    NumberTooLarge {
        /// It.
        found: String,
    },
    /// Too many words.
    #[error("an expression has at most {most} words")]
    ExpressionTooLong {
        /// How many may be.
        most: usize,
    },
    /// Too many parentheses.
    #[error("an expression is nested at most {deepest} deep")]
    ExpressionTooDeep {
        /// How deep may be.
        deepest: usize,
    },
    /// A name that nobody defines.
    #[error("unknown name `{name}`")]
    UnknownName {
        /// It.
        name: String,
        /// The most similar name that could stand there.
        nearest: Option<String>,
    },
    /// A function that there is not.
    #[error("unknown function `{name}`")]
    UnknownFunction {
        /// It.
        name: String,
        /// The most similar one.
        nearest: Option<String>,
    },
    /// Too few or too many arguments.
    #[error("`{function}` takes {takes} arguments, found {given}")]
    WrongArguments {
        /// Whose.
        function: &'static str,
        /// How many it takes, in words.
        takes: &'static str,
        /// How many are there.
        given: usize,
    },
    /// A parameter or a `let` in a domain.
    #[error("`{name}` cannot be used in a domain")]
    NotInDomain {
        /// The name.
        name: String,
    },
    /// A `let` that uses one below it, or itself.
    #[error("`{name}` is not yet defined here")]
    NotYetDefined {
        /// The name.
        name: String,
    },
    /// A name that is known elsewhere only.
    #[error("`{name}` is known in `{place}` only")]
    OnlyIn {
        /// The name.
        name: String,
        /// Where it is known.
        place: &'static str,
    },
    /// A name of the spec that has a meaning of its own where it is used.
    #[error("`{name}` is ambiguous here")]
    Ambiguous {
        /// The name.
        name: String,
    },
}

/// A problem in an expression; the range is that of the expression's text.
#[derive(Debug)]
pub(super) struct Flaw {
    pub(super) problem: Problem,
    pub(super) range: Range<usize>,
}

impl Flaw {
    pub(super) fn new(problem: Problem, range: Range<usize>) -> Self {
        Self { problem, range }
    }
}

impl SpecError {
    /// A problem with some bytes of a text.
    pub(super) fn at(source: &Arc<Source>, span: Range<usize>, problem: Problem) -> Self {
        Self::InFile(Box::new(Located {
            problem,
            source: Arc::clone(source),
            span,
        }))
    }

    /// How to mend it, where that can be said.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        None
    }
}

impl Located {
    fn render(&self) -> String {
        self.source
            .frame_of(&self.problem.to_string(), self.span.clone(), "")
    }
}

impl Problem {
    pub(super) fn unknown_function(name: &str) -> Self {
        Self::UnknownFunction {
            name: name.to_owned(),
            nearest: nearest(name, Function::ALL.map(Function::name)),
        }
    }
}

/// The most similar of the known words, if one is similar enough to have been meant.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let similar = |candidate: &'a str| (strsim::jaro_winkler(word, candidate), candidate);
    let best = known
        .into_iter()
        .map(similar)
        .max_by(|left, right| left.0.total_cmp(&right.0))?;
    (best.0 >= 0.8).then(|| best.1.to_owned())
}
