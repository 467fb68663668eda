//! Slurm's commands: submit arrays, query their tasks, cancel them.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fs_err as fs;
use thiserror::Error;
use tracing::info;

use super::super::job::JobLimits;
use super::array::{Array, Submission};
use super::queue::{FIELDS, TaskState};
use crate::session::batch::slurm::queue;
use crate::{files, process};
use autotune_base::limits::Limits;
use autotune_base::process::{ProcessError, Task};
use autotune_base::user_error::{ExitStatus, UserError};

/// The time before a command of Slurm counts as silent; Slurm itself gives up earlier.
const PATIENCE: Duration = Duration::from_secs(60);

/// The name and the text of the script that a task runs, in the folder of its output.
const SCRIPT: (&str, &str) = ("job.sh", include_str!("../../../../templates/slurm_job.sh"));

/// A reason why the cluster cannot be used.
#[derive(Debug, Error)]
pub enum SlurmError {
    /// A missing command of Slurm.
    #[error("cannot find Slurm: no `{0}` on the search path")]
    Missing(&'static str),
    /// A command that cannot be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A command that does not end.
    #[error("Slurm does not answer: `{command}` has not ended after {} s", PATIENCE.as_secs())]
    Silent {
        /// The command.
        command: &'static str,
    },
    /// A command that fails.
    #[error("`{command}` {status}\n{words}")]
    Refused {
        /// The command line.
        command: String,
        /// The exit status, in words.
        status: String,
        /// The error that it prints.
        words: String,
    },
    /// A command whose output cannot be read.
    #[error("cannot read the output of `{command}`: `{line}`")]
    Unreadable {
        /// The command.
        command: &'static str,
        /// The line.
        line: String,
    },
    /// A cluster without job arrays.
    #[error("this cluster does not run job arrays: its MaxArraySize is {0}")]
    NoArrays(usize),
    /// A foreign file in the place of the tasks' script.
    #[error("`{}` exists, and autotune did not write it", .0.display())]
    Foreign(PathBuf),
    /// A script of the tasks that cannot be written.
    #[error(transparent)]
    File(#[from] std::io::Error),
}

impl SlurmError {
    fn advice(&self) -> Option<&'static str> {
        match self {
            Self::Missing(_) => {
                Some("start it on a host that submits jobs to the cluster, or leave out `--executor slurm`")
            }
            Self::Refused { .. } => {
                Some("pass options that the cluster needs, for example `--sbatch --partition=NAME`")
            }
            Self::Silent { .. } => {
                Some("`sinfo` shows whether the cluster is up; when it is, continue with `--resume`")
            }
            Self::Foreign(_) => {
                Some("move it away, or name another folder: only files that autotune wrote are replaced")
            }
            _ => None,
        }
    }
}

impl UserError for SlurmError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Foreign(_) => ExitStatus::Unusable,
            Self::Missing(_)
            | Self::NoArrays(_)
            | Self::Process(_)
            | Self::Silent { .. }
            | Self::Refused { .. }
            | Self::Unreadable { .. }
            | Self::File(_) => ExitStatus::Failure,
        }
    }

    fn help(&self) -> Option<String> {
        self.advice().map(str::to_owned)
    }
}

/// Writes the script of the tasks. It may replace a script that this program wrote earlier.
fn write_script(path: &Path) -> Result<(), SlurmError> {
    let head = SCRIPT.1.lines().nth(1).unwrap_or_default();
    match files::kept(path, 1024).beginning() {
        Ok(found) if !String::from_utf8_lossy(&found).contains(head) => Err(SlurmError::Foreign(path.to_owned())),
        Err(why) if why.kind() != std::io::ErrorKind::NotFound => Err(why.into()),
        _ => Ok(fs::write(path, SCRIPT.1)?),
    }
}

/// A cluster that answers.
#[derive(Debug)]
pub struct Cluster {
    sbatch: PathBuf,
    squeue: PathBuf,
    scancel: PathBuf,
    /// The working folder of tasks; the paths in their arguments are relative to it.
    folder: PathBuf,
    /// The limit of an array's indices: all are less.
    pub most_tasks: usize,
}

impl Cluster {
    /// Finds the cluster that this host submits jobs to, for tasks that run in a folder.
    ///
    /// # Errors
    /// If Slurm is missing or does not answer.
    pub fn find(folder: &Path) -> Result<Self, SlurmError> {
        let find = |name| which::which(name).map_err(|_| SlurmError::Missing(name));
        let (sbatch, squeue, scancel, scontrol) =
            (find("sbatch")?, find("squeue")?, find("scancel")?, find("scontrol")?);
        let mut cluster = Self { sbatch, squeue, scancel, folder: folder.to_owned(), most_tasks: 0 };
        let text = cluster.run("scontrol", &scontrol, vec!["show".to_owned(), "config".to_owned()])?;
        cluster.most_tasks = most_tasks(&text)?;
        Ok(cluster)
    }

