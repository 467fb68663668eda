//! The kinds of failure of a cluster's task.

/// The kind of a task's failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The program failed.
    Failed,
    /// The task took more memory than it had asked for.
    Memory,
    /// The task took more time than it had asked for.
    Time,
    /// The node failed, and Slurm was not to requeue the task.
    Node,
    /// The task was cancelled.
    Cancelled,
    /// The task was preempted, and Slurm was not to requeue it.
    Preempted,
    /// The task ended without an error, but also without a result.
    Silent,
    /// Slurm does not know the task any more.
    Vanished,
}
