//! The reasons why it cannot be said what fits a GPU.

use thiserror::Error;

use autotune_base::user_error::{ExitStatus, UserError};
use autotune_lowering::spec::SpecError;

/// The reason why it cannot be said what fits a GPU.
#[derive(Debug, Error)]
pub enum FitsError {
    /// A domain, a constraint or a configuration cannot be read.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A space with too many configurations.
    #[error("{message}")]
    TooLarge {
        /// The limit that the space exceeds.
        message: String,
        /// The way to make the space smaller.
        help: Option<String>,
    },
}

impl UserError for FitsError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Spec(error) => error.help(),
            Self::TooLarge { help, .. } => help.clone(),
        }
    }
}
