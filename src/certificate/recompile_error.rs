//! The reasons why a folder's source cannot be compiled again.

use thiserror::Error;

use autotune_base::text::words::named;
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_kernel::source::AnalysisError;

/// A source that cannot be compiled again.
#[derive(Debug, Error)]
pub enum RecompileError {
    /// A tool that cannot be used, or a source that it cannot read.
    #[error("the folder's source cannot be compiled again: {0}")]
    Tools(AnalysisError),
    /// A clang without the GPU's maker, or older than the GPU.
    #[error("{clang} cannot compile for this GPU: {says}")]
    NoTarget {
        /// The line that it prints about its version.
        clang: String,
        /// Its first error.
        says: String,
    },
    /// A compilation that a limit stopped: it neither agrees nor differs.
    #[error("whether {} compiles is not known: {why}", named(configuration))]
    Unknown {
        /// The configuration's label.
        configuration: String,
        /// The reason.
        why: AnalysisError,
    },
}

impl UserError for RecompileError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Failure
    }

    fn help(&self) -> Option<String> {
        let believe = "`--no-compile` believes the compiler's outputs in the folder, and says so";
        Some(match self {
            Self::Unknown { .. } => believe.to_owned(),
            Self::Tools(why) if why.of_triton().is_some() => match why.help() {
                Some(help) => format!("{help}; {believe}"),
                None => believe.to_owned(),
            },
            Self::Tools(_) | Self::NoTarget { .. } => format!("name another clang with `--clang PATH`; {believe}"),
        })
    }
}
