//! The reader of squeue's output: the states of tasks.
//!
//! A task is a line of fields that end with `|`, in the order of [`FIELDS`]:
//!
//! ```text
//! autotune-1f|12|3|RUNNING|None|0|0|node7|
//! ```

use super::cause::Cause;

/// The requested fields of squeue's output.
pub(super) const FIELDS: &str =
    "Name:|,ArrayJobID:|,ArrayTaskID:|,State:|,Reason:|,exit_code:|,RestartCnt:|,NodeList:|";

/// The state of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskState {
    /// The name of its array.
    pub name: String,
    /// The number of its array.
    pub array: u64,
    /// The index in the array.
    pub task: usize,
    /// Slurm's word for its state.
    pub state: String,
    /// Slurm's word for the reason of its state.
    pub reason: String,
    /// The end of its program; zeros if it has not ended.
    pub exit: Exit,
    /// The number of times that Slurm has requeued it.
    pub restarts: u32,
    /// The nodes that it runs or ran on; empty if it has not begun.
    pub nodes: String,
}

/// The end of a task's program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    /// The exit status.
    pub code: u8,
    /// The signal that killed it, or 0.
    pub signal: u8,
}

/// The meaning of a task's state for the batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// The task has not begun, or not begun again.
    Waiting,
    /// The task runs.
    Running,
    /// The program has ended without an error.
    Completed,
    /// The task has ended in another way, and Slurm does not requeue it.
    Over(Cause),
}

impl TaskState {
    /// The meaning of the state for the batch.
    #[must_use]
    pub fn standing(&self) -> Standing {
        match self.state.as_str() {
            "PENDING" | "REQUEUED" | "REQUEUE_HOLD" | "REQUEUE_FED" | "SPECIAL_EXIT" | "RESV_DEL_HOLD" => {
                Standing::Waiting
            }
            "RUNNING" | "COMPLETING" | "CONFIGURING" | "RESIZING" | "SIGNALING" | "STAGE_OUT" | "STOPPED"
            | "SUSPENDED" => Standing::Running,
            "COMPLETED" => Standing::Completed,
            "CANCELLED" | "REVOKED" => Standing::Over(Cause::Cancelled),
            "OUT_OF_MEMORY" => Standing::Over(Cause::Memory),
            "TIMEOUT" | "DEADLINE" => Standing::Over(Cause::Time),
            "NODE_FAIL" | "BOOT_FAIL" => Standing::Over(Cause::Node),
            "PREEMPTED" => Standing::Over(Cause::Preempted),
            _ => Standing::Over(Cause::Failed),
        }
    }

    /// Returns true if the task waits for something that needs a person.
    #[must_use]
    pub fn is_held(&self) -> bool {
        let reason = self.reason.to_lowercase();
        let signs = ["held", "badconstraints", "neversatisfied", "invalidaccount", "invalidqos", "accountnotallowed"];
        self.standing() == Standing::Waiting && signs.iter().any(|sign| reason.contains(sign))
    }
}

/// The tasks in squeue's output.
///
/// # Errors
/// The first line that is not a task's.
pub(super) fn parse(text: &str) -> Result<Vec<TaskState>, String> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| task(line).ok_or_else(|| line.to_owned())).collect()
}

fn task(line: &str) -> Option<TaskState> {
    let fields: Vec<&str> = line.split('|').map(str::trim).collect();
    let &[name, array, task, state, reason, exit, restarts, nodes, ""] = fields.as_slice() else { return None };
    Some(TaskState {
        name: name.to_owned(),
        array: array.parse().ok()?,
        task: task.parse().ok()?,
        state: state.to_owned(),
        reason: reason.to_owned(),
        exit: exit_of(exit)?,
        restarts: restarts.parse().ok()?,
        nodes: nodes.to_owned(),
    })
}

/// The exit status in the form of wait(2), or as `code:signal`.
fn exit_of(text: &str) -> Option<Exit> {
    if let Some((code, signal)) = text.split_once(':') {
        return Some(Exit { code: code.parse().ok()?, signal: signal.parse().ok()? });
    }
    let [.., code, signal] = text.parse::<u32>().ok()?.to_be_bytes();
    // The highest bit says that a core was dumped.
    Some(Exit { code, signal: signal & 0x7f })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As squeue 22.05 prints it.
    const TOLD: &str = "\
autotune-1f|6|2|PENDING|JobArrayTaskLimit|0|0||
autotune-1f|6|1|RUNNING|None|0|0|n0|
autotune-1f|6|3|FAILED|NonZeroExitCode|1792|0|n0|
autotune-1f|6|4|FAILED|JobLaunchFailure|9|0|n1|
autotune-1f|6|5|PENDING|BeginTime|0|1||
autotune-1f|6|6|COMPLETED|None|0|2|n0|
autotune-2e|7|0|OUT_OF_MEMORY|OutOfMemory|0:125|0|n0|
";

    #[test]
    fn tasks_are_read() {
        let tasks = parse(TOLD).unwrap();
        let numbers: Vec<_> = tasks.iter().map(|task| (task.array, task.task, task.restarts)).collect();
        assert_eq!(numbers, [(6, 2, 0), (6, 1, 0), (6, 3, 0), (6, 4, 0), (6, 5, 1), (6, 6, 2), (7, 0, 0)]);
        let exits: Vec<_> = tasks[2..4].iter().map(|task| (task.exit.code, task.exit.signal)).collect();
        assert_eq!(exits, [(7, 0), (0, 9)]);
        assert_eq!(tasks[6].exit, Exit { code: 0, signal: 125 });
        let standings: Vec<_> = tasks.iter().map(TaskState::standing).collect();
        let failed = || Standing::Over(Cause::Failed);
        assert_eq!(standings[..4], [Standing::Waiting, Standing::Running, failed(), failed()]);
        assert_eq!(standings[4..], [Standing::Waiting, Standing::Completed, Standing::Over(Cause::Memory)]);
    }

    #[test]
    fn who_waits_in_vain_is_known() {
        let task = |state: &str, reason: &str| parse(&format!("a|1|0|{state}|{reason}|0|0||\n")).unwrap().remove(0);
        assert!(task("PENDING", "JobHeldAdmin").is_held());
        assert!(task("PENDING", "launch failed requeued held").is_held());
        assert!(!task("PENDING", "Priority").is_held());
        assert!(!task("COMPLETED", "JobHeldUser").is_held());
    }

    #[test]
    fn other_lines_are_refused() {
        assert_eq!(
            parse("slurm_load_jobs error: Invalid job id"),
            Err("slurm_load_jobs error: Invalid job id".to_owned())
        );
        assert!(parse("a|6|2-40%2|PENDING|None|0|0||\n").is_err());
        assert_eq!(parse("\n"), Ok(Vec::new()));
    }
}
