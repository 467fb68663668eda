//! The error of a journal that cannot be used.

use std::io::{self};
use std::path::PathBuf;

use thiserror::Error;

use autotune_base::user_error::{ExitStatus, UserError, is_of_the_command_line};

/// A reason why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// A folder or file that cannot be used.
    #[error("cannot use `{}`: {why}", path.display())]
    File {
        /// The path.
        path: PathBuf,
        /// The system's error.
        why: io::Error,
    },
    /// A journal that another process is writing.
    #[error("another {work} is running in `{}`", folder.display())]
    Running {
        /// The work that the journal records.
        work: &'static str,
        /// The folder.
        folder: PathBuf,
    },
    /// A journal in the folder of a new work.
    #[error("`{}` already has the journal of a {work}", folder.display())]
    Exists {
        /// The work that the journal records.
        work: &'static str,
        /// The folder.
        folder: PathBuf,
    },
    /// A damaged line other than the last.
    #[error("line {line} of `{}` is damaged: {why}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
        /// The damage.
        why: String,
    },
    /// A file that is not a journal.
    #[error("`{}` is not the journal of a {work}", path.display())]
    Foreign {
        /// The work that the journal should record.
        work: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// The journal of a work with other inputs.
    #[error("the journal in `{}` is of another {work}: {difference}", folder.display())]
    Other {
        /// The work that the journal records.
        work: &'static str,
        /// The folder.
        folder: PathBuf,
        /// The first difference, in words.
        difference: String,
    },
}

impl JournalError {
    fn advice(&self) -> String {
        match self {
            Self::Running { .. } => "wait until it has ended, or name another folder".to_owned(),
            Self::Exists { work, .. } => {
                format!("continue it with `--resume`, or name another folder for a new {work}")
            }
            Self::Damaged { .. } => {
                "a crash can only tear the last line: remove the damaged lines, or start in a new folder".to_owned()
            }
            Self::Other { work, .. } => {
                format!(
                    "name another folder, which the same command without `--resume` fills, or use the inputs and the version that \
                     the {work} was started with"
                )
            }
            Self::Foreign { .. } => "name another folder: autotune does not overwrite foreign files".to_owned(),
            Self::File { .. } => "name a folder that can be made and that you may write".to_owned(),
        }
    }
}

impl UserError for JournalError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::File { why, .. } if !is_of_the_command_line(why) => ExitStatus::Failure,
            Self::File { .. }
            | Self::Running { .. }
            | Self::Exists { .. }
            | Self::Damaged { .. }
            | Self::Foreign { .. }
            | Self::Other { .. } => ExitStatus::Unusable,
        }
    }

    fn help(&self) -> Option<String> {
        Some(self.advice())
    }
}
