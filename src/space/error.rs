//! The error of a space that cannot be enumerated, lowered or evaluated.

use thiserror::Error;

use crate::lowering::LoweringError;
use crate::machine::{Bound, ProgramError, TooManyEvents};
use crate::spec::SpecError;
use crate::ticks::Ticks;
use crate::user_error::{ExitStatus, REPORT, UserError};

/// The error of a space that cannot be enumerated, lowered or evaluated.
#[derive(Debug, Error)]
pub enum SpaceError {
    /// A spec that cannot be used.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A configuration that cannot be lowered.
    #[error("configuration {configuration}: {why}")]
    Lowering {
        /// The configuration's label, `A=1,B=2`.
        configuration: String,
        /// The reason.
        why: Box<LoweringError>,
    },
    /// The constraints leave too many configurations.
    #[error("the constraints and domains leave more than {most} configurations")]
    TooManyConfigurations {
        /// The greatest number that is accepted.
        most: usize,
    },
    /// A configuration that takes too many events.
    #[error("configuration {configuration}: {why}")]
    TooManyEvents {
        /// The configuration's label.
        configuration: String,
        /// The number of events that are evaluated at most.
        why: TooManyEvents,
    },
    /// A configuration whose time is too long to compute, and that no bound excludes.
    #[error("configuration {configuration}: {why}")]
    TooLong {
        /// The upper bound of its time.
        configuration: String,
        /// The greatest time that is accepted.
        why: ProgramError,
    },
    /// A lower bound exceeds the time itself: a mistake of this program.
    #[error("configuration {configuration} takes {ticks} ticks, below its lower bound {} by {}", bound.ticks, bound.by)]
    UnsoundBound {
        /// The configuration's label.
        configuration: String,
        /// The lower bound.
        bound: Bound,
        /// The native time, in ticks.
        ticks: Ticks,
    },
}

impl UserError for SpaceError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Spec(_)
            | Self::Lowering { .. }
            | Self::TooManyConfigurations { .. }
            | Self::TooManyEvents { .. }
            | Self::TooLong { .. } => ExitStatus::Unusable,
            Self::UnsoundBound { .. } => ExitStatus::Failure,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Spec(error) => error.help(),
            Self::Lowering { why, .. } => why.help(),
            Self::TooManyConfigurations { .. } => Some("narrow the domains or add constraints".to_owned()),
            Self::TooManyEvents { .. } | Self::TooLong { .. } => Some(
                "a smaller problem size has fewer events; constraints can exclude configurations that are far too slow"
                    .to_owned(),
            ),
            Self::UnsoundBound { .. } => Some(REPORT.to_owned()),
        }
    }
}
