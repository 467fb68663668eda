//! The errors of searches, and their conversion to proof errors.

use super::super::answer::StopReason;
use super::super::{ProofError, TuningError};
use crate::spin::SpinError;
use crate::spin::pan_output::Cut;
use autotune_machine::search::Bracket;

/// A reason why a search gave no answer.
pub(super) enum SearchError {
    Spin(SpinError),
    Tuning(TuningError),
}

impl From<SpinError> for SearchError {
    fn from(error: SpinError) -> Self {
        Self::Spin(error)
    }
}

impl From<TuningError> for SearchError {
    fn from(error: TuningError) -> Self {
        Self::Tuning(error)
    }
}

impl SearchError {
    /// Converts the error to a [`ProofError`] with the interval that is known to hold the optimum.
    pub(super) fn with(self, bracket: Option<Bracket>) -> ProofError {
        match self {
            Self::Spin(error) => proof_error(error, bracket),
            Self::Tuning(error) => error.into(),
        }
    }
}

pub(super) fn proof_error(error: SpinError, bracket: Option<Bracket>) -> ProofError {
    let reason = error.to_string();
    match error {
        SpinError::Stopped(stop) => ProofError::Open { bracket, stopped: stop.into(), reason },
        SpinError::Cut(cut) => {
            let stopped = if cut == Cut::Memory { StopReason::Memory } else { StopReason::Search };
            ProofError::Open { bracket, stopped, reason }
        }
        error => ProofError::Failed(error.into()),
    }
}
