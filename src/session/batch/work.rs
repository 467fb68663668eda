//! The jobs of a batch, run on this computer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::answer::{answer, end_of};
use super::inputs::BatchInputs;
use super::job::{Ended, Job};
use super::journal::{Begun, Journal};
use super::local::{self, JobOutcome};
use super::recheck::{self, Judged};
use super::record::Memory;
use super::states::{State, job_report};
use super::watcher::Watcher;
use crate::result::JobReport;
use crate::session::{JournalLine, Session, SessionError};
use autotune_engine::proof::StopReason;
use autotune_engine::spin::{Record, SearchKey, SearchResult};

/// The jobs of a batch and their progress.
pub struct Work<'a> {
    /// The jobs, in the list's order.
    pub jobs: &'a [Job],
    /// The inputs that the batch was started with.
    pub inputs: &'a BatchInputs,
    /// The session that answers the jobs.
    pub session: &'a Session,
    /// The journal of the batch.
    pub journal: Arc<Journal>,
    /// The display of the batch.
    pub watcher: &'a dyn Watcher,
    states: Mutex<Vec<State>>,
    /// For each job, the searches that it made before it was interrupted.
    pub(super) searches: Mutex<Vec<Vec<(SearchKey, SearchResult)>>>,
    /// The failure that ends the batch.
    lost: Mutex<Option<std::io::Error>>,
}

impl<'a> Work<'a> {
    /// The work that a journal leaves. A job that failed for a reason of its own is tried again, and so is a job whose
    /// end is not believed.
    ///
    /// # Errors
    /// If the ends that the journal tells cannot be read or checked.
    pub fn new(
        jobs: &'a [Job],
        inputs: &'a BatchInputs,
        session: &'a Session,
        watcher: &'a dyn Watcher,
        journal: Journal,
        begun: Begun,
    ) -> Result<Self, SessionError> {
        let states: Vec<State> = recheck::believed(session, jobs, &journal, begun.ended)?
            .into_iter()
            .map(|ended| match ended {
                Some((summary, line)) if summary.status != 1 => State::Ended(summary, line),
                _ => State::Waiting,
            })
            .collect();
        watcher.start(states.iter().filter(|state| state.has_ended()).count(), states.len());
        Ok(Self {
            jobs,
            inputs,
            session,
            journal: Arc::new(journal),
            watcher,
            states: Mutex::new(states),
            searches: Mutex::new(begun.searches),
            lost: Mutex::new(None),
        })
    }

    /// The jobs that have not ended, in the list's order.
    #[must_use]
    pub fn left(&self) -> Vec<usize> {
        self.states().iter().enumerate().filter(|(_, state)| !state.has_ended()).map(|(job, _)| job).collect()
    }

    /// Runs the jobs that have not ended, `workers` at a time.
    pub fn all(&self, workers: usize) {
        local::run(&self.left(), workers, &|job| {
            self.job(job).unwrap_or_else(|error| {
                self.lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                // The other jobs could not record their results.
                self.session.interrupt.raise();
                JobOutcome::Stop
            })
        });
        self.watcher.end();
    }

    /// Returns the failure that ended the batch.
    ///
    /// # Errors
    /// If the journal could not be written.
    pub fn end(&mut self) -> Result<(), SessionError> {
        match self.lost.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            Some(why) => Err(journal_lost(&self.journal, why)),
            None => Ok(()),
        }
    }

    /// The end of a job as the journal has it; `None` if the job has not ended.
    ///
    /// # Errors
    /// If the journal cannot be read.
    pub fn ended(&self, number: usize) -> std::io::Result<Option<Ended>> {
        let line = if let State::Ended(_, line) = &self.states()[number] { Some(*line) } else { None };
        line.map(|line| self.journal.reread(line)).transpose()
    }

    /// The journal's lines of all jobs; `None` while a job has not ended.
    #[must_use]
    pub fn lines(&self) -> Option<Vec<JournalLine>> {
        let states = self.states();
        states.iter().map(|state| if let State::Ended(_, line) = state { Some(*line) } else { None }).collect()
    }

    /// The batch's result so far, with a part for each job.
    #[must_use]
    pub fn reports(&self) -> Vec<JobReport> {
        self.states().iter().zip(self.jobs).map(|(state, job)| job_report(job, state)).collect()
    }

    /// The end of a job as its task on a cluster has left it; a failure in its place if it is not believed, and `None`
    /// if an interrupt cut the check short.
    ///
    /// # Errors
    /// If the evaluator cannot be asked.
    pub(super) fn checked(&self, number: usize, ended: Ended) -> Result<Option<Ended>, SessionError> {
        let job = &self.jobs[number];
        let what = format!("the end of job {} ({}) that its task has left", number + 1, job.label());
        match recheck::judge(self.session, job, &ended)? {
            Judged::Believed => Ok(Some(ended)),
            Judged::Unknown => Ok(None),
            Judged::NotEvaluated(why) => Err(SessionError::NotEvaluated { what, why }),
            Judged::Refuted(why) => {
                let error = format!("{what} is not believed: {why}");
                (self.session.note)(&error);
                let help = Some("`--resume` runs the job again".to_owned());
                Ok(Some(Ended { status: 1, result: None, cost: None, error: Some(error), help, ..ended }))
            }
        }
    }

    fn states(&self) -> MutexGuard<'_, Vec<State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets a job's state, and shows its end.
    pub(super) fn set(&self, number: usize, state: State) {
        let mut states = self.states();
        states[number] = state;
        if let State::Ended(summary, _) = &states[number] {
            let ended = states.iter().filter(|state| state.has_ended()).count();
            let job = &self.jobs[number];
            self.watcher.ended(job, summary, &job_report(job, &states[number]), ended, states.len());
        }
    }

    /// Runs one job. The only errors are the journal's.
    fn job(&self, number: usize) -> std::io::Result<JobOutcome> {
        if self.session.interrupt.is_raised() {
            return Ok(JobOutcome::Stop);
        }
        let job = &self.jobs[number];
        self.journal.started(number)?;
        let progress = self.watcher.begin(job);
        let began = Instant::now();
        let made = std::mem::take(&mut self.searches.lock().unwrap_or_else(PoisonError::into_inner)[number]);
        let memory = Arc::new(Memory::new(Arc::clone(&self.journal), number, made));
        let record = Arc::clone(&memory) as Arc<dyn Record>;
        let answer = answer(self.session, job, &self.inputs.jobs[number], record, &mut |event| progress.show(&event));
        progress.end();
        if let Some(error) = memory.lost() {
            return Err(error);
        }
        let ended = end_of(answer, began.elapsed())?;
        let summary = ended.summary();
        let stopped = summary.result.as_ref().and_then(|result| result.stopped.as_deref());
        if stopped == Some(StopReason::Checker.name()) {
            // It stays open: `--resume` proves it once the checker is there.
            self.set(number, State::Stopped(summary.result));
            return Ok(JobOutcome::Ended);
        }
        if stopped == Some("interrupt") || (self.session.interrupt.is_raised() && summary.result.is_none()) {
            self.set(number, State::Stopped(summary.result));
            return Ok(JobOutcome::Stop);
        }
        let line = self.journal.ended(number, &ended)?;
        self.set(number, State::Ended(summary, line));
        Ok(JobOutcome::Ended)
    }
}

/// The error of a journal that can no longer be written.
pub(super) fn journal_lost(journal: &Journal, why: std::io::Error) -> SessionError {
    SessionError::JournalLost { work: "batch", path: journal.path().to_owned(), why }
}
