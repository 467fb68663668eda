//! The refusal of a call: what is wrong, and how to mend it.

use std::fmt::Display;

use crate::cli::failure::Failure;
use autotune_base::user_error::{UserError, message};

/// A call that has no answer.
#[derive(Debug)]
pub(super) struct Refusal {
    /// The fault, with its place and its values.
    pub(super) error: String,
    /// Advice; `None` if the message says it.
    pub(super) help: Option<String>,
}

impl Refusal {
    pub(super) fn new(error: impl Display, help: impl Display) -> Self {
        Self { error: error.to_string(), help: Some(help.to_string()) }
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self { error: message(&failure), help: failure.help() }
    }
}

impl<E: UserError + 'static> From<E> for Refusal {
    fn from(error: E) -> Self {
        Failure::from(error).into()
    }
}
