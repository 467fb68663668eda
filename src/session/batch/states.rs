//! The states of a batch's jobs.

use super::job::{Essence, Job, Summary};
use crate::result::{JobProgress, JobReport};
use crate::session::JournalLine;

/// The state of a job.
#[derive(Debug, Clone)]
pub enum State {
    /// The job has not begun.
    Waiting,
    /// The job was stopped; it may have a result that is not proved.
    Stopped(Option<Essence>),
    /// The job has ended, as this line of the journal says.
    Ended(Summary, JournalLine),
}

impl State {
    /// Returns true if the job has ended.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        matches!(self, Self::Ended(..))
    }
}

/// The part of a batch's result that is about one job.
#[must_use]
pub(super) fn job_report(job: &Job, state: &State) -> JobReport {
    let (progress, summary, essence) = match state {
        State::Waiting => (JobProgress::Waiting, None, None),
        State::Stopped(essence) => (JobProgress::Stopped, None, essence.as_ref()),
        State::Ended(summary, _) => (JobProgress::Ended, Some(summary), summary.result.as_ref()),
    };
    JobReport {
        spec: job.spec.clone(),
        gpu: job.gpu.clone(),
        set: job.sizes(),
        scenarios: job.several(),
        progress,
        status: summary.map(|summary| summary.status),
        verdict: essence.map(|essence| essence.verdict),
        optimum: essence.and_then(|essence| essence.optimum.clone()),
        near: essence.and_then(|essence| essence.near.clone()),
        warnings: essence.map_or_else(Vec::new, |essence| essence.warnings.clone()),
        interval: essence.and_then(|essence| essence.interval.clone()),
        fleet: essence.and_then(|essence| essence.fleet.clone()),
        error: summary.and_then(|summary| summary.error.clone()),
        help: summary.and_then(|summary| summary.help.clone()),
        seconds: summary.map(|summary| summary.seconds),
    }
}
