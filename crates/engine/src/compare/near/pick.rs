//! A configuration that is chosen near the optimum.

use thiserror::Error;

use autotune_base::index::EntryId;
use autotune_base::ticks::Ticks;
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_lowering::lowering::LoweringError;
use autotune_lowering::space::SpaceError;
use autotune_lowering::spec::SpecError;

/// A configuration that is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    /// The survey's entry.
    pub entry: EntryId,
    /// The time, in ticks.
    pub ticks: Ticks,
    /// The work items of a group.
    pub work_group: u64,
}

/// A reason why the neighbourhood cannot be computed.
#[derive(Debug, Error)]
pub enum NearError {
    /// A spec that cannot be used, for example because a preference cannot be evaluated.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A space that cannot be enumerated, lowered or evaluated.
    #[error(transparent)]
    Space(Box<SpaceError>),
    /// A configuration that cannot be launched.
    #[error(transparent)]
    Lowering(#[from] LoweringError),
}

impl From<SpaceError> for NearError {
    fn from(error: SpaceError) -> Self {
        Self::Space(Box::new(error))
    }
}

impl UserError for NearError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Space(error) => error.status(),
            Self::Spec(_) | Self::Lowering(_) => ExitStatus::Unusable,
        }
    }

    fn answers(&self) -> Vec<String> {
        match self {
            Self::Space(error) => error.answers(),
            Self::Lowering(error) => error.answers(),
            Self::Spec(_) => Vec::new(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Spec(error) => error.help(),
            Self::Space(error) => error.help(),
            Self::Lowering(error) => error.help(),
        }
    }
}
