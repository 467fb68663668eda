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
mod warm_start;

use serde_json::Value;
use thiserror::Error;

use super::result::{Report, Values, Verdict};
use crate::user_error::{ExitStatus, UserError};

pub use kept::{Kept, KeptError, LeftOut};
pub use warm_start::{WarmStart, warm_start};

/// A form of other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
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
    /// What a measuring tuner needs to try less.
    Restrictions,
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
    /// What is not listed is not known.
    #[error("the result lists {listed} of its {all} configurations")]
    NotListed { listed: usize, all: u128 },
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
    /// The space of a spec cannot be enumerated.
    #[error(transparent)]
    Spec(#[from] crate::spec::SpecError),
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
            Self::NotListed { .. } => "`autotune SPEC --gpu GPU --format restrictions` derives them from the spec",
            Self::Several { .. } => "choose one with `--kernel NAME`, `--gpu NAME` and `--set NAME=VALUE`",
            Self::SizesDisagree { .. } => "choose one problem size with `--set NAME=VALUE`",
            Self::Contradiction { .. } => "they are of different specs or versions: keep one of them",
            Self::Reserved { .. } => {
                "give the parameter another name in the spec, or the kernel if its name stands in front"
            }
            Self::SameName { .. } => "export them apart, with `--kernel NAME` or `--gpu NAME`",
            Self::Spec(_) | Self::Table(_) | Self::Json(_) => return None,
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

/// Gives results a form. Each is of another question.
///
/// # Errors
/// When the form cannot hold them.
pub fn export(results: &[Report], form: Form) -> Result<String, ExportError> {
    let results = distinct(results)?;
    match form {
        Form::Csv => table::csv(&results),
        Form::Header => header::header(&proved(&results)?),
        Form::Flags => proved(&[one("a line of flags", &results)?])?.into_iter().map(shell::flags).collect(),
        Form::Shell => shell::variables(&proved(&results)?),
        Form::T4 => t4::results(one("a T4 file", &results)?),
        Form::T4Metadata => t4::metadata(one("a file of T4 metadata", &results)?),
        Form::Restrictions => {
            let warm_start = warm_start::of_kept(one("a file of restrictions", &results)?)?;
            Ok(serde_json::to_string_pretty(&warm_start)? + "\n")
        }
        Form::KernelTuner => kernel_tuner::cache(one("a cache file of Kernel Tuner", &results)?),
    }
}

/// A result whose optimum is proved.
#[derive(Clone, Copy)]
struct Proved<'a> {
    report: &'a Report,
    optimum: &'a super::result::Optimum,
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
                    format!("{}, optimum {} ticks", assignments(chosen), optimum.ticks)
                })
            });
            return Err(ExportError::Contradiction { question: question(report), optima });
        }
    }
    Ok(distinct)
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
    let sizes = assignments(&report.problem);
    let separator = if sizes.is_empty() { "" } else { ", " };
    format!("{} on {}{separator}{sizes}", report.kernel, report.gpu)
}

/// Names and values in words: `TS=16 ROWS=4`.
fn assignments(values: &Values) -> String {
    values.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
}

/// Microseconds of so many ticks, to the picosecond, by the clock of the result's GPU; none if it has none, or nothing is proved.
fn microseconds(report: &Report, ticks: u64) -> Option<f64> {
    let optimum = report.optimum.as_ref()?;
    #[expect(clippy::cast_precision_loss, reason = "a time is told in floating point")]
    let relative = ticks as f64 / optimum.ticks as f64;
    Some((optimum.microseconds? * relative * 1e6).round() / 1e6).filter(|time| time.is_finite())
}

/// The values of each parameter that a result lists, in their order.
fn domains(report: &Report) -> Values {
    let mut domains = Values::new();
    for (name, value) in report.configurations.iter().flat_map(|one| &one.parameters) {
        if let Value::Array(values) = domains.entry(name).or_insert_with(|| Value::Array(Vec::new()))
            && !values.contains(value)
        {
            values.push(value.clone());
        }
    }
    domains
}

/// Whether a configuration is infeasible by a limit of the GPU, and by which; else it is by a constraint of the spec.
fn limit(reason: &str) -> Option<&str> {
    let (rule, numbers) = reason.split_once(": ")?;
    let (needed, available) = numbers.split_once(" > ")?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'^');
    (is_number(needed) && is_number(available)).then_some(rule)
}
