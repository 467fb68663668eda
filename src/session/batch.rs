//! Batches of questions: job lists, a journal that survives crashes, executors.
//!
//! A batch lives in a folder. Its `journal.jsonl` has a line for each event, written and synced before the next step
//! begins. However the batch ends, the journal holds its progress, even in the middle of a bisection. When all jobs
//! have ended, `results.json` is made from the journal.

mod answer;
mod cluster;
mod inputs;
mod job;
mod job_list;
mod journal;
mod local;
mod recheck;
mod record;
mod results;
pub mod slurm;
mod states;
mod task;
mod watcher;
mod work;

pub use cluster::{OnCluster, gather, nothing_runs, on_cluster};
pub use inputs::{BatchInputs, Difference, JobInputs, NO_CHECKER};
pub use job::{Ended, Essence, Job, JobLimits, JobScenario, Summary};
pub use job_list::{JobListError, read};
pub use journal::{Begun, Journal};
pub use local::{JobOutcome, workers};
pub use record::Memory;
pub use results::{RESULTS, is_of_others, may_write, write};
pub use states::State;
pub use task::{ClusterTask, run_task};
pub use watcher::{JobWatcher, Watcher};
pub use work::Work;
