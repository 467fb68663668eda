//! The arguments of commands that read measurements.

use std::path::PathBuf;

use clap::Args;
use clap::builder::ArgPredicate;

use super::formats::SuggestFormat;
use super::values::{parameter, picture, share};
use super::{Question, examples};
use crate::tuners::TimeUnit;

/// The reading of measurements: their times, and the values that no column has.
#[derive(Debug, Args)]
pub(in crate::cli) struct Times {
    /// The column of times [default: `time_ms`, `time_us` or `time`]
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) time_column: Option<String>,
    /// The unit of times, if the name of their column does not end in one, such as `time_us`
    #[arg(long, value_enum)]
    pub(in crate::cli) unit: Option<TimeUnit>,
    /// Measured times are of one launch: multiply each by the launches of its configuration (`launch.times`)
    #[arg(long)]
    pub(in crate::cli) per_launch: bool,
    /// Take this value of a parameter for every run, because the file has no column of it; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter, allow_negative_numbers = true)]
    pub(in crate::cli) fix: Vec<(String, i64)>,
}

/// The arguments and the groups of them that say nothing of a list of versions.
const NOT_OF_VERSIONS: [&str; 10] =
    ["measured", "Times", "plot", "rows", "spec", "sizes", "L2Options", "space", "config", "KernelOptions"];

const VALIDATE_USAGE: &str = "\
autotune validate SPEC --gpu GPU --measured FILE [OPTIONS]
       autotune validate --versions FILE [--gpu GPU] [OPTIONS]";

#[derive(Debug, Args)]
#[command(after_help = examples::VALIDATE, override_usage = VALIDATE_USAGE)]
#[command(mut_arg("spec", |spec| spec.required_unless_present_any(["space", "versions"])))]
#[command(mut_arg("gpu", |gpu| {
    gpu.required(false)
        .required_unless_present("versions")
        .default_value_if("versions", ArgPredicate::IsPresent, "")
}))]
pub(in crate::cli) struct Validate {
    /// The measurements: CSV with a column for each parameter, a Kernel Tuner cache or T4 results; may be packed by gzip
    #[arg(long, value_name = "FILE", required_unless_present = "versions")]
    pub(in crate::cli) measured: Option<PathBuf>,
    /// Predict versions of kernels whose measured times this list has, and show how well they are ordered; `--gpu` predicts all of
    /// them for another GPU
    #[arg(long, value_name = "FILE", conflicts_with_all = NOT_OF_VERSIONS)]
    pub(in crate::cli) versions: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) times: Times,
    /// Draw predicted against measured times and both over two parameters into this file
    #[arg(long, value_name = "FILE.svg", value_parser = picture)]
    pub(in crate::cli) plot: Option<PathBuf>,
    /// Write each measured run beside its prediction and what the time consists of into this file, as CSV
    #[arg(long, value_name = "FILE.csv")]
    pub(in crate::cli) rows: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) question: Question,
}

#[derive(Debug, Args)]
#[command(after_help = examples::SUGGEST)]
pub(in crate::cli) struct Suggest {
    /// Runs that are known, failed ones too: files that `validate` reads; none of them need exist before the first run
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(in crate::cli) measured: Vec<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) times: Times,
    /// The number of configurations to measure before the next question
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000), allow_hyphen_values = true)]
    pub(in crate::cli) next: u16,
    /// Advise to stop when no configuration is expected to be this much faster than the best measured one
    #[arg(long, value_name = "P%", default_value = "1%", value_parser = share, allow_hyphen_values = true)]
    pub(in crate::cli) until: f64,
    /// Choose only among the configurations that this file lists, with a column for each parameter
    #[arg(long, value_name = "FILE", conflicts_with = "config")]
    pub(in crate::cli) among: Option<PathBuf>,
    /// Answer requests on standard input, a line of JSON each, on standard output: the space is ranked once
    #[arg(long, conflicts_with_all = ["next", "format"])]
    pub(in crate::cli) serve: bool,
    #[command(flatten)]
    pub(in crate::cli) question: Question<SuggestFormat>,
}
