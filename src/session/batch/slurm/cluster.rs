//! Slurm's commands: submits arrays, asks how their tasks stand, cancels them.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fs_err as fs;
use thiserror::Error;
use tracing::info;

use super::super::job::JobLimits;
use super::array::{Array, Submission};
use super::queue::{FIELDS, TaskState};
use crate::limits::Interrupt;
use crate::process::{ProcessError, Task};
use crate::session::batch::slurm::queue;
use crate::{files, process};

/// How long a command of Slurm may take, which gives up by itself before.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a task runs, in the folder of its output.
const SCRIPT: (&str, &str) = ("job.sh", include_str!("../../../../templates/slurm_job.sh"));

/// Why the cluster cannot be used.
#[derive(Debug, Error)]
pub enum SlurmError {
    /// A command of Slurm is not there.
    #[error("cannot find Slurm: no `{0}` on the search path")]
    Missing(&'static str),
    /// It cannot be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// It does not end.
    #[error("Slurm does not answer: `{command}` has not ended after {} s", PATIENCE.as_secs())]
    Silent {
        /// What was run.
        command: &'static str,
    },
    /// It says no.
    #[error("`{command}` {status}\n{words}")]
    Refused {
        /// What was run.
        command: String,
        /// How it ended.
        status: String,
        /// What it says.
        words: String,
    },
    /// It says something that is not understood.
    #[error("`{command}` says what cannot be read: `{line}`")]
    Unreadable {
        /// What was run.
        command: &'static str,
        /// The line.
        line: String,
    },
    /// It runs no job arrays.
    #[error("this cluster runs no job arrays: its MaxArraySize is {0}")]
    NoArrays(usize),
    /// A file that this program did not write has the name of the script of the tasks.
    #[error("`{}` exists, and autotune did not write it", .0.display())]
    Foreign(PathBuf),
    /// The script of the tasks cannot be written.
    #[error(transparent)]
    File(#[from] std::io::Error),
}

impl SlurmError {
    /// How to mend it.
    #[must_use]
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::Missing(_) => Some("call it where the cluster's jobs are submitted, or leave out `--executor slurm`"),
            Self::Refused { .. } => Some("`--sbatch` passes options on, such as `--sbatch --partition=NAME`"),
            Self::Silent { .. } => Some("`sinfo` tells whether the cluster is there; `--resume` goes on when it is"),
            Self::Foreign(_) => {
                Some("move it away, or name another folder: only files that autotune wrote are replaced")
            }
            _ => None,
        }
    }
}

/// Writes the script of the tasks. One that this program wrote before may be there.
fn write_script(path: &Path) -> Result<(), SlurmError> {
    let head = SCRIPT.1.lines().nth(1).unwrap_or_default();
    match files::kept(path, 1024).beginning() {
        Ok(found) if !String::from_utf8_lossy(&found).contains(head) => Err(SlurmError::Foreign(path.to_owned())),
        Err(why) if why.kind() != std::io::ErrorKind::NotFound => Err(why.into()),
        _ => Ok(fs::write(path, SCRIPT.1)?),
    }
}

/// A cluster that is there.
#[derive(Debug)]
pub struct Cluster {
    sbatch: PathBuf,
    squeue: PathBuf,
    scancel: PathBuf,
    /// Where tasks run: the paths that they are given are relative to it.
    folder: PathBuf,
    /// Indices of an array are less.
    pub most_tasks: usize,
}

impl Cluster {
    /// Finds the cluster whose jobs are submitted here, for tasks that run in a folder.
    ///
    /// # Errors
    /// It is not there, or does not answer.
    pub fn find(folder: &Path) -> Result<Self, SlurmError> {
        let find = |name| which::which(name).map_err(|_| SlurmError::Missing(name));
        let (sbatch, squeue, scancel, scontrol) =
            (find("sbatch")?, find("squeue")?, find("scancel")?, find("scontrol")?);
        let mut cluster = Self { sbatch, squeue, scancel, folder: folder.to_owned(), most_tasks: 0 };
        let text = cluster.run("scontrol", &scontrol, vec!["show".to_owned(), "config".to_owned()])?;
        cluster.most_tasks = most_tasks(&text)?;
        Ok(cluster)
    }

    /// Submits an array, and returns its number.
    ///
    /// # Errors
    /// Slurm refuses it.
    pub fn submit(&self, array: &Array, limits: &JobLimits, submission: &Submission) -> Result<u64, SlurmError> {
        let script = submission.folder.join(SCRIPT.0);
        fs::create_dir_all(&submission.folder)?;
        write_script(&script)?;
        let arguments = submission.arguments(array, limits, &script.display().to_string());
        let text = self.run("sbatch", &self.sbatch, arguments)?;
        // The number, and the cluster's name if there are several.
        let number = text.trim().split(';').next().and_then(|number| number.parse().ok());
        number.ok_or_else(|| SlurmError::Unreadable { command: "sbatch", line: text.trim().to_owned() })
    }

    /// How the tasks of the arrays of these names stand; those that Slurm has forgotten are left out.
    ///
    /// # Errors
    /// Slurm does not answer.
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
    /// Slurm does not answer.
    pub fn cancel(&self, arrays: &[u64]) -> Result<(), SlurmError> {
        let numbers = arrays.iter().map(u64::to_string);
        let quietly = std::iter::once("--quiet".to_owned());
        self.run("scancel", &self.scancel, quietly.chain(numbers).collect()).map(|_| ())
    }

    /// What a command says. An interrupt does not stop it: whether it was obeyed would not be known.
    fn run(&self, name: &'static str, program: &Path, arguments: Vec<String>) -> Result<String, SlurmError> {
        let task = Task::new(program, arguments, &self.folder);
        let deadline = Some(Instant::now() + PATIENCE);
        let outcome = process::run(&task, &crate::limits::Limits { deadline, interrupt: Interrupt::default() })?;
        if outcome.stopped.is_some() {
            return Err(SlurmError::Silent { command: name });
        }
        if !outcome.status.success() {
            let (status, words) = (outcome.status_in_words(), outcome.stderr.trim().to_owned());
            return Err(SlurmError::Refused { command: task.command_line(), status, words });
        }
        info!("{name} has answered in {:.2} s", outcome.elapsed.as_secs_f64());
        Ok(outcome.stdout)
    }
}

/// How many tasks an array may have, by what `scontrol show config` says.
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
