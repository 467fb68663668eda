//! The error of a version that cannot be predicted.

use thiserror::Error;

use crate::cli::failure::Failure;
use autotune_base::user_error::{ExitStatus, UserError, message};

/// The reason why a step of a ladder has no time.
#[derive(Debug, Error)]
pub(super) enum StepError {
    /// An error in one of the steps, with its place in the list.
    #[error("{place}\n{}", message(&**why))]
    Step { place: String, why: Box<Failure> },
    #[error("its options cannot be used: {0}")]
    Options(String),
    #[error("its options leave {0} configurations, and a step is one")]
    Several(usize),
    #[error("its time is not known: {0}")]
    Unknown(String),
}

impl UserError for StepError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Step { why, .. } => why.status(),
            Self::Options(_) | Self::Several(_) => ExitStatus::Unusable,
            Self::Unknown(_) => ExitStatus::BestEffort,
        }
    }

    fn help(&self) -> Option<String> {
        let advice = match self {
            Self::Step { why, .. } => return why.help(),
            Self::Options(_) => "`options` has those of `autotune evaluate`, each word an item of its own",
            Self::Several(_) => "name one among the `options`: `--config A=1,B=2`",
            Self::Unknown(_) => "`--source-limit TIME` gives the analysis of a source more time",
        };
        Some(advice.to_owned())
    }
}
