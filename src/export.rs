//! Proved results in the forms of other programs: compilers, shells, tables, other tuners. Each form is a file here.
//!
//! All of them are made from [`Report`]s alone, so that a kept result gives what the tuning itself gave.

mod header;
mod kept;
mod kernel_tuner;
mod names;
mod reserved;
mod shell;
mod t4;
mod table;

use thiserror::Error;

use crate::result::{Optimum, Report, Values, Verdict};
use crate::text::words::label;
use crate::user_error::{ExitStatus, UserError};

pub use kept::{Kept, KeptError, OmittedResult};

/// A file format of other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileFormat {
    /// Comma-separated values, a line for each listed configuration.
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
}

/// Why results cannot be given a form.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the message of a variant says what its fields are")]
pub enum ExportError {
    /// There is nothing to tell.
    #[error("nothing is proved that could be exported")]
    NothingProved,
    /// A form that holds one tuning.
    #[error("{form} holds one result, and these are {}: {}", .results.len(), .results.join("; "))]
    Several { form: &'static str, results: Vec<String> },
    /// Two proofs of one question.
    #[error("two results of {question} differ: {} and {}", .optima[0], .optima[1])]
    Contradiction { question: String, optima: [String; 2] },
    /// A macro has one value on one GPU.
    #[error("{kernel} on {gpu} has different optima for different problem sizes: {}", .optima.join("; "))]
    SizesDisagree { kernel: String, gpu: String, optima: Vec<String> },
    /// A name that means something else there.
    #[error("a parameter would be called `{name}`, which {means}")]
    Reserved { name: String, means: &'static str },
    /// Two things under one name.
    #[error("{} would both be called `{name}`", .of.join(" and "))]
    SameName { name: String, of: [String; 2] },
    /// It cannot be written.
    #[error("the table cannot be written: {0}")]
    Table(#[from] ::csv::Error),
    /// It cannot be written.
    #[error("the JSON cannot be written: {0}")]
    Json(#[from] serde_json::Error),
}

impl ExportError {
    fn advice(&self) -> Option<&'static str> {
        Some(match self {
            Self::NothingProved => "`--format csv`, `t4` and `kernel-tuner` tell what is known of the configurations",
            Self::Several { .. } => "choose one with `--kernel NAME`, `--gpu NAME` and `--set NAME=VALUE`",
            Self::SizesDisagree { .. } => "choose one problem size with `--set NAME=VALUE`",
            Self::Contradiction { .. } => "they are of different specs or versions: keep one of them",
            Self::Reserved { .. } => {
                "give the parameter another name in the spec, or the kernel if its name stands in front"
            }
            Self::SameName { .. } => "export them apart, with `--kernel NAME` or `--gpu NAME`",
            Self::Table(_) | Self::Json(_) => return None,
        })
    }
}

impl UserError for ExportError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        self.advice().map(str::to_owned)
    }
}

/// Results in a file format. Each is of another question. `profile` returns the text of a GPU's profile by the GPU's name, if it
/// is known.
///
/// # Errors
/// When the format cannot hold the results.
pub fn export(
    results: &[Report],
    format: FileFormat,
    profile: impl Fn(&str) -> Option<&'static str>,
) -> Result<String, ExportError> {
    let results = distinct(results)?;
    match format {
        FileFormat::Csv => table::csv(&results),
        FileFormat::Header => header::header(&proved(&results)?),
        FileFormat::Flags => proved(&[one("a line of flags", &results)?])?.into_iter().map(shell::flags).collect(),
        FileFormat::Shell => shell::variables(&proved(&results)?),
        FileFormat::T4 => t4::results(one("a T4 file", &results)?),
        FileFormat::T4Metadata => {
            let report = one("a file of T4 metadata", &results)?;
            t4::metadata(report, profile(&report.gpu))
        }
        FileFormat::KernelTuner => kernel_tuner::cache(one("a cache file of Kernel Tuner", &results)?),
    }
}

/// A result whose optimum is proved.
#[derive(Clone, Copy)]
struct Proved<'a> {
    report: &'a Report,
    optimum: &'a Optimum,
    /// The parameters to use: the optimum's, or those that the preferences choose near it.
    parameters: &'a Values,
}

/// Those with a proved optimum, of which there must be one.
fn proved<'a>(results: &[&'a Report]) -> Result<Vec<Proved<'a>>, ExportError> {
    let of = |report: &&'a Report| {
        let optimum = report.optimum.as_ref().filter(|_| report.verdict == Verdict::Proved)?;
        Some(Proved { report, optimum, parameters: report.chosen()? })
    };
    let proved: Vec<_> = results.iter().filter_map(of).collect();
    if proved.is_empty() { Err(ExportError::NothingProved) } else { Ok(proved) }
}

/// Each question's result once.
fn distinct(results: &[Report]) -> Result<Vec<&Report>, ExportError> {
    let mut distinct: Vec<&Report> = Vec::new();
    for report in results {
        let same = |other: &&&Report| {
            (&other.kernel, &other.gpu, &other.problem) == (&report.kernel, &report.gpu, &report.problem)
        };
        let Some(other) = distinct.iter().find(same) else {
            distinct.push(report);
            continue;
        };
        let optima = [*other, report].map(|one| one.optimum.as_ref().map(|found| (one.chosen(), found.ticks)));
        if optima[0] != optima[1] {
            let optima = [*other, report].map(|one| {
                one.optimum.as_ref().map_or("no optimum".to_owned(), |optimum| {
                    let chosen = one.chosen().unwrap_or(&optimum.parameters);
                    format!("{}, optimum {} ticks", label(chosen), optimum.ticks)
                })
            });
            return Err(ExportError::Contradiction { question: question(report), optima });
        }
    }
    Ok(distinct)
}

/// The only one of these results; `form` names what cannot hold several.
///
/// # Errors
/// When there is none, or several.
pub fn only<'a>(results: &'a [Report], form: &'static str) -> Result<&'a Report, ExportError> {
    one(form, &distinct(results)?)
}

fn one<'a>(form: &'static str, results: &[&'a Report]) -> Result<&'a Report, ExportError> {
    match results {
        [] => Err(ExportError::NothingProved),
        [one] => Ok(one),
        several => Err(ExportError::Several { form, results: several.iter().map(|one| question(one)).collect() }),
    }
}

/// What a result is of: `matmul_tiled on fermi, size=1024`.
fn question(report: &Report) -> String {
    let sizes = label(&report.problem);
    let separator = if sizes.is_empty() { "" } else { ", " };
    format!("{} on {}{separator}{sizes}", report.kernel, report.gpu)
}
