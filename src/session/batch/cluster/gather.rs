//! The transfer of tasks' results to the batch's journal.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use super::super::job::Ended;
use super::super::slurm::{Cause, Left, TaskFailure, TaskState, Tasks};
use super::super::states::State;
use super::super::work::{Work, journal_lost};
use super::Watch;
use crate::session::SessionError;
use autotune_engine::spin::{SearchKey, SearchResult};

/// Takes in the ends and searches of these jobs' tasks that are not awaited.
///
/// # Errors
/// If a journal cannot be read or written.
pub fn gather(work: &Work, tasks: &Tasks, jobs: &[usize]) -> Result<(), SessionError> {
    for &job in jobs {
        let left = tasks.left(job, &work.inputs.of_job(job))?;
        let Left { ended, searches } = left.ok_or_else(|| SessionError::StillOnCluster(work.jobs[job].label()))?;
        work.searched(job, searches)?;
        if let Some(ended) = ended {
            // What could not be checked now stays for the next run.
            let Some(ended) = work.checked(job, ended)? else { continue };
            if !ended.is_to_be_repeated() {
                work.note_end(job, &ended)?;
            }
        }
        tasks.remove(job)?;
    }
    Ok(())
}

impl Watch<'_> {
    /// Takes in the end of a job whose task has ended, unless its result may still become visible.
    pub(super) fn take(
        &mut self,
        job: usize,
        cause: Cause,
        state: Option<&TaskState>,
        late: Duration,
    ) -> Result<(), SessionError> {
        let Some(awaited) = self.awaited.get_mut(&job) else { return Ok(()) };
        let is_late = awaited.over.get_or_insert_with(Instant::now).elapsed() >= late;
        let seconds = awaited.since.elapsed().as_secs_f64();
        let work = self.work;
        let mut left = match self.tasks.left(job, &work.inputs.of_job(job))? {
            Some(left) if left.ended.is_some() || is_late => left,
            None if is_late => Left::default(),
            _ => return Ok(()),
        };
        let output = state.map(|state| self.tasks.output(state));
        if let Some(ended) = left.ended {
            let Some(ended) = work.checked(job, ended)? else { return Ok(()) };
            left.ended = Some(ended);
        }
        match left.ended {
            // The kill for memory made the search fail.
            Some(ended) if !(ended.is_to_be_repeated() && cause == Cause::Memory) => {
                work.note_end(job, &ended)?;
                if let Some(output) = output {
                    let _ = fs_err::remove_file(output);
                }
            }
            _ => {
                let output = output.unwrap_or_else(|| self.tasks.folder().to_owned());
                let failure = TaskFailure::new(cause, state.cloned(), output);
                work.note_end(job, &end_of(&failure, seconds))?;
                // The searches follow the end, so that the next try continues from them.
                work.searched_again(job, left.searches)?;
            }
        }
        self.tasks.remove(job)?;
        self.awaited.remove(&job);
        Ok(())
    }
}

fn end_of(failure: &TaskFailure, seconds: f64) -> Ended {
    let (error, help) = (Some(failure.to_string()), Some(failure.help().to_owned()));
    Ended { status: 1, seconds, result: None, cost: None, error, help }
}

type Searches = Vec<(SearchKey, SearchResult)>;

impl Work<'_> {
    /// The searches of a job in the batch's journal.
    pub(super) fn searches_of(&self, job: usize) -> Searches {
        self.searches.lock().unwrap_or_else(PoisonError::into_inner)[job].clone()
    }

    /// Writes the searches of a job that the journal does not have.
    fn searched(&self, job: usize, searches: Searches) -> Result<(), SessionError> {
        let mut known = self.searches.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, result) in searches {
            if !known[job].iter().any(|(other, _)| *other == key) {
                self.journal.searched(job, &key, &result).map_err(|why| journal_lost(&self.journal, why))?;
                known[job].push((key, result));
            }
        }
        Ok(())
    }

    /// Writes all searches of a job that is to be tried again, after its end.
    fn searched_again(&self, job: usize, searches: Searches) -> Result<(), SessionError> {
        let known = std::mem::take(&mut self.searches.lock().unwrap_or_else(PoisonError::into_inner)[job]);
        self.searched(job, known)?;
        self.searched(job, searches)
    }

    /// Writes the end of a job.
    fn note_end(&self, job: usize, ended: &Ended) -> Result<(), SessionError> {
        let line = self.journal.ended(job, ended).map_err(|why| journal_lost(&self.journal, why))?;
        self.set(job, State::Ended(ended.summary(), line));
        Ok(())
    }
}