    /// Submits an array and returns its number.
    ///
    /// # Errors
    /// If Slurm refuses the array.
    pub fn submit(&self, array: &Array, limits: &JobLimits, submission: &Submission) -> Result<u64, SlurmError> {
        let script = submission.folder.join(SCRIPT.0);
        fs::create_dir_all(&submission.folder)?;
        write_script(&script)?;
        let arguments = submission.arguments(array, limits, &script.display().to_string());
        let text = self.run("sbatch", &self.sbatch, arguments)?;
        // The output is the number, followed by the cluster's name if there are several.
        let number = text.trim().split(';').next().and_then(|number| number.parse().ok());
        number.ok_or_else(|| SlurmError::Unreadable { command: "sbatch", line: text.trim().to_owned() })
    }

    /// The states of the tasks of these arrays; tasks that Slurm has forgotten are left out.
    ///
    /// # Errors
    /// If Slurm does not answer.
    pub fn tasks(&self, names: &[&str]) -> Result<Vec<TaskState>, SlurmError> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let options = ["--me", "--noheader", "--array", "--states=all"].map(str::to_owned);
        let fields = [format!("--name={}", names.join(",")), format!("--Format={FIELDS}")];
        let text = self.run("squeue", &self.squeue, options.into_iter().chain(fields).collect())?;
        queue::parse(&text).map_err(|line| SlurmError::Unreadable { command: "squeue", line })
    }

    /// Cancels arrays by their numbers.
    ///
    /// # Errors
    /// If Slurm does not answer.
    pub fn cancel(&self, arrays: &[u64]) -> Result<(), SlurmError> {
        let numbers = arrays.iter().map(u64::to_string);
        let quietly = std::iter::once("--quiet".to_owned());
        self.run("scancel", &self.scancel, quietly.chain(numbers).collect()).map(|_| ())
    }

    /// Runs a command and returns its output. An interrupt does not stop it, because it would be unknown whether Slurm
    /// obeyed.
    fn run(&self, name: &'static str, program: &Path, arguments: Vec<String>) -> Result<String, SlurmError> {
        let task = Task::new(program, arguments, &self.folder);
        let deadline = Some(Instant::now() + PATIENCE);
        let outcome = process::run(&task, &Limits { deadline, ..Limits::default() })?;
        if outcome.stopped.is_some() {
            return Err(SlurmError::Silent { command: name });
        }
        if !outcome.status.success() {
            let (status, words) = (outcome.status_in_words(), outcome.stderr.trim().to_owned());
            return Err(SlurmError::Refused { command: task.command_line(), status, words });
        }
        info!(target: "cluster.answer", "{name} has answered in {:.2} s", outcome.elapsed.as_secs_f64());
        Ok(outcome.stdout)
    }
}

/// The limit of tasks of an array, from the output of `scontrol show config`.
fn most_tasks(text: &str) -> Result<usize, SlurmError> {
    let line = text.lines().find(|line| line.trim_start().starts_with("MaxArraySize"));
    let unreadable = || SlurmError::Unreadable { command: "scontrol", line: line.unwrap_or("").to_owned() };
    let (_, value) = line.and_then(|line| line.split_once('=')).ok_or_else(unreadable)?;
    match value.trim().parse().map_err(|_| unreadable())? {
        few @ (0 | 1) => Err(SlurmError::NoArrays(few)),
        most => Ok(most),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_another_program_wrote_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join(SCRIPT.0);
        write_script(&script).unwrap();
        write_script(&script).unwrap();
        for text in ["", "#!/bin/sh\nexec mine\n"] {
            fs::write(&script, text).unwrap();
            assert!(matches!(write_script(&script), Err(SlurmError::Foreign(_))));
            assert_eq!(fs::read_to_string(&script).unwrap(), text);
        }
        fs::remove_file(&script).unwrap();
        nix::unistd::mkfifo(&script, nix::sys::stat::Mode::S_IRWXU).unwrap();
        assert!(write_script(&script).unwrap_err().to_string().contains("it is a FIFO"));
    }

    #[test]
    fn the_greatest_index_is_read() {
        let text = "MailProg                = /bin/mail\nMaxArraySize            = 1001\nMaxBatchRequeue         = 5\n";
        assert_eq!(most_tasks(text).unwrap(), 1001);
        assert!(matches!(most_tasks("MaxArraySize = 0"), Err(SlurmError::NoArrays(0))));
        assert!(matches!(most_tasks("MaxArraySize = many"), Err(SlurmError::Unreadable { .. })));
        assert!(matches!(most_tasks(""), Err(SlurmError::Unreadable { .. })));
    }
}
