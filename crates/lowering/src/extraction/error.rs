//! The error of a spec whose source cannot be held against a body.

use thiserror::Error;

use crate::space::SpaceError;
use crate::spec::SpecError;
use autotune_base::user_error::{ExitStatus, UserError};

/// The reason why a body cannot be extracted or checked.
#[derive(Debug, Error)]
pub enum ExtractionError {
    /// A spec without a source.
    #[error("this spec names no kernel source")]
    NoSource,
    /// A spec whose source stands in place of a body.
    #[error("this spec has a `source` and no `body` that it could be held against")]
    NoBody,
    /// A configuration that the spec or the GPU excludes; nothing feasible without one.
    #[error("{0}")]
    Infeasible(String),
    /// A configuration that cannot be lowered or enumerated.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

impl From<SpecError> for ExtractionError {
    fn from(error: SpecError) -> Self {
        Self::Space(error.into())
    }
}

impl UserError for ExtractionError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::NoSource | Self::NoBody => ExitStatus::Unusable,
            Self::Infeasible(_) => ExitStatus::Infeasible,
            Self::Space(error) => error.status(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::NoSource => Some(
                "write `source: { file: kernel.cl }` into it: beside the `body` that describes it, or in place of one"
                    .to_owned(),
            ),
            Self::NoBody => {
                Some("`autotune extract SPEC --gpu GPU` prints a spec with the body of a configuration".to_owned())
            }
            Self::Infeasible(_) => None,
            Self::Space(error) => error.help(),
        }
    }
}
