//! Results in the formats of other programs: compilers, shells, tables and other tuners. Each format is a file here.
//!
//! All formats are made from [`Report`]s alone, so that a kept result gives the same text as the tuning itself.

mod depfile;
mod error;
mod fleet;
mod header;
mod kept;
mod kernel_tuner;
mod measured;
mod names;
mod profile;
mod reserved;
mod results;
mod runs;
mod sarif;
mod shell;
mod size_table;
mod suggestions;
mod t4;
mod table;
mod triton;

use crate::result::{Report, Verdict};
use results::{distinct, one, proved};

pub use depfile::{depfile, is_depfile};
pub use error::ExportError;
pub use fleet::{failing_launches, fleet};
pub use kept::{Kept, KeptError, OmittedResult};
pub use measured::{MeasuredFormat, measured};
pub use profile::{is_measured_profile, profile};
pub use runs::{is_run_table, runs};
pub use sarif::sarif;
pub use size_table::{TableFormat, failing_launches_of_table, size_table};
pub use suggestions::{SuggestionFormat, suggestions};

/// A file format of other programs. A new one is a file here, and in this file a variant, its place in [`FileFormat::ALL`], its
/// description and its arm in [`export`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// Comma-separated values, with a line for each listed configuration.
    Csv,
    /// A C header with a block for each GPU.
    Header,
    /// `-D` options of a compiler.
    Flags,
    /// Assignments of a shell.
    Shell,
    /// T4 results.
    T4,
    /// T4 metadata.
    T4Metadata,
    /// A cache file of Kernel Tuner.
    KernelTuner,
    /// A configuration of Triton.
    Triton,
}

impl FileFormat {
    /// All formats, in the order of the help text.
    pub const ALL: [Self; 8] = [
        Self::Csv,
        Self::Header,
        Self::Flags,
        Self::Shell,
        Self::T4,
        Self::T4Metadata,
        Self::KernelTuner,
        Self::Triton,
    ];

    /// Returns the format's name on the command line, and its description in a line of help.
    #[must_use]
    pub fn described(self) -> (&'static str, &'static str) {
        match self {
            Self::Csv => ("csv", "A table with a line for each listed configuration"),
            Self::Header => ("header", "A C header with a block for each GPU: `#ifdef TARGET_FERMI`"),
            Self::Flags => ("flags", "Options of a C compiler: `-DWG=64 -DTS=16`"),
            Self::Shell => ("shell", "Variables of a shell: `WG=64`, to be given to `eval`"),
            Self::T4 => ("t4", "T4 1.0.0 results, the autotuning community's format"),
            Self::T4Metadata => ("t4-metadata", "T4 1.0.0 metadata, the file beside them"),
            Self::KernelTuner => {
                ("kernel-tuner", "A cache file of Kernel Tuner, for its simulation mode; its name has to end in .json")
            }
            Self::Triton => ("triton", "A configuration of Triton: `triton.Config({\"BM\": 64}, num_warps=4)`"),
        }
    }

    /// Returns true if the format holds the time of every configuration, which results have with `--rank` only.
    #[must_use]
    pub fn holds_all_times(self) -> bool {
        matches!(self, Self::T4 | Self::KernelTuner)
    }
}

/// The text of results in a file format. `profile` returns the text of a GPU's profile by the GPU's name, and `None`
/// for an unknown GPU.
///
/// # Errors
/// If the format cannot hold the results, or if two results of one question differ.
pub fn export(
    results: &[Report],
    format: FileFormat,
    profile: impl Fn(&str) -> Option<&'static str>,
) -> Result<String, ExportError> {
    let results = distinct(results)?;
    match format {
        FileFormat::Csv => table::csv(&results),
        FileFormat::Header => header::header(&proved(&results)?),
        FileFormat::Flags => {
            let proved = proved(&[one("a line of flags", &results)?])?;
            proved.into_iter().map(|one| shell::flags(one.parameters, one.report.language())).collect()
        }
        FileFormat::Shell => shell::variables(&proved(&results)?),
        FileFormat::T4 => t4::results(one("a T4 file", &results)?),
        FileFormat::T4Metadata => {
            let report = one("a file of T4 metadata", &results)?;
            t4::metadata(report, profile(&report.gpu))
        }
        FileFormat::Triton => Ok(triton::configs(&proved(&results)?)),
        FileFormat::KernelTuner => kernel_tuner::cache(one("a cache file of Kernel Tuner", &results)?),
    }
}

/// The results with their recommended configurations as their choices. Results without a proof stay.
///
/// # Errors
/// If a proved result recommends none.
pub fn recommended(results: Vec<Report>) -> Result<Vec<Report>, ExportError> {
    let recommended = |report: Report| match report.verdict {
        Verdict::Proved => {
            let question = results::question(&report);
            report.choosing_recommended().ok_or(ExportError::NoRecommended { question })
        }
        Verdict::BestEffort | Verdict::Infeasible => Ok(report),
    };
    results.into_iter().map(recommended).collect()
}

/// The only one of these results. `form` is the format that cannot hold several; the error names it.
///
/// # Errors
/// If there are no results, several, or two of one question that differ.
pub fn only<'a>(results: &'a [Report], form: &'static str) -> Result<&'a Report, ExportError> {
    one(form, &distinct(results)?)
}
