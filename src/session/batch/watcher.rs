//! The display of a batch while it runs.

use super::job::{Job, Summary};
use crate::result::JobReport;
use autotune_engine::proof::Event;

/// A display of a batch. All methods may be called by several threads.
pub trait Watcher: Sync {
    /// The batch begins with `ended` of `all` jobs ended.
    fn start(&self, ended: usize, all: usize);

    /// A job begins.
    fn begin(&self, job: &Job) -> Box<dyn JobWatcher>;

    /// A job has ended, as the `ended`-th of `all`.
    fn ended(&self, job: &Job, summary: &Summary, report: &JobReport, ended: usize, all: usize);

    /// Something happens that deserves a line.
    fn tell(&self, text: &str);

    /// The state of the jobs that run elsewhere changes.
    fn stand(&self, text: &str);

    /// The batch's display ends.
    fn end(&self);
}

/// A display of one job while it runs.
pub trait JobWatcher {
    /// An event of the job's proof.
    fn show(&self, event: &Event);

    /// The job's display ends.
    fn end(&self);
}
