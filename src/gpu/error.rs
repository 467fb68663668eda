//! The error of a GPU that is unknown or has an unusable profile.

use std::ops::Range;

use thiserror::Error;

use super::Vendor;
use crate::text::Source;
use crate::user_error::{ExitStatus, UserError};

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
}

impl UserError for GpuError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        let Self::Unknown { meant, vendor, nearest, .. } = self else { return None };
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
