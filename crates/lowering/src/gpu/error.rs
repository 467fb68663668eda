//! The error of a GPU that is unknown or has an unusable profile.

use std::ops::Range;

use thiserror::Error;

use super::Vendor;
use autotune_base::text::{self, Source};
use autotune_base::user_error::{ExitStatus, UserError};

/// The reason why a profile cannot be used.
#[derive(Debug, Error)]
pub enum GpuError {
    /// A name that is not a shipped profile's.
    #[error(
        "no GPU is called `{}`{}",
        name.escape_debug(),
        meant.map(|known| format!("; did you mean `{known}`?")).unwrap_or_default()
    )]
    Unknown {
        /// The unknown name.
        name: String,
        /// The name or alias that was probably meant; `None` if no name is similar.
        meant: Option<&'static str>,
        /// The vendor of the GPU; `None` if the name does not show it.
        vendor: Option<Vendor>,
        /// The vendor's profiles with the most similar names, the most similar first; empty if the vendor is unknown.
        nearest: Vec<&'static str>,
    },
    /// A group of GPUs that no shipped profile belongs to.
    #[error(
        "no shipped GPU has the {noun} `{}`{}",
        name.escape_debug(),
        meant.as_ref().map(|known| format!("; did you mean `{known}`?")).unwrap_or_default()
    )]
    UnknownGroup {
        /// The word for the property that groups the GPUs.
        noun: &'static str,
        /// The unknown value.
        name: String,
        /// The value that was probably meant; `None` if no value is similar.
        meant: Option<String>,
        /// The values of the shipped profiles.
        known: Vec<&'static str>,
    },
    /// Two profiles of a list that differ and have one name.
    #[error("two different profiles are called `{name}`: `{}` and `{}`", arguments[0], arguments[1])]
    TwoOfOneName {
        /// The name of both.
        name: String,
        /// The names or files that the list has them by.
        arguments: [String; 2],
    },
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// The file is too long to be a profile.
    #[error("`{file}` has more than 1 MiB, too much for a GPU profile")]
    TooLong {
        /// The name of the file.
        file: String,
    },
    /// Something in the file is wrong.
    #[error("{rendered}")]
    InFile {
        /// The whole message, with file, line, column and the line itself.
        rendered: String,
    },
}

impl GpuError {
    /// The error of some bytes of a file.
    pub(super) fn in_file(text: &str, file_name: &str, what: &str, span: Range<usize>) -> Self {
        Self::InFile { rendered: Source::new(file_name, text).frame_of(what, span, "") }
    }

    /// The message and its advice in one sentence, for a place in a list of GPUs.
    #[must_use]
    pub fn with_help(&self) -> String {
        self.help().map_or_else(|| self.to_string(), |help| format!("{self}: {help}"))
    }
}

impl UserError for GpuError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        let (meant, vendor, nearest) = match self {
            Self::Unknown { meant, vendor, nearest, .. } => (meant, vendor, nearest),
            Self::UnknownGroup { noun, known, .. } => return Some(format!("the {noun}s are {}", text::list(known))),
            Self::TwoOfOneName { .. } => return Some("give one of them another `name:`".to_owned()),
            Self::Read(_) | Self::TooLong { .. } | Self::InFile { .. } => return None,
        };
        let file = "a file of your own needs a slash in its path or the ending `.yaml`";
        Some(match (meant, vendor) {
            (None, Some(vendor)) => {
                let (vendor, first) = (vendor.name(), nearest.first().copied().unwrap_or_default());
                format!(
                    "the nearest profiles of {vendor} are `{}`; for another GPU, edit the most similar one: `autotune gpus {first} > mine.yaml`",
                    nearest.join("`, `")
                )
            }
            (Some(_), _) | (None, None) => format!("`autotune gpus` lists the profiles; {file}"),
        })
    }
}
