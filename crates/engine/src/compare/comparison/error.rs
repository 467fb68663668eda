//! The error of a comparison.

use thiserror::Error;

use crate::compare::{PredictedCost, Predictor};
use autotune_base::text::words;
use autotune_base::ticks::Ticks;
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_lowering::space::SpaceError;

/// A reason why models cannot be compared.
#[derive(Debug, Error)]
pub enum CompareError {
    /// Configurations that cannot be assessed.
    #[error(transparent)]
    Analysis(#[from] SpaceError),
    /// A space without a feasible configuration, with the reason for the first.
    #[error("the configuration cannot run: {0}")]
    Infeasible(String),
    /// A lower bound above the time: a bug of the predictor or of the evaluator.
    #[error("{} takes {ticks} ticks, below its lower bound {bound} by {}", words::configuration(configuration), model.name())]
    UnsoundBound {
        /// The configuration's label.
        configuration: String,
        /// The predictor with the bound.
        model: Predictor,
        /// The bound, in ticks.
        bound: Box<PredictedCost>,
        /// The time, native or proved, in ticks.
        ticks: Box<PredictedCost>,
    },
    /// A proved time that is not the native one: a bug of the evaluator or of the checker.
    #[error("{} takes {native} ticks by the evaluator and {proved} by the proof", words::configuration(configuration))]
    WrongTime {
        /// The configuration's label.
        configuration: String,
        /// The time by the evaluator, in ticks.
        native: Box<PredictedCost>,
        /// The time by the proof, in ticks.
        proved: Ticks,
    },
}

impl UserError for CompareError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Analysis(error) => error.status(),
            Self::Infeasible(_) => ExitStatus::Infeasible,
            Self::UnsoundBound { .. } | Self::WrongTime { .. } => ExitStatus::Failure,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Analysis(error) => error.help(),
            Self::Infeasible(_) => None,
            Self::UnsoundBound { .. } | Self::WrongTime { .. } => {
                Some("this is a bug of autotune, please report it".to_owned())
            }
        }
    }
}
