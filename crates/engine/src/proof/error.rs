//! The error of a question that cannot be answered.

use thiserror::Error;

use crate::model::ModelError;
use crate::spin::SpinError;
use autotune_base::text::words;
use autotune_base::ticks::Ticks;
use autotune_base::user_error::{ExitStatus, REPORT, UserError};
use autotune_lowering::space::SpaceError;
use autotune_machine::search::Disagreement;

/// A reason why a question cannot be answered.
#[derive(Debug, Error)]
pub enum TuningError {
    /// A space that cannot be enumerated, lowered or evaluated.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// Candidates that cannot become a model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A failure of SPIN or the compiler.
    #[error(transparent)]
    Spin(#[from] SpinError),
    /// An optimum by SPIN that differs from the native evaluator's: a bug of this program.
    #[error("{0}")]
    Disagreement(Disagreement),
    /// A configuration whose time by SPIN is not the native one: a bug of this program.
    #[error(
        "{} takes {native} ticks by the evaluator and {checked} by the checker",
        words::configuration(configuration)
    )]
    WrongTime {
        /// The configuration's label.
        configuration: String,
        /// The native time, in ticks.
        native: Ticks,
        /// The time by SPIN, in ticks.
        checked: Ticks,
    },
    /// A configuration whose times in every order by SPIN are not the native ones: a bug of this program.
    #[error(
        "in every order, a wave of {} takes {native} by the explorer and {checked} by the checker",
        words::configuration(configuration)
    )]
    WrongExtremes {
        /// The configuration's label.
        configuration: String,
        /// The native times of the wave.
        native: String,
        /// The times by SPIN.
        checked: String,
    },
    /// Claims of the result that contradict each other.
    #[error("the result contradicts itself: {}", .0.join("; "))]
    Contradiction(Vec<String>),
    /// A search without the evidence that a proof needs.
    #[error("the search is not a proof: {0}")]
    NoProof(String),
}

impl UserError for TuningError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Space(error) => error.status(),
            Self::Model(error) => error.status(),
            Self::Spin(_)
            | Self::Disagreement(_)
            | Self::WrongTime { .. }
            | Self::WrongExtremes { .. }
            | Self::Contradiction(_)
            | Self::NoProof(_) => ExitStatus::Failure,
        }
    }

    fn answers(&self) -> Vec<String> {
        match self {
            Self::Space(error) => error.answers(),
            _ => Vec::new(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Space(error) => error.help(),
            Self::Model(error) => error.help(),
            Self::Spin(SpinError::Process(_) | SpinError::File(_)) => None,
            Self::Spin(SpinError::NoRoom { .. }) => {
                Some("make room there, or name another place for temporary files with the variable TMPDIR".to_owned())
            }
            Self::Spin(SpinError::Refused { .. }) => Some(
                "`autotune doctor` tests all that a proof needs; if it finds nothing wrong, this is a bug of autotune, \
                 and `--keep DIR` keeps what to report"
                    .to_owned(),
            ),
            Self::Spin(_)
            | Self::Disagreement(_)
            | Self::WrongTime { .. }
            | Self::WrongExtremes { .. }
            | Self::Contradiction(_)
            | Self::NoProof(_) => Some(REPORT.to_owned()),
        }
    }
}
