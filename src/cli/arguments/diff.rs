//! The arguments of `autotune diff`.

use std::path::PathBuf;

use clap::Args;

use super::examples;
use super::formats::DiffFormat;
use super::kernel::{KernelOptions, SourceTools};
use super::l2::L2Options;
use super::values::assignment;
use autotune_engine::proof::Percent;

/// Two kernels that are compared.
#[derive(Debug, Args)]
#[command(after_help = examples::DIFF)]
pub(in crate::cli) struct Diff {
    /// The old and the new kernel: two specs, or two source files (.cl, .cu) and the options that describe both; the new one
    /// alone with `--git` or `--source-old`
    #[arg(required = true, num_args = 1..=2, value_names = ["OLD", "NEW"])]
    pub(in crate::cli) kernels: Vec<PathBuf>,
    /// GPUs by name, alias or file, several between commas; `all`, `vendor:NVIDIA`, `arch:Ampere` or `target:sm_80`
    #[arg(long, value_name = "GPU,…")]
    pub(in crate::cli) gpu: String,
    /// Take the old kernel from this revision of the git repository that the new one lies in
    #[arg(long, value_name = "REV", conflicts_with = "source_old", allow_hyphen_values = true)]
    pub(in crate::cli) git: Option<String>,
    /// Take the new spec with this file as its source for the old kernel
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) source_old: Option<PathBuf>,
    /// Compare this configuration in place of the two optima: a value for every parameter; may be repeated
    #[arg(long, value_name = "A=1,B=2", allow_negative_numbers = true)]
    pub(in crate::cli) config: Vec<String>,
    /// Compare all configurations
    #[arg(long, conflicts_with = "config")]
    pub(in crate::cli) all: bool,
    /// Show times that are predicted to change by more than P %: 0 to 100
    #[arg(long, value_name = "P", default_value = "20", allow_hyphen_values = true)]
    pub(in crate::cli) threshold: Percent,
    /// End with status 6 also if a time is predicted to be longer by more than the threshold
    #[arg(long)]
    pub(in crate::cli) strict: bool,
    /// Give a problem size another value in both kernels; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = assignment)]
    pub(in crate::cli) sizes: Vec<(String, i64)>,
    #[command(flatten)]
    pub(in crate::cli) l2: L2Options,
    /// Text, one JSON object, or a form that other programs show
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::cli) format: DiffFormat,
    #[command(flatten)]
    pub(in crate::cli) kernel: KernelOptions,
    #[command(flatten)]
    pub(in crate::cli) tools: SourceTools,
}
