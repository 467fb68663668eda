//! The reasons for times: where the time of a configuration goes, what a work group executes of each line, and how
//! near the configurations of a space come to the GPU's limits.

mod account;
mod groups;
pub mod histogram;
pub mod inspect;
mod kernel_source;
pub mod landscape;
mod launch;
pub mod lines;
mod next;
pub mod roofline;
mod safety;
pub mod statements;
mod wave;

pub use account::{
    Account, Change, ExplainError, Explanation, PathShare, Refusal, ServerShare, WaitCause, account, explain,
};
pub use groups::{ExecutedGroups, GroupLine};
pub use kernel_source::{ExecutedSource, StraightLine, UsedRegisters};
pub use launch::may_not_launch;
pub use next::{NextAccess, NextChange, NextValue};
pub use safety::{EdgesNotExecuted, ExecutedSafety, UnsafeEdge, UnsafeFaster};
pub use wave::{PicturedRun, PicturedWave};
