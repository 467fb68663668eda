//! GPU profiles: the resources, rates and latencies of a GPU as data.
//!
//! A profile is a YAML file; the files in `gpu/profiles` are built into the binary. The key `execution` distinguishes
//! two kinds: the abstract processor of the model-checking paper ([`Lockstep`]) and real GPUs ([`Pipelined`]). This
//! module computes how many work groups a multiprocessor runs at a time; [`crate::lowering`] computes the costs of
//! statements.

mod changed;
mod error;
mod family;
mod kind;
mod lockstep;
mod matrix;
mod matrix_rates;
mod number;
mod occupancy;
mod pipelined;
mod plausible;
mod profile;
mod profile_file;
mod provenance;
mod read;
mod selection;
mod shipped;
mod spelling;
mod variant;

use std::path::Path;

use crate::spec::GpuNames;

pub use changed::{Changeable, Costs};
pub(crate) use family::HBM_BITS;
pub use lockstep::Lockstep;
pub use number::Rate;
pub use occupancy::{Demand, Limit, Occupancy, Unfit};
pub use pipelined::{AllocationGranularity, LaunchRegression, Pipelined, Vendor, Weight};
pub use plausible::{Implausible, implausible};
pub use provenance::{Fact, Provenance};
pub use selection::{NamedProfiles, Selected, groups, is_group, select, select_targets, targets};
pub use shipped::{called_by_tool, find, shipped, shipped_names};

/// The value of a `gpu.` name for a limit that a lockstep profile does not state.
pub const UNLIMITED: i64 = (1 << 31) - 1;

impl Profile {
    /// True for a lockstep processor whose messages take time.
    #[must_use]
    pub fn has_messages(&self) -> bool {
        matches!(self, Self::Lockstep(gpu) if gpu.message_ticks > 0)
    }

    /// Returns the profile that `--gpu` names: a file if the argument has a slash or ends in `.yaml`, else a profile of
    /// the binary.
    ///
    /// # Errors
    /// If the profile does not exist, or the file cannot be read or is not a profile.
    pub fn resolve(argument: &str) -> Result<Self, GpuError> {
        Self::resolve_with_text(argument).map(|(profile, _)| profile)
    }

    /// Returns the profile that `--gpu` names and its text; the values of a base follow those of the file.
    ///
    /// # Errors
    /// If the profile does not exist, or the file cannot be read or is not a profile.
    pub fn resolve_with_text(argument: &str) -> Result<(Self, String), GpuError> {
        if let Some(path) = Self::file(argument) {
            let file = read::profile(&read::text(path)?, argument, Some(&shipped::called))?;
            Ok((file.profile, file.text))
        } else {
            find(argument).map(|shipped| (shipped.profile.clone(), shipped.text.clone()))
        }
    }

    /// The file that `--gpu` names; `None` for the name of a profile of the binary.
    #[must_use]
    pub fn file(argument: &str) -> Option<&Path> {
        let path = Path::new(argument);
        let is_yaml = path.extension().is_some_and(|extension| extension == "yaml");
        (is_yaml || argument.contains('/')).then_some(path)
    }

    /// Reads a profile from a file.
    ///
    /// # Errors
    /// If the file cannot be read or is not a profile; the error shows the place.
    pub fn load(path: &Path) -> Result<Self, GpuError> {
        Self::parse(&read::text(path)?, &path.display().to_string())
    }

    /// Reads a profile from its text. Messages call the text `file_name`.
    ///
    /// # Errors
    /// If the text is not a profile; the error shows the place.
    pub fn parse(text: &str, file_name: &str) -> Result<Self, GpuError> {
        read::profile(text, file_name, Some(&shipped::called)).map(|file| file.profile)
    }

    /// Reads a profile from a text that states all values itself, such as the text of
    /// [`Profile::resolve_with_text`]. Messages call the text `file_name`.
    ///
    /// # Errors
    /// As [`Profile::parse`], and if the text names a base.
    pub fn parse_complete(text: &str, file_name: &str) -> Result<Self, GpuError> {
        read::profile(text, file_name, None).map(|file| file.profile)
    }

    /// Returns the profile's name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Lockstep(profile) => &profile.name,
            Self::Pipelined(profile) => &profile.name,
        }
    }

    /// Returns the other names of the GPU.
    #[must_use]
    pub fn aliases(&self) -> &[String] {
        match self {
            Self::Lockstep(profile) => &profile.aliases,
            Self::Pipelined(profile) => &profile.aliases,
        }
    }

    /// Returns the name and the aliases.
    pub fn names_and_aliases(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name()).chain(self.aliases().iter().map(String::as_str))
    }

    /// Returns the name or alias that equals what `--gpu` names, except for upper and lower case; the name if none does, as for a
    /// file.
    #[must_use]
    pub fn called(&self, argument: &str) -> &str {
        self.names_and_aliases().find(|known| known.eq_ignore_ascii_case(argument)).unwrap_or(self.name())
    }

    /// The vendor; `None` for an abstract processor.
    #[must_use]
    pub fn vendor(&self) -> Option<Vendor> {
        match self {
            Self::Lockstep(_) => None,
            Self::Pipelined(gpu) => Some(gpu.vendor),
        }
    }

    /// Returns the family of GPUs, such as `Ampere`; `None` if the profile does not state it. An abstract processor has
    /// no family.
    #[must_use]
    pub fn architecture(&self) -> Option<&str> {
        match self {
            Self::Lockstep(_) => None,
            Self::Pipelined(profile) => profile.architecture.as_deref(),
        }
    }

    /// The architecture that the compiler is given, such as `sm_89`; `None` if the profile does not state it.
    #[must_use]
    pub fn target(&self) -> Option<&str> {
        match self {
            Self::Lockstep(_) => None,
            Self::Pipelined(gpu) => gpu.target.as_deref(),
        }
    }

    /// True if the GPU serves the accesses of a half-warp to global memory together: NVIDIA's with compute capability 1.x.
    #[must_use]
    pub fn has_half_warps(&self) -> bool {
        self.target().is_some_and(|target| ["sm_10", "sm_11", "sm_12", "sm_13"].contains(&target))
    }

    /// Returns the values of the `gpu.` names. `dynamic` is true if the size of local memory is given at launch.
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

    /// Converts ticks to microseconds; `None` on an abstract processor.
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
pub use error::GpuError;
pub use profile::Profile;
pub use profile_file::ProfileFile;
