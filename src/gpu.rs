//! GPU profiles: what a GPU has, as data.
//!
//! A profile is a YAML file; those in `gpu/profiles` are built into the binary. There are two kinds, told apart by
//! `execution`: the abstract processor of the model-checking paper ([`Lockstep`]) and real GPUs ([`Pipelined`]). What a
//! statement costs on them is the business of [`crate::lowering`]; how many work groups fit at a time is here.

mod lockstep;
mod number;
mod occupancy;
mod pipelined;
mod plausible;
mod read;
mod shipped;
mod spelling;

use std::ops::Range;
use std::path::Path;

use thiserror::Error;

use crate::spec::GpuNames;
use crate::text::Source;

pub use lockstep::Lockstep;
pub use number::Rate;
pub use occupancy::{Demand, Limit, Occupancy, Unfit};
pub use pipelined::{Granularity, LaunchRegression, Pipelined, Vendor, Weight};
pub use plausible::{Implausible, implausible};
pub use shipped::{Shipped, find, shipped};

/// What a `gpu.` name of a limit means that a lockstep profile does not state.
pub const UNLIMITED: i64 = (1 << 31) - 1;

/// A GPU.
#[derive(Debug, Clone, PartialEq)]
pub enum Profile {
    /// The abstract processor of the model-checking paper.
    Lockstep(Lockstep),
    /// A real GPU.
    Pipelined(Box<Pipelined>),
}

/// Why there is no profile.
#[derive(Debug, Error)]
pub enum GpuError {
    /// No profile of the binary has this name.
    #[error(
        "no GPU is called `{}`{}",
        name.escape_debug(),
        meant.map(|known| format!("; did you mean `{known}`?")).unwrap_or_default()
    )]
    Unknown {
        /// What was asked for.
        name: String,
        /// The name or alias of which that is another spelling.
        meant: Option<&'static str>,
        /// Whose GPU it is, if the name says so.
        vendor: Option<Vendor>,
        /// The profiles of that vendor.
        known: Vec<&'static str>,
    },
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// The file is too long to be a profile.
    #[error("`{file}` has more than 1 MiB, too much for a GPU profile")]
    TooLong {
        /// The file.
        file: String,
    },
    /// Something in the file is wrong.
    #[error("{rendered}")]
    InFile {
        /// What, with file, line, column and the line itself.
        rendered: String,
    },
}

impl GpuError {
    /// That something is wrong with some bytes of a file.
    fn in_file(text: &str, file_name: &str, what: &str, span: Range<usize>) -> Self {
        Self::InFile { rendered: Source::new(file_name, text).frame_of(what, span, "") }
    }

    /// How to mend it, where the message does not say so itself.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        let Self::Unknown { meant, vendor, known, .. } = self else { return None };
        let file = "a file of your own needs a slash in its path or the ending `.yaml`";
        Some(match (meant, vendor) {
            (None, Some(vendor)) => {
                let (vendor, newest) = (vendor.name(), known.last().copied().unwrap_or_default());
                format!(
                    "of {vendor} there are `{}`; for another GPU edit the profile that is nearest: `autotune gpus {newest} > mine.yaml`",
                    known.join("`, `")
                )
            }
            _ => format!("`autotune gpus` lists them; {file}"),
        })
    }
}

impl Profile {
    /// Finds what `--gpu` names: a file if it has a slash or ends in `.yaml`, else a profile of the binary.
    ///
    /// # Errors
    /// When there is none, or the file is no profile.
    pub fn resolve(argument: &str) -> Result<Self, GpuError> {
        Self::resolve_with_text(argument).map(|(profile, _)| profile)
    }

    /// The same, with the text that it was read from.
    ///
    /// # Errors
    /// As `resolve`.
    pub fn resolve_with_text(argument: &str) -> Result<(Self, String), GpuError> {
        let is_yaml = Path::new(argument).extension().is_some_and(|extension| extension == "yaml");
        if argument.contains('/') || is_yaml {
            let text = read::text(Path::new(argument))?;
            Ok((Self::parse(&text, argument)?, text))
        } else {
            find(argument).map(|shipped| (shipped.profile.clone(), shipped.text.to_owned()))
        }
    }

    /// Reads a profile from a file.
    ///
    /// # Errors
    /// When it cannot be read, or is no profile; the error shows the place.
    pub fn load(path: &Path) -> Result<Self, GpuError> {
        Self::parse(&read::text(path)?, &path.display().to_string())
    }

    /// Reads a profile from its text. `file_name` is what messages call it by.
    ///
    /// # Errors
    /// When it is none; the error shows the place.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, GpuError> {
        read::profile(text, file_name)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Lockstep(profile) => &profile.name,
            Self::Pipelined(profile) => &profile.name,
        }
    }

    /// Its other names.
    #[must_use]
    pub fn aliases(&self) -> &[String] {
        match self {
            Self::Lockstep(profile) => &profile.aliases,
            Self::Pipelined(profile) => &profile.aliases,
        }
    }

    /// All that it is called.
    pub fn names_and_aliases(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name()).chain(self.aliases().iter().map(String::as_str))
    }

    /// The name or alias that this is, in capitals or not.
    #[must_use]
    pub fn called(&self, name: &str) -> Option<&str> {
        self.names_and_aliases().find(|known| known.eq_ignore_ascii_case(name))
    }

    /// The family of GPUs that it belongs to, if the profile says so; an abstract processor has none.
    #[must_use]
    pub fn architecture(&self) -> Option<&str> {
        match self {
            Self::Lockstep(_) => None,
            Self::Pipelined(profile) => profile.architecture.as_deref(),
        }
    }

    /// What of it a spec may ask for. `dynamic` if the size of local memory is given at launch.
    #[must_use]
    pub fn names(&self, dynamic: bool) -> GpuNames {
        let value = |number: u64| i64::try_from(number).unwrap_or(UNLIMITED);
        let limit = |number: Option<u64>| number.map_or(UNLIMITED, value);
        match self {
            Self::Lockstep(profile) => GpuNames {
                multiprocessors: value(profile.multiprocessors),
                warp_size: value(profile.warp_size()),
                local_memory: limit(profile.local_memory),
                max_work_group: limit(profile.max_work_group),
                register_limit: limit(profile.register_limit),
                amd: 0,
            },
            Self::Pipelined(profile) => GpuNames {
                multiprocessors: value(profile.multiprocessors),
                warp_size: value(profile.warp_size),
                local_memory: value(profile.local_memory_limit(dynamic)),
                max_work_group: value(profile.max_threads_per_block),
                register_limit: value(profile.register_limit()),
                amd: (profile.vendor == Vendor::Amd).into(),
            },
        }
    }

    /// Microseconds that this many ticks take; none on an abstract processor.
    #[must_use]
    pub fn microseconds(&self, ticks: u64) -> Option<f64> {
        match self {
            Self::Lockstep(_) => None,
            Self::Pipelined(profile) => Some(profile.microseconds(ticks)),
        }
    }
}

#[cfg(test)]
mod tests;
