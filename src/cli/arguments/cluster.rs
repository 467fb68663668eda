//! What can be written on the command line about clusters.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

/// Where the jobs of a batch run.
#[derive(Debug, Args)]
pub(crate) struct Cluster {
    /// Where jobs run: on this machine, or as job arrays of the Slurm cluster whose jobs are submitted here
    #[arg(long, value_enum, default_value_t, value_name = "WHERE")]
    pub(crate) executor: Executor,
    /// Pass options on to sbatch, such as --sbatch='--partition=long --account=me'; may be repeated
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true)]
    pub(crate) sbatch: Vec<SbatchOptions>,
    /// What becomes of the cluster's jobs on Ctrl-C: cancelled, or left for `--resume` to pick up
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    pub(crate) on_interrupt: OnInterrupt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Executor {
    #[default]
    Local,
    Slurm,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum OnInterrupt {
    #[default]
    Cancel,
    Leave,
}

/// Options of sbatch, split as a shell would, and nothing else that a shell does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SbatchOptions(pub(crate) Vec<String>);

impl FromStr for SbatchOptions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words = shlex::split(text).ok_or("a quote is not closed, or a backslash escapes nothing")?;
        match words.first() {
            Some(first) if first.starts_with('-') => Ok(Self(words)),
            // sbatch would take the word for the script that it is to run.
            Some(first) => Err(format!("`{first}` is no option: options begin with a hyphen")),
            None => Err("no option is given".to_owned()),
        }
    }
}

/// One job of a batch, as Slurm begins it.
#[derive(Debug, Args)]
pub(crate) struct BatchJob {
    /// The batch's job list
    #[arg(value_name = "JOBS")]
    pub(crate) list: PathBuf,
    /// The batch's folder
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// As for the batch
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// The job of the array's task with index 0
    #[arg(long, value_name = "N")]
    pub(crate) first: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_split_at_blanks_that_are_not_quoted() {
        let options: SbatchOptions = "-p long --comment='two words' --mem=$HOME".parse().unwrap();
        assert_eq!(options.0, ["-p", "long", "--comment=two words", "--mem=$HOME"]);
        for (text, why) in [("long", "`long` is no option"), ("--comment='two", "a quote"), ("", "no option")] {
            let error = text.parse::<SbatchOptions>().unwrap_err();
            assert!(error.starts_with(why), "{error}");
        }
    }
}
