//! The same batch as job arrays of a Slurm cluster.
//!
//! Each task answers one question as if it were a batch of one job, with a journal of its own in the folder that the nodes
//! share: a task that Slurm requeues goes on in the middle of its bisection. The process that submits asks Slurm how the
//! tasks stand, and moves what has ended into the batch's journal. The name of an array is in that journal before the array
//! is submitted, so that a batch whose process was killed finds it again instead of submitting it twice.

mod array;
mod cluster;
mod failure;
mod queue;
mod tasks;

pub use array::{Array, Submission, arrays};
pub use cluster::{Cluster, SlurmError};
pub use failure::{Cause, TaskFailure};
pub use queue::{Exit, Standing, TaskState};
pub use tasks::{Left, Tasks};
