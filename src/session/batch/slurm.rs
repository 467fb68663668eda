//! The Slurm executor: runs a batch as job arrays of a cluster.
//!
//! Each task answers one question as if it were a batch of one job. It has a journal of its own in the folder that the
//! nodes share, so a task that Slurm requeues continues in the middle of its bisection. The submitting process asks
//! Slurm for the state of the tasks, and moves their results to the batch's journal. An array's name is in that journal
//! before the array is submitted, so a batch whose process was killed finds the array again instead of submitting it
//! twice.

mod array;
mod cause;
mod cluster;
mod failure;
mod queue;
mod tasks;

pub use array::{Array, Submission, arrays};
pub use cause::Cause;
pub use cluster::{Cluster, SlurmError};
pub use failure::TaskFailure;
pub use queue::{Exit, Standing, TaskState};
pub use tasks::{Left, Tasks};
