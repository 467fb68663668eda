//! The reason why a kernel cannot be taken from a revision of git.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use autotune_base::process::ProcessError;
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_lowering::spec::SpecError;

/// The most files that a source includes.
pub(super) const MOST_FILES: usize = 1_000;

/// A reason why a kernel cannot be taken from a revision.
#[derive(Debug, Error)]
pub enum RevisionError {
    /// No spec that could be in a repository is named.
    #[error("no spec is named that a revision could have")]
    NoSpec,
    /// A folder that cannot be reached.
    #[error("cannot use `{}`: {why}", path.display())]
    Folder {
        /// The folder or file.
        path: PathBuf,
        /// The system's error.
        why: io::Error,
    },
    /// Git cannot be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// Git refuses.
    #[error("git says of `{what}`: {said}")]
    Git {
        /// The revision, or the revision and a file.
        what: String,
        /// Git's words.
        said: String,
    },
    /// A file that the spec names and that does not lie in the repository.
    #[error("`{}`, the kernel's source, does not lie in the repository", .0.display())]
    Outside(PathBuf),
    /// More files than a source may include.
    #[error("the source includes more than {MOST_FILES} files")]
    TooManyFiles,
    /// A kernel of the revision that cannot be counted, in words that name the revision's files.
    #[error("{said}")]
    Kernel {
        /// The message.
        said: String,
        /// The advice; `None` if the message says it.
        help: Option<String>,
        /// The exit status.
        status: ExitStatus,
        /// The options that answer what the error asks; none if it asks nothing.
        answers: Vec<String>,
    },
    /// A spec of the revision that cannot be used.
    #[error("cannot use spec `{name}`\n{why}")]
    Spec {
        /// The revision and the file.
        name: String,
        /// The reason, with its place.
        why: SpecError,
    },
}

impl UserError for RevisionError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Process(_) => ExitStatus::Failure,
            Self::Kernel { status, .. } => *status,
            _ => ExitStatus::Unusable,
        }
    }

    fn answers(&self) -> Vec<String> {
        match self {
            Self::Kernel { answers, .. } => answers.clone(),
            _ => Vec::new(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Process(_) => Some("git has to be on the search path".to_owned()),
            Self::Git { .. } => Some("name a revision of the spec's repository, such as `HEAD~1` or `main`".to_owned()),
            Self::Spec { why, .. } => why.help(),
            Self::Kernel { help, .. } => help.clone(),
            Self::Outside(_) => Some("compare two specs in place of a revision".to_owned()),
            Self::NoSpec => Some("name a spec or a source that lies in the repository".to_owned()),
            Self::Folder { .. } | Self::TooManyFiles => None,
        }
    }
}
