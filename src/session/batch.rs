//! Many questions in a row: job lists, a journal that loses nothing, executors.
//!
//! A batch lives in a folder. `journal.jsonl` there has a line for each event, written and synced before the next step
//! begins; whatever ends the batch, the journal says how far it came, in the middle of a bisection too. When all jobs have
//! ended, `results.json` is made from it.

mod inputs;
mod job;
mod job_list;
mod journal;
mod local;
mod record;
mod results;
pub mod slurm;

pub use inputs::{BatchInputs, Difference, JobInputs};
pub use job::{Ended, Essence, Job, JobLimits, Summary};
pub use job_list::{JobListError, read};
pub use journal::{Begun, Journal, JournalError, JournalLine};
pub use local::{JobOutcome, run, workers};
pub use record::Memory;
pub use results::{RESULTS, may_write, write};
