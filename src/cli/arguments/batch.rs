//! The arguments of `autotune batch` and of its tasks on a cluster.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

use super::values::count;
use super::{Format, examples};

#[derive(Debug, Args)]
#[command(after_help = examples::BATCH)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(in crate::cli) struct Batch {
    /// The job list, a YAML file
    #[arg(value_name = "JOBS")]
    pub(in crate::cli) list: PathBuf,
    /// The batch's folder, new, empty or that of the batch to go on with: its journal, and results.json when all jobs have ended
    #[arg(long, value_name = "DIR", required_unless_present = "dry_run")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Go on with the batch of this folder, if there is one: what has ended is not repeated
    #[arg(long)]
    pub(in crate::cli) resume: bool,
    /// The number of jobs that run at a time; on a cluster, of each array [default: by cores and memory; on a cluster as it lets]
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub(in crate::cli) jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(in crate::cli) cluster: Cluster,
    /// Prove anew with checkers compiled anew, and keep nothing for later questions
    #[arg(long)]
    pub(in crate::cli) no_cache: bool,
    /// End with status 1, not 3, unless all jobs are proved; the table and the results are the same
    #[arg(long)]
    pub(in crate::cli) require_proof: bool,
    /// Write pages for browsers into this folder: of the batch, and of each tuning
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) report: Option<PathBuf>,
    /// Execute the Python programs of kernels in Triton, which is needed to compile them
    #[arg(long)]
    pub(in crate::cli) trust_python: bool,
    /// Show what would run, and what it is expected to cost
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Text, or one JSON object
    #[arg(long, value_enum, default_value_t)]
    pub(in crate::cli) format: Format,
}

/// The place where the jobs of a batch run.
#[derive(Debug, Args)]
pub(in crate::cli) struct Cluster {
    /// The place where jobs run: on this machine, or as job arrays of the Slurm cluster whose jobs are submitted here
    #[arg(long, value_enum, default_value_t, value_name = "WHERE")]
    pub(in crate::cli) executor: Executor,
    /// Pass options on to sbatch, such as --sbatch='--partition=long --account=me'; may be repeated
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    pub(in crate::cli) sbatch: Vec<SbatchOptions>,
    /// The fate of the cluster's jobs on Ctrl-C: cancelled, or left for `--resume` to pick up
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub(in crate::cli) on_interrupt: OnInterrupt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(in crate::cli) enum Executor {
    #[default]
    Local,
    Slurm,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(in crate::cli) enum OnInterrupt {
    #[default]
    Cancel,
    Leave,
}

/// Options of sbatch, split as a shell would, and nothing else that a shell does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) struct SbatchOptions(pub(in crate::cli) Vec<String>);

impl FromStr for SbatchOptions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words = shlex::split(text).ok_or("a quote is not closed, or a backslash escapes nothing")?;
        match words.first() {
            Some(first) if first.starts_with('-') => Ok(Self(words)),
            // sbatch would take the word for the script that it is to run.
            Some(first) => Err(format!("`{first}` is not a valid option: options begin with a hyphen")),
            None => Err("no option is given".to_owned()),
        }
    }
}

/// One job of a batch, as Slurm begins it.
#[derive(Debug, Args)]
pub(in crate::cli) struct BatchJob {
    /// The batch's job list
    #[arg(value_name = "JOBS")]
    pub(in crate::cli) list: PathBuf,
    /// The batch's folder
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) out: PathBuf,
    /// As for the batch
    #[arg(long)]
    pub(in crate::cli) no_cache: bool,
    /// The job of the array's task with index 0
    #[arg(long, value_name = "N")]
    pub(in crate::cli) first: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_split_at_blanks_that_are_not_quoted() {
        let options: SbatchOptions = "-p long --comment='two words' --mem=$HOME".parse().unwrap();
        assert_eq!(options.0, ["-p", "long", "--comment=two words", "--mem=$HOME"]);
        for (text, why) in [("long", "`long` is not a valid option"), ("--comment='two", "a quote"), ("", "no option")]
        {
            let error = text.parse::<SbatchOptions>().unwrap_err();
            assert!(error.starts_with(why), "{error}");
        }
    }
}
