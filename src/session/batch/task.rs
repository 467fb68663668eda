//! A job of a batch as a task of a cluster: a batch of one job, with a journal of its own.

use std::path::PathBuf;
use std::time::Instant;

use super::answer::end_of;
use super::inputs::BatchInputs;
use super::job::Job;
use super::job_list;
use super::journal::Journal;
use super::slurm::Tasks;
use super::watcher::Watcher;
use super::work::{Work, journal_lost};
use crate::session::{Session, SessionError};

/// The batch that a task belongs to.
#[derive(Debug, Clone)]
pub struct ClusterTask {
    /// The batch's job list.
    pub list: PathBuf,
    /// The batch's folder.
    pub folder: PathBuf,
    /// The job of the array's task with index 0.
    pub first: usize,
}

/// Runs the job that the environment names. Returns true once the job's end is in its journal, for every kind of end.
///
/// # Errors
/// If the environment names no job, or the journal cannot be written.
pub fn run_task(
    task: &ClusterTask,
    open: impl FnOnce() -> Result<Session, SessionError>,
    watcher: &dyn Watcher,
) -> Result<bool, SessionError> {
    let start = Instant::now();
    let index: usize = variable("SLURM_ARRAY_TASK_ID").ok_or(SessionError::NoTask)?;
    let number = task.first + index;
    let own = Journal::inputs(&task.folder)?.of_job(number);
    if own.jobs.is_empty() {
        return Err(SessionError::NoTask);
    }
    let (journal, begun) = Tasks::of(&task.folder).open(number, &own)?;
    if begun.ended.iter().flatten().any(|(summary, _)| summary.status != 1) {
        return Ok(true);
    }
    let (job, session) = match prepare(task, number, &own, open) {
        Ok(prepared) => prepared,
        Err(failure) => {
            let ended = end_of(Err(failure), start.elapsed()).map_err(std::io::Error::from)?;
            journal.ended(0, &ended).map_err(|why| journal_lost(&journal, why))?;
            return Ok(true);
        }
    };
    let mut work = Work::new(std::slice::from_ref(&job), &own, &session, watcher, journal, begun)?;
    work.all(1);
    work.end()?;
    Ok(work.lines().is_some())
}

/// The job and a session that answers it; an error if the batch was started with other inputs.
fn prepare(
    task: &ClusterTask,
    number: usize,
    then: &BatchInputs,
    open: impl FnOnce() -> Result<Session, SessionError>,
) -> Result<(Job, Session), SessionError> {
    if let Some(cores) = variable("SLURM_CPUS_PER_TASK") {
        // The node has more cores than the task was given. The pool of threads is not built yet, so its size can be
        // set.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(cores).build_global();
    }
    let changed = |why: String| SessionError::Changed(format!("on the node, {why}"));
    let jobs = job_list::read(&task.list).map_err(|why| changed(format!("the job list cannot be used\n{why}")))?;
    let job = jobs.get(number).cloned().ok_or_else(|| changed(format!("the job list has {} jobs", jobs.len())))?;
    let session = open()?;
    let now = BatchInputs::of(std::slice::from_ref(&job), &session.checker());
    let of_job = || then.jobs.iter().zip(&now.jobs).find_map(|(then, now)| then.difference(now, number + 1));
    match then.difference_of_programs(&now).or_else(of_job) {
        Some(difference) => Err(changed(difference.to_string())),
        None => Ok((job, session)),
    }
}

fn variable(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}
