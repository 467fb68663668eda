//! The error of a depfile.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use autotune_base::user_error::{ExitStatus, UserError, is_of_the_command_line};

/// The reason why there is no depfile.
#[derive(Debug, Error)]
pub(in crate::cli) enum DepfileError {
    /// A file that is something else.
    #[error("`{}` exists, and is not a depfile of autotune", .0.display())]
    Foreign(PathBuf),
    /// A file that cannot be removed or written.
    #[error("cannot write the depfile `{}`", path.display())]
    Unwritable {
        path: PathBuf,
        #[source]
        why: io::Error,
    },
}

impl UserError for DepfileError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Unwritable { why, .. } if !is_of_the_command_line(why) => ExitStatus::Failure,
            Self::Foreign(_) | Self::Unwritable { .. } => ExitStatus::Unusable,
        }
    }

    fn help(&self) -> Option<String> {
        let advice = match self {
            Self::Foreign(_) => "name another file, or move it away: only depfiles of autotune are replaced",
            Self::Unwritable { .. } => "name a file in a folder that you may write to",
        };
        Some(advice.to_owned())
    }
}
