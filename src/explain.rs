//! The reasons for times: where the time of a configuration goes, what a work group executes of each line, and how
//! near the configurations of a space come to the GPU's limits.

mod account;
pub mod inspect;
pub mod landscape;
pub mod lines;
pub mod roofline;
pub mod statements;

pub use account::{Account, Change, ExplainError, Explanation, PathShare, Refusal, WaitCause, account, explain};
