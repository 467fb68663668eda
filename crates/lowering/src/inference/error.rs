//! Reasons why the text of a source does not say how its kernel is launched.

use std::fmt::Write;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use autotune_base::text::words::shell_words;
use autotune_base::user_error::{ExitStatus, UserError};

/// The most kernels or launches that an error lists.
const LISTED: usize = 20;

/// A kernel and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelAt {
    /// The name.
    pub name: String,
    /// The file and the line: `kernel.cu:12`.
    pub place: String,
}

/// A launch, or a command that starts the host's program, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedText {
    /// The text.
    pub text: String,
    /// The file and the line.
    pub place: String,
}

/// A reason why the text of a source does not say how its kernel is launched.
#[derive(Debug, Error)]
pub enum InferenceError {
    /// A file cannot be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The reason.
        #[source]
        why: io::Error,
    },
    /// The source has no kernel.
    #[error("`{}` has no kernel", .0.display())]
    NoKernel(PathBuf),
    /// The source has several kernels, and the text launches none of them, or several.
    #[error("`{}` has several kernels:{}", path.display(), kernels(all))]
    SeveralKernels {
        /// The source.
        path: PathBuf,
        /// The kernels.
        all: Vec<KernelAt>,
        /// The options that answer what the first kernel leaves open.
        answers: Vec<String>,
    },
    /// Several launches disagree.
    #[error("{} launches of `{kernel}` disagree:{}", all.len(), placed(all))]
    Launches {
        /// The kernel.
        kernel: String,
        /// The launches.
        all: Vec<PlacedText>,
        /// The options that answer what the first launch leaves open.
        answers: Vec<String>,
    },
    /// Several commands start the host's program with other arguments.
    #[error("{} commands start the program:{}", all.len(), placed(all))]
    Starts {
        /// The commands.
        all: Vec<PlacedText>,
        /// The options that answer what remains open with the first command.
        answers: Vec<String>,
    },
    /// Something is missing that the text does not say.
    #[error("the text does not say {}{seen}", missing.join(", nor "))]
    Missing {
        /// The sizes and the parts of the launch, in words.
        missing: Vec<String>,
        /// Notes about what was seen instead, each on a line of its own.
        seen: String,
        /// The options that answer, with proposals.
        answers: Vec<String>,
    },
}

fn kernels(all: &[KernelAt]) -> String {
    let mut text = String::new();
    for KernelAt { name, place } in all.iter().take(LISTED) {
        let _ = write!(text, "\n  {name} ({place})");
    }
    text + &more(all.len())
}

fn placed(all: &[PlacedText]) -> String {
    let mut text = String::new();
    for PlacedText { text: own, place } in all.iter().take(LISTED) {
        let _ = write!(text, "\n  {place}: {own}");
    }
    text + &more(all.len())
}

fn more(count: usize) -> String {
    if count > LISTED { format!("\n  and {} more", count - LISTED) } else { String::new() }
}

impl UserError for InferenceError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        let options = || shell_words(&self.answers());
        Some(match self {
            Self::Read { .. } => return None,
            Self::NoKernel(_) => {
                "kernels are functions with `__global__` in CUDA and HIP, and with `__kernel` in OpenCL; \
                                  name their file first, and their host's by `--host FILE`"
                    .to_owned()
            }
            Self::SeveralKernels { .. } => {
                format!("choose one by `--kernel` or as FILE:KERNEL, such as `{}`", options())
            }
            Self::Launches { .. } | Self::Starts { .. } => format!("choose one by its line, such as `{}`", options()),
            Self::Missing { .. } => format!("say it; proposals: `{}`", options()),
        })
    }

    fn answers(&self) -> Vec<String> {
        match self {
            Self::Read { .. } | Self::NoKernel(_) => Vec::new(),
            Self::SeveralKernels { all, answers, .. } => {
                let first = all.first().map(|kernel| ["--kernel".to_owned(), kernel.name.clone()]);
                first.into_iter().flatten().chain(answers.iter().cloned()).collect()
            }
            Self::Launches { all, answers, .. } | Self::Starts { all, answers } => {
                let first = all.first().map(|first| ["--host".to_owned(), first.place.clone()]);
                first.into_iter().flatten().chain(answers.iter().cloned()).collect()
            }
            Self::Missing { answers, .. } => answers.clone(),
        }
    }
}
