//! The error of a folder that is not verified.

use std::path::PathBuf;

use thiserror::Error;

use super::deviation::Deviation;
use super::hashes::SUMS;
use super::recompile_error::RecompileError;
use super::scripts::RESULT;
use autotune_base::files::scratch::ScratchError;
use autotune_base::files::version::made_by_another;
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_engine::compare::cross_check::CrossCheckError;
use autotune_engine::compare::near::NearError;
use autotune_engine::proof::TuningError;
use autotune_engine::spin::SpinError;

/// A reason why a folder is not verified.
#[derive(Debug, Error)]
pub enum CertificateError {
    /// A folder that is not a kept proof.
    #[error("`{}` is not a kept proof (a folder written by `--keep`): it has neither {RESULT} nor {SUMS}", .0.display())]
    NotKept(PathBuf),
    /// A folder made by another version of this program.
    #[error("{}", made_by_another(&format!("`{}`", folder.display()), made_by))]
    OtherVersion {
        /// The folder.
        folder: PathBuf,
        /// The version that made it.
        made_by: String,
        /// The command that proves its question again.
        command: String,
    },
    /// A folder made with another version of SPIN.
    #[error("`{}` was proved by {made_by}, but this is {here}: outputs and trails of two versions cannot be compared", folder.display())]
    OtherChecker {
        /// The folder.
        folder: PathBuf,
        /// The version that the result names.
        made_by: String,
        /// The version that was found.
        here: String,
    },
    /// A folder that differs from its claims.
    #[error("`{}` does not hold the proof that it claims{}", folder.display(), lines(differences))]
    Differs {
        /// The folder.
        folder: PathBuf,
        /// All differences.
        differences: Vec<Deviation>,
    },
    /// Outputs of a compiler that another version of it does not confirm.
    #[error(
        "`{}` has outputs of {made_by} that {here} does not confirm{}",
        folder.display(), lines(differences)
    )]
    OtherPrograms {
        /// The folder.
        folder: PathBuf,
        /// The version of clang that the folder names.
        made_by: String,
        /// The version that was found.
        here: String,
        /// All differences.
        differences: Vec<Deviation>,
    },
    /// A source that cannot be compiled again.
    #[error(transparent)]
    Recompile(#[from] RecompileError),
    /// A repetition that was stopped, or that does not fit into the memory.
    #[error("the proof was not repeated: {0}")]
    Stopped(String),
    /// A failure of SPIN or the compiler.
    #[error(transparent)]
    Spin(#[from] SpinError),
    /// A proof that cannot be repeated.
    #[error("the proof cannot be repeated: {0}")]
    Tuning(#[from] TuningError),
    /// Near ties that cannot be computed again.
    #[error(transparent)]
    Near(#[from] NearError),
    /// Formulas that cannot be evaluated again.
    #[error(transparent)]
    CrossCheck(#[from] CrossCheckError),
    /// A temporary folder that cannot be made.
    #[error(transparent)]
    Scratch(#[from] ScratchError),
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] std::io::Error),
}

impl UserError for CertificateError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::NotKept(_) => ExitStatus::Unusable,
            Self::Scratch(error) => error.status(),
            Self::Recompile(error) => error.status(),
            Self::OtherPrograms { .. }
            | Self::OtherVersion { .. }
            | Self::OtherChecker { .. }
            | Self::Differs { .. }
            | Self::Stopped(_)
            | Self::Spin(_)
            | Self::Tuning(_)
            | Self::Near(_)
            | Self::CrossCheck(_)
            | Self::File(_) => ExitStatus::Failure,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::NotKept(_) => Some("`autotune SPEC --gpu GPU --keep DIR` fills such a folder".to_owned()),
            Self::Scratch(error) => error.help(),
            Self::Recompile(error) => error.help(),
            Self::OtherPrograms { .. } => Some(
                "versions of clang may compile a kernel differently: name one of the folder's version with `--clang PATH`"
                    .to_owned(),
            ),
            Self::OtherVersion { command, .. } => Some(format!("`{command}` proves it again with this version")),
            Self::OtherChecker { .. }
            | Self::Differs { .. }
            | Self::Stopped(_)
            | Self::Spin(_)
            | Self::Tuning(_)
            | Self::Near(_)
            | Self::CrossCheck(_)
            | Self::File(_) => None,
        }
    }
}

fn lines(differences: &[Deviation]) -> String {
    differences.iter().flat_map(|difference| ["\n  ".to_owned(), difference.to_string()]).collect()
}
