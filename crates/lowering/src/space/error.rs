//! The error of a space that cannot be enumerated, lowered or evaluated.

use thiserror::Error;

use crate::lowering::LoweringError;
use crate::spec::SpecError;
use autotune_base::text::words::{self, counted, leave_out_advice};
use autotune_base::ticks::Ticks;
use autotune_base::user_error::{ExitStatus, REPORT, UserError};
use autotune_machine::machine::{Bound, ProgramError, TooManyEvents};

/// The error of a space that cannot be enumerated, lowered or evaluated.
#[derive(Debug, Error)]
pub enum SpaceError {
    /// A spec that cannot be used.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A configuration that cannot be lowered.
    #[error("{}: {why}", words::configuration(configuration))]
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
    /// Unknown configurations.
    #[error("{} not known, {}: {reason}", are(*configurations), if *configurations == 1 { words::named(first).to_owned() } else { format!("the first is {first}") })]
    Unknown {
        /// Their number.
        configurations: usize,
        /// The first one's label.
        first: String,
        /// The reason in a line why nothing is known of the first one.
        reason: String,
        /// Constraints that leave them out.
        leave_out: Vec<String>,
    },
    /// A configuration that takes too many events.
    #[error("{}: {why}", words::configuration(configuration))]
    TooManyEvents {
        /// The configuration's label.
        configuration: String,
        /// The number of events that are evaluated at most.
        why: TooManyEvents,
    },
    /// A configuration whose time is too long to compute, and that no bound excludes.
    #[error("{}: {why}", words::configuration(configuration))]
    TooLong {
        /// The upper bound of its time.
        configuration: String,
        /// The greatest time that is accepted.
        why: ProgramError,
    },
    /// A lower bound exceeds the time itself: a mistake of this program.
    #[error("{} takes {ticks} ticks, below its lower bound {} by {}", words::configuration(configuration), bound.ticks, bound.by)]
    UnsoundBound {
        /// The configuration's label.
        configuration: String,
        /// The lower bound.
        bound: Bound,
        /// The native time, in ticks.
        ticks: Ticks,
    },
}

impl SpaceError {
    /// The reason in a line why the GPU refuses each configuration that the constraints leave; `None` for any other error.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        match self {
            Self::Lowering { why, .. } => why.refusal().map(|refused| refused.to_string()),
            _ => None,
        }
    }
}

fn are(configurations: usize) -> String {
    format!("{} {}", counted(configurations as u128, "configuration"), if configurations == 1 { "is" } else { "are" })
}

impl UserError for SpaceError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Lowering { why, .. } => why.status(),
            Self::Unknown { .. } => ExitStatus::BestEffort,
            Self::Spec(_) | Self::TooManyConfigurations { .. } | Self::TooManyEvents { .. } | Self::TooLong { .. } => {
                ExitStatus::Unusable
            }
            Self::UnsoundBound { .. } => ExitStatus::Failure,
        }
    }

    fn answers(&self) -> Vec<String> {
        match self {
            Self::Lowering { why, .. } => why.answers(),
            _ => Vec::new(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Spec(error) => error.help(),
            Self::Lowering { why, .. } => why.help(),
            Self::Unknown { leave_out, .. } => Some(leave_out_advice(leave_out)),
            Self::TooManyConfigurations { .. } => Some("narrow the domains or add constraints".to_owned()),
            Self::TooManyEvents { .. } | Self::TooLong { .. } => Some(
                "a smaller problem size has fewer events; constraints can exclude configurations that are far too slow"
                    .to_owned(),
            ),
            Self::UnsoundBound { .. } => Some(REPORT.to_owned()),
        }
    }
}
