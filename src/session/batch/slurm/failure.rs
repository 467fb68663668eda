//! The failure of a cluster's task that has no result.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::queue::TaskState;
use crate::session::batch::slurm::cause::Cause;

/// The number of lines of a task's output that are shown.
const LINES: usize = 5;

/// Words of Slurm in a task's output that report that it was killed for its memory, if the state does not say so.
const MEMORY_SIGNS: [&str; 3] = ["exceeded memory limit", "oom-kill", "oom_kill"];

/// A task that ended without a result.
#[derive(Debug, Clone, Error)]
#[error("{}", self.in_words())]
pub struct TaskFailure {
    /// The kind of failure.
    pub cause: Cause,
    /// Slurm's state of the task; `None` if Slurm does not know it.
    pub state: Option<TaskState>,
    /// The path where its output should be.
    pub output: PathBuf,
    /// The last lines of the output; `None` if it cannot be read.
    pub last_lines: Option<String>,
}

impl TaskFailure {
    /// The failure of a task. Its output may refine the cause.
    #[must_use]
    pub fn new(cause: Cause, state: Option<TaskState>, output: PathBuf) -> Self {
        let last_lines = last_lines(&output);
        let says = |sign: &str| last_lines.as_ref().is_some_and(|lines| lines.contains(sign));
        let is_memory = cause == Cause::Failed && MEMORY_SIGNS.into_iter().any(says);
        Self { cause: if is_memory { Cause::Memory } else { cause }, state, output, last_lines }
    }

    fn in_words(&self) -> String {
        let cause = match self.cause {
            Cause::Failed => "failed on the cluster",
            Cause::Memory => "took more memory than it was given",
            Cause::Time => "took more time than it was given",
            Cause::Node => "was lost with its node",
            Cause::Cancelled => "was cancelled",
            Cause::Preempted => "was preempted by other jobs of the cluster",
            Cause::Silent => "ended without a result",
            Cause::Vanished => "is not known to Slurm any more, and has left no result",
        };
        let state = self.state.as_ref().map_or(String::new(), state_in_words);
        let (output, lines) = (self.output.display(), self.last_lines.as_deref());
        let output = match lines {
            None => format!("its output does not exist: {output}"),
            Some("") => format!("its output is empty: {output}"),
            Some(lines) => format!("its output, {output}, ends with:\n{lines}"),
        };
        format!("the job's task {cause}{state}\n{output}")
    }

    /// Advice to the user.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self.cause {
            Cause::Memory => {
                "`--resume --sbatch --mem=SIZE` tries it again with more memory than its limit and a margin"
            }
            Cause::Time => {
                "`--resume --sbatch --time=MINUTES` tries it again with more time, from the last search that it finished"
            }
            Cause::Failed if self.last_lines.is_none() => {
                "the nodes must see this program, the job list and the folder of `--out` under the same paths"
            }
            Cause::Failed | Cause::Node | Cause::Cancelled | Cause::Preempted | Cause::Silent | Cause::Vanished => {
                "`--resume` tries it again, from the last search that it finished"
            }
        }
    }
}

fn state_in_words(TaskState { array, task, state, reason, exit, nodes, .. }: &TaskState) -> String {
    let node = if nodes.is_empty() { String::new() } else { format!(" on {nodes}") };
    let signal = if exit.signal == 0 { String::new() } else { format!(", signal {}", exit.signal) };
    format!(": {array}_{task} is {state} ({reason}){node}, exit status {}{signal}", exit.code)
}

fn last_lines(path: &Path) -> Option<String> {
    let text = String::from_utf8_lossy(&fs_err::read(path).ok()?).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    Some(lines[lines.len().saturating_sub(LINES)..].join("\n"))
}

#[cfg(test)]
mod tests {
    use super::super::queue::{Exit, Standing};
    use super::*;

    fn ended(state: &str, reason: &str, signal: u8) -> TaskState {
        let exit = Exit { code: 0, signal };
        let (name, state, reason, nodes) =
            ("autotune-1".to_owned(), state.to_owned(), reason.to_owned(), "n7".to_owned());
        TaskState { name, array: 12, task: 3, state, reason, exit, restarts: 0, nodes }
    }

    fn told(state: &TaskState, output: &Path) -> TaskFailure {
        let Standing::Over(cause) = state.standing() else { panic!("{} is not an end", state.state) };
        TaskFailure::new(cause, Some(state.clone()), output.to_owned())
    }

    #[test]
    fn ends_are_told_apart() {
        let nowhere = Path::new("/nowhere/12_3.out");
        let cause = |state, reason| told(&ended(state, reason, 0), nowhere).cause;
        assert_eq!(cause("OUT_OF_MEMORY", "OutOfMemory"), Cause::Memory);
        assert_eq!(cause("TIMEOUT", "TimeLimit"), Cause::Time);
        assert_eq!(cause("NODE_FAIL", "NodeDown"), Cause::Node);
        assert_eq!(cause("CANCELLED", "None"), Cause::Cancelled);
        assert_eq!(cause("PREEMPTED", "None"), Cause::Preempted);
        assert_eq!(cause("FAILED", "NonZeroExitCode"), Cause::Failed);
    }

    #[test]
    fn an_error_names_state_node_exit_and_output() {
        let folder = tempfile::tempdir().unwrap();
        let output = folder.path().join("12_3.out");
        fs_err::write(&output, "one\ntwo\nthree\nfour\nslurmstepd: error: StepId=2.batch exceeded memory limit\nsix\n")
            .unwrap();
        let failure = told(&ended("FAILED", "JobLaunchFailure", 9), &output);
        assert_eq!(failure.cause, Cause::Memory);
        let text = failure.to_string().replace(&folder.path().display().to_string(), "DIR");
        assert_eq!(
            text,
            "the job's task took more memory than it was given: 12_3 is FAILED (JobLaunchFailure) on n7, exit status 0, signal 9\n\
             its output, DIR/12_3.out, ends with:\ntwo\nthree\nfour\nslurmstepd: error: StepId=2.batch exceeded memory limit\nsix"
        );
        let absent = told(&ended("FAILED", "NonZeroExitCode", 0), Path::new("/nowhere/12_3.out"));
        assert!(absent.to_string().ends_with("its output does not exist: /nowhere/12_3.out"), "{absent}");
        assert!(absent.help().contains("under the same paths"));
    }
}
