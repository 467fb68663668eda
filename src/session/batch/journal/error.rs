//! The error of a journal that cannot be used.

use std::io::{self};
use std::path::PathBuf;

use thiserror::Error;

use crate::session::batch::inputs::Difference;
use crate::user_error::{ExitStatus, UserError, is_of_the_command_line};

/// A reason for which a journal cannot be used.
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
    /// A journal that another batch is writing.
    #[error("another batch is running in `{}`", .0.display())]
    Running(PathBuf),
    /// A journal in the folder of a new batch.
    #[error("`{}` already has the journal of a batch", .0.display())]
    Exists(PathBuf),
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
    #[error("`{}` is not the journal of a batch", .0.display())]
    Foreign(PathBuf),
    /// The journal of a batch with other inputs.
    #[error("the journal in `{}` is of another batch: {difference}", folder.display())]
    Other {
        /// The batch's folder.
        folder: PathBuf,
        /// The first difference.
        difference: Box<Difference>,
    },
}

impl JournalError {
    fn advice(&self) -> &'static str {
        match self {
            Self::Running(_) => "wait until it has ended, or name another folder",
            Self::Exists(_) => "continue it with `--resume`, or name another folder for a new batch",
            Self::Damaged { .. } => {
                "a crash can only tear the last line: remove the damaged lines, or start in a new folder"
            }
            Self::Other { .. } => "name another folder, or use the inputs with which the batch was started",
            Self::Foreign(_) => "name another folder: autotune does not overwrite foreign files",
            Self::File { .. } => "name a folder that can be made and that you may write",
        }
    }
}

impl UserError for JournalError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::File { why, .. } if !is_of_the_command_line(why) => ExitStatus::Failure,
            Self::File { .. }
            | Self::Running(_)
            | Self::Exists(_)
            | Self::Damaged { .. }
            | Self::Foreign(_)
            | Self::Other { .. } => ExitStatus::Unusable,
        }
    }

    fn help(&self) -> Option<String> {
        Some(self.advice().to_owned())
    }
}
