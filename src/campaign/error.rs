//! The reason why a measurement cannot go on.

use std::ops::Range;
use std::path::PathBuf;

use thiserror::Error;

use super::template::BraceError;
use super::time::TimeError;
use crate::measuring::MeasuringError;
use crate::process::ProcessError;
use crate::session::{JournalError, SessionError};
use crate::text::Source;
use crate::user_error::{ExitStatus, UserError};

/// The reason why a measurement cannot go on. A run that fails is not such a reason.
#[derive(Debug, Error)]
pub enum MeasureError {
    /// A command that has no words.
    #[error("cannot use the command `{}`: {why}", command.escape_debug())]
    Command {
        /// The command.
        command: String,
        /// The reason.
        why: &'static str,
    },
    /// A brace in a command that stands neither for a parameter's value nor for itself.
    #[error("{}", Source::new(option, command).frame_of(&error.to_string(), span.clone(), ""))]
    Brace {
        /// The option that gives the command.
        option: &'static str,
        /// The command.
        command: String,
        /// The error.
        error: Box<BraceError>,
        /// The bytes of the command that it is about.
        span: Range<usize>,
    },
    /// A program that does not exist.
    #[error("the program `{}` is not found", program.escape_debug())]
    NoProgram {
        /// The program, as the command names it.
        program: String,
    },
    /// A pattern that finds no times.
    #[error("cannot use `--time-pattern`: {0}")]
    Pattern(TimeError),
    /// A parameter whose variable has another meaning.
    #[error("the variable `AUTOTUNE_{name}` would be that of the parameter `{name}`, and of all values")]
    Reserved {
        /// The parameter's name.
        name: String,
    },
    /// A space without anything to suggest.
    #[error(transparent)]
    Measuring(#[from] MeasuringError),
    /// A journal that cannot be opened or continued.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A journal that can no longer be written.
    #[error(transparent)]
    Lost(Box<SessionError>),
    /// A command that cannot be started for a reason of the system.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// An output that cannot be kept.
    #[error("cannot write `{}`", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// The reason.
        #[source]
        why: std::io::Error,
    },
}

impl UserError for MeasureError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Measuring(error) => error.status(),
            Self::Journal(error) => error.status(),
            Self::Lost(error) => error.status(),
            Self::Command { .. }
            | Self::Brace { .. }
            | Self::NoProgram { .. }
            | Self::Pattern(_)
            | Self::Reserved { .. } => ExitStatus::Unusable,
            Self::Process(_) | Self::Output { .. } => ExitStatus::Failure,
        }
    }

    fn help(&self) -> Option<String> {
        let advice = |text: &str| Some(text.to_owned());
        match self {
            Self::Measuring(error) => error.help(),
            Self::Journal(error) => error.help(),
            Self::Lost(error) => error.help(),
            Self::Command { .. } => advice("a command is a program and its arguments, quoted as in a shell"),
            Self::Brace { error, .. } => Some(error.help()),
            Self::NoProgram { .. } => {
                advice("name a program of the PATH, or its path; a line of a shell needs `--shell`")
            }
            Self::Pattern(_) => advice("such as --time-pattern 'kernel: (?<time>[0-9.]+) ms'"),
            Self::Reserved { .. } => advice("give the parameter another name: `AUTOTUNE_FLAGS` holds -DNAME=VALUE …"),
            Self::Output { .. } => advice("what was measured is kept: make room, then `--resume` goes on from there"),
            Self::Process(_) => None,
        }
    }
}
