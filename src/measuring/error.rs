//! The reason why nothing can be suggested.

use thiserror::Error;

use autotune_base::user_error::{ExitStatus, UserError};
use autotune_lowering::space::SpaceError;

/// The reason why nothing can be suggested.
#[derive(Debug, Error)]
pub enum MeasuringError {
    /// A space that cannot be enumerated, lowered or evaluated.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// A space without a feasible configuration, with the rules that exclude them.
    #[error("no configuration can run: {0}")]
    NothingRuns(String),
}

impl UserError for MeasuringError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Space(error) => error.status(),
            Self::NothingRuns(_) => ExitStatus::Infeasible,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Space(error) => error.help(),
            Self::NothingRuns(_) => None,
        }
    }
}
