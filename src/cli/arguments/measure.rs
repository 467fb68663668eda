//! The arguments of `autotune measure`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, ValueHint};
use humantime::Duration;

use super::values::{count, share, time};
use super::{Format, Question, examples};
use crate::tuners::TimeUnit;

#[derive(Debug, Args)]
#[command(after_help = examples::MEASURE)]
#[command(mut_arg("spec", |spec| spec.required_unless_present("profile")))]
pub(in crate::cli) struct Measure {
    /// Measure the GPU itself in place of a kernel: a profile with the values of the wave model, whose base is the one of `--gpu`.
    /// The folder gets three small kernels and programs for them; `--run` has `{KERNEL} {WORK_GROUP} {GROUPS} {STRIDE} {STEPS}`
    #[arg(long, conflicts_with_all = ["spec", "space", "sizes", "config", "verify", "runs", "jobs", "until"])]
    pub(in crate::cli) profile: bool,
    /// The sizes of groups whose launches are measured, in work items between commas [default: each number of warps]
    #[arg(long, value_name = "N,…", value_delimiter = ',', requires = "profile", value_parser = count, allow_hyphen_values = true)]
    pub(in crate::cli) work_groups: Vec<NonZeroUsize>,
    /// Run a configuration: a program and its arguments, quoted as in a shell. `{NAME}` is a parameter's value, which the variable
    /// `AUTOTUNE_NAME` has too, and `{{` and `}}` are braces; `AUTOTUNE_FLAGS` has all as `-DNAME=VALUE`. It prints its time, such as `12.3 ms`
    #[arg(long, value_name = "COMMAND", value_hint = ValueHint::CommandString, allow_hyphen_values = true)]
    pub(in crate::cli) run: String,
    /// Build a configuration before it is run
    #[arg(long, value_name = "COMMAND", value_hint = ValueHint::CommandString, allow_hyphen_values = true)]
    pub(in crate::cli) build: Option<String>,
    /// Check a configuration once before it is run: the command fails if the results are wrong
    #[arg(long, value_name = "COMMAND", value_hint = ValueHint::CommandString, allow_hyphen_values = true)]
    pub(in crate::cli) verify: Option<String>,
    /// Let a shell, /bin/sh, run each command; a variable in braces is written `${{HOME}}`
    #[arg(long)]
    pub(in crate::cli) shell: bool,
    /// The most configurations that are measured; the best three are measured again
    #[arg(long, value_name = "N", default_value = "20", value_parser = count, allow_hyphen_values = true)]
    pub(in crate::cli) runs: NonZeroUsize,
    /// The number of runs of each configuration
    #[arg(long, value_name = "N", default_value = "1", value_parser = count, allow_hyphen_values = true)]
    pub(in crate::cli) repeat: NonZeroUsize,
    /// Stop a command after this time: the configuration has failed; so has one that prints a time above it
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = time, allow_hyphen_values = true)]
    pub(in crate::cli) run_limit: Duration,
    /// The unit of a time without one
    #[arg(long, value_enum)]
    pub(in crate::cli) unit: Option<TimeUnit>,
    /// Find times by a regular expression with a group `time`; of several, the median counts [default: the last number with a unit]
    #[arg(long, value_name = "REGEX", allow_hyphen_values = true)]
    pub(in crate::cli) time_pattern: Option<String>,
    /// The number of builds at a time, which must not overwrite each other's files; runs are always alone
    #[arg(long, value_name = "N", default_value = "1", value_parser = count, allow_hyphen_values = true, requires = "build")]
    pub(in crate::cli) jobs: NonZeroUsize,
    /// Stop when no configuration is expected to be this much faster than the best measured one
    #[arg(long, value_name = "P%", default_value = "1%", value_parser = share, allow_hyphen_values = true)]
    pub(in crate::cli) until: f64,
    /// The folder of the journal, of failed runs' outputs and of the results [default: KERNEL-GPU.measured]
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Go on with the measurement of this folder, if there is one: only what failed is repeated, unless it does not compile
    #[arg(long)]
    pub(in crate::cli) resume: bool,
    #[command(flatten)]
    pub(in crate::cli) question: Question<Format>,
}
