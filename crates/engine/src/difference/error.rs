//! The reason why two kernels cannot be compared.

use std::fmt;

use thiserror::Error;

use crate::explain::ExplainError;
use autotune_base::user_error::{ExitStatus, UserError};

/// The name of one of the two kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SideName {
    /// The kernel before the change.
    Old,
    /// The kernel after the change.
    New,
}

impl fmt::Display for SideName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Old => "old",
            Self::New => "new",
        })
    }
}

/// A kernel that cannot be counted.
#[derive(Debug, Error)]
#[error("the {side} kernel: {why}")]
pub struct DifferenceError {
    /// The kernel.
    pub side: SideName,
    /// The reason.
    pub why: Box<ExplainError>,
}

impl UserError for DifferenceError {
    fn status(&self) -> ExitStatus {
        self.why.status()
    }

    fn help(&self) -> Option<String> {
        self.why.help()
    }
}
