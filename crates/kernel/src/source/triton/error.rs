//! Reasons why Triton cannot compile a kernel, beside errors in its source.

use std::path::PathBuf;

use thiserror::Error;

use super::missing::{MissingArguments, quoted};
use crate::source::ir::SourcePlace;
use autotune_base::user_error::{ExitStatus, UserError};

/// A kernel in Triton that cannot be compiled.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TritonError {
    /// The source is a program that nobody has allowed to run.
    #[error("a kernel in Triton is a Python program, which is executed to compile it")]
    Untrusted,
    /// No Python is installed.
    #[error("cannot find Python: {}", match searched {
        Some(path) => format!("there is no program `{}`", path.display()),
        None => "no `python3` on the search path".to_owned(),
    })]
    NoPython {
        /// The path that the user names; `None` for a search.
        searched: Option<PathBuf>,
    },
    /// The user's Python has no Triton that can be used.
    #[error("`{}` has no Triton that can be used: {why}", python.display())]
    Absent {
        /// The Python.
        python: PathBuf,
        /// The reason.
        why: String,
    },
    /// A Triton that is too old.
    #[error("`{}` has Triton {version}, and 3.1 is the oldest that can be used", python.display())]
    Old {
        /// The Python.
        python: PathBuf,
        /// The version.
        version: String,
    },
    /// A GPU that Triton does not compile for.
    #[error("Triton does not compile for this GPU")]
    Target,
    /// A file that is not Python, or that cannot be read.
    #[error("{message}")]
    File {
        /// The reason.
        message: String,
        /// The place; `None` if it has none.
        place: Option<SourcePlace>,
    },
    /// The file has no kernel of this name.
    #[error("{}", match wanted {
        Some(wanted) => format!("the file has no kernel `{wanted}`"),
        None if there.is_empty() => "the file has no kernel".to_owned(),
        None => "the file has several kernels".to_owned(),
    })]
    NoKernel {
        /// The name; `None` if none is given.
        wanted: Option<String>,
        /// The kernels that there are.
        there: Vec<String>,
    },
    /// The kernel cannot be loaded.
    #[error("{0}")]
    NotLoaded(String),
    /// A parameter or constant that is neither the kernel's nor the compiler's.
    #[error("`{name}` is neither an argument of the kernel nor an option of Triton's compiler")]
    UnknownName {
        /// The name.
        name: String,
        /// The arguments of the kernel.
        arguments: Vec<String>,
    },
    /// A launch that is not described whole.
    #[error("{0}")]
    MissingArguments(MissingArguments),
    /// The kernel's own list of configurations cannot be used.
    #[error("{message}")]
    Configs {
        /// The reason.
        message: String,
        /// The place; `None` if it has none.
        place: Option<SourcePlace>,
    },
    /// A user's call that fails, or whose launch cannot be used.
    #[error("{message}")]
    Call {
        /// The reason.
        message: String,
        /// The place; `None` if it has none.
        place: Option<SourcePlace>,
    },
    /// A user's call that launches several kernels, and none is named.
    #[error("the call launches several kernels: {0}")]
    Several(String),
    /// A user's call, or a module, that does not end.
    #[error("`{}` has not ended: {why}", what)]
    Endless {
        /// The call, or the file.
        what: String,
        /// The limit that is reached.
        why: String,
    },
    /// A kernel without a list of configurations.
    #[error("the kernel `{0}` has no decorator `triton.autotune` with a list of configurations")]
    NoConfigs(String),
    /// Launches of clusters of groups.
    #[error("`num_ctas` is {0}: clusters of groups are not modelled")]
    Clusters(String),
    /// Warps that the compiler has added to those that are asked for.
    #[error("Triton compiles the kernel for {compiled} warps in place of {asked}: specialized warps are not modelled")]
    Warps {
        /// The warps that are asked for.
        asked: u64,
        /// The warps of the output.
        compiled: u64,
    },
    /// Python fails before it answers.
    #[error("`{}` fails: {says}", python.display())]
    Failed {
        /// The Python.
        python: PathBuf,
        /// The last line that it prints.
        says: String,
    },
}

impl TritonError {
    /// The place in a file of the user; `None` if the error has none.
    #[must_use]
    pub fn place(&self) -> Option<SourcePlace> {
        match self {
            Self::File { place, .. } | Self::Configs { place, .. } | Self::Call { place, .. } => place.clone(),
            _ => None,
        }
    }
}

impl UserError for TritonError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::NoPython { .. } | Self::Absent { .. } | Self::Old { .. } | Self::Failed { .. } => ExitStatus::Failure,
            _ => ExitStatus::Unusable,
        }
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Untrusted => "read it, and allow it with `--trust-python`".to_owned(),
            Self::NoPython { .. } => "name it with `--python PATH` or the variable AUTOTUNE_PYTHON".to_owned(),
            Self::Absent { .. } | Self::Old { .. } => {
                "install it: `pip install triton`, or name another Python with `--python PATH`".to_owned()
            }
            Self::Target => {
                "name a GPU of NVIDIA from compute capability 7.5 on, or one of AMD: `autotune gpus`".to_owned()
            }
            Self::NoKernel { there, .. } if there.is_empty() => {
                "a kernel is a function with the decorator `triton.jit`".to_owned()
            }
            Self::NoKernel { there, .. } => {
                format!(
                    "name one of these, as in `FILE.py:{}`, or with `kernel:` of `source`: {}",
                    there[0],
                    quoted(there)
                )
            }
            Self::UnknownName { arguments, .. } => format!(
                "the kernel's arguments: {}; options of the compiler: num_warps, num_stages, maxnreg, and for AMD \
                 waves_per_eu, matrix_instr_nonkdim, kpack",
                arguments.join(", ")
            ),
            Self::MissingArguments(missing) => missing.help(),
            Self::Configs { .. } | Self::NoConfigs(_) => {
                "leave out `--configs`, and give the parameters with `--parameter`".to_owned()
            }
            Self::Several(_) => "name one of them in place of the file alone: `FILE.py:KERNEL`".to_owned(),
            Self::Endless { .. } => "give more time with `--source-limit`, or call something smaller".to_owned(),
            Self::Clusters(_)
            | Self::Warps { .. }
            | Self::File { .. }
            | Self::Call { .. }
            | Self::NotLoaded(_)
            | Self::Failed { .. } => {
                return None;
            }
        })
    }
}
