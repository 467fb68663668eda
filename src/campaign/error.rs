//! The reason why a measurement cannot go on.

use std::ops::Range;
use std::path::PathBuf;

use thiserror::Error;

use super::template::BraceError;
use super::time::TimeError;
use crate::measuring::MeasuringError;
use crate::session::{JournalError, SessionError};
use autotune_base::process::ProcessError;
use autotune_base::text::Source;
use autotune_base::user_error::{ExitStatus, UserError};

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
    /// A micro-benchmark that does not run, or prints no time.
    #[error("{what} failed: {reason}")]
    Benchmark {
        /// The command, in words.
        what: String,
        /// The reason.
        reason: String,
        /// The file with the command and its output.
        kept: PathBuf,
    },
    /// A file of runs that cannot be continued.
    #[error("cannot use `{}`{}: {why}", path.display(), if *line > 0 { format!(", line {line}") } else { String::new() })]
    Runs {
        /// The file.
        path: PathBuf,
        /// The line, from 1; 0 for the whole file.
        line: usize,
        /// The reason.
        why: String,
    },
    /// A profile in a file, where one that the program has is needed.
    #[error("a profile's base is one that autotune has, and `{}` is a file", file.escape_debug())]
    BaseFile {
        /// The file.
        file: String,
    },
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
            | Self::Runs { .. }
            | Self::BaseFile { .. }
            | Self::Reserved { .. } => ExitStatus::Unusable,
            Self::Benchmark { .. } | Self::Process(_) | Self::Output { .. } => ExitStatus::Failure,
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
            Self::Benchmark { kept, .. } => Some(format!(
                "`{}` has the command and its output; once it runs, `--resume` goes on from here",
                kept.display()
            )),
            Self::Runs { .. } => advice("`--resume` goes on with it; another `--out` begins anew"),
            Self::BaseFile { .. } => {
                advice("name the GPU of `autotune gpus` that is the most similar: the values are added to it")
            }
            Self::Output { .. } => advice("what was measured is kept: make room, then `--resume` goes on from there"),
            Self::Process(_) => None,
        }
    }
}
