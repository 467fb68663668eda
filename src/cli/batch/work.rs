//! The jobs of a batch, done on this machine.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use serde_json::value::{RawValue, to_raw_value};

use super::super::failure::Failure;
use super::super::tune::{self, Desk};
use super::super::{arguments, output, question};
use super::board::{Board, State};
use crate::proof::Observer;
use crate::report::Report;
use crate::session::batch;
use crate::session::batch::{BatchInputs, Begun, Ended, Job, JobInputs, JobOutcome, Journal, Memory};
use crate::spin::{Record, SearchKey, SearchResult};

/// The jobs of a batch, and how far they are.
pub(super) struct Work<'a> {
    pub(super) jobs: &'a [Job],
    pub(super) inputs: &'a BatchInputs,
    pub(super) desk: &'a Desk,
    pub(super) journal: Arc<Journal>,
    pub(super) board: Board,
    /// Of each job: the searches that it made before it was cut short.
    pub(super) searches: Mutex<Vec<Vec<(SearchKey, SearchResult)>>>,
    /// Why the batch cannot go on.
    lost: Mutex<Option<std::io::Error>>,
}

impl<'a> Work<'a> {
    pub(super) fn new(
        jobs: &'a [Job],
        inputs: &'a BatchInputs,
        desk: &'a Desk,
        journal: Journal,
        begun: Begun,
    ) -> Self {
        let states = begun.ended.into_iter().map(|ended| match ended {
            // What failed for a reason of its own is tried again.
            Some((summary, line)) if summary.status != 1 => State::Ended(summary, line),
            _ => State::Waiting,
        });
        Self {
            jobs,
            inputs,
            desk,
            journal: Arc::new(journal),
            board: Board::new(states.collect()),
            searches: Mutex::new(begun.searches),
            lost: Mutex::new(None),
        }
    }

    /// What is left to do.
    pub(super) fn left(&self) -> Vec<usize> {
        let is_left = |state: &State| !matches!(state, State::Ended(..));
        self.board.states().iter().enumerate().filter(|(_, state)| is_left(state)).map(|(job, _)| job).collect()
    }

    /// Does what is left to do, by so many workers.
    pub(super) fn all(&self, workers: usize) {
        batch::run(&self.left(), workers, &|job| {
            self.job(job).unwrap_or_else(|error| {
                self.lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                // The other jobs have nowhere to note what they find.
                self.desk.interrupt.raise();
                JobOutcome::Stop
            })
        });
        self.board.end();
    }

    /// Says why, if the batch could not go on.
    pub(super) fn end(&mut self) -> Result<(), Failure> {
        match self.lost.get_mut().unwrap_or_else(PoisonError::into_inner).take() {
            Some(why) => Err(journal_lost(&self.journal, why)),
            None => Ok(()),
        }
    }

    /// How a job has ended, if it has, as the journal says.
    pub(super) fn ended(&self, number: usize) -> std::io::Result<Option<Ended>> {
        let line = if let State::Ended(_, line) = &self.board.states()[number] { Some(*line) } else { None };
        line.map(|line| self.journal.reread(line)).transpose()
    }

    /// Does one job. The only errors are those of the journal.
    fn job(&self, number: usize) -> std::io::Result<JobOutcome> {
        if self.desk.interrupt.is_raised() {
            return Ok(JobOutcome::Stop);
        }
        let job = &self.jobs[number];
        self.journal.started(number)?;
        let progress = self.board.begin(job);
        let began = Instant::now();
        let made = std::mem::take(&mut self.searches.lock().unwrap_or_else(PoisonError::into_inner)[number]);
        let memory = Arc::new(Memory::new(Arc::clone(&self.journal), number, made));
        let record = Arc::clone(&memory) as Arc<dyn Record>;
        let answer = answer(self.desk, job, &self.inputs.jobs[number], record, &mut |event| progress.show(&event));
        progress.end();
        if let Some(error) = memory.lost() {
            return Err(error);
        }
        let ended = ended(answer, began.elapsed())?;
        let summary = ended.summary();
        let stopped = summary.result.as_ref().and_then(|result| result.stopped.as_deref());
        if stopped == Some("interrupt") || (self.desk.interrupt.is_raised() && summary.result.is_none()) {
            self.board.set(number, job, State::Stopped(summary.result));
            return Ok(JobOutcome::Stop);
        }
        let line = self.journal.ended(number, &ended)?;
        self.board.set(number, job, State::Ended(summary, line));
        Ok(JobOutcome::Ended)
    }
}

/// That the journal cannot be written.
pub(super) fn journal_lost(journal: &Journal, why: std::io::Error) -> Failure {
    Failure::JournalLost { path: journal.path().to_owned(), why }
}

/// Answers the question of a job.
fn answer(
    desk: &Desk,
    job: &Job,
    inputs: &JobInputs,
    record: Arc<dyn Record>,
    observe: Observer,
) -> Result<Report, Failure> {
    let question = question::of_job(job)?;
    if let Some(changed) = inputs.changed(&question.spec, &question.profile) {
        return Err(Failure::Changed(changed));
    }
    let request = arguments::Tune {
        time_limit: job.limits.time_seconds.map(|seconds| Duration::from_secs_f64(seconds).into()),
        memory: ByteSize::mib(job.limits.memory_mib),
        ..arguments::Tune::usual()
    };
    Ok(desk.answer(&question, &request, Some(record), observe)?.report)
}

/// What the journal says of an answer.
pub(super) fn ended(answer: Result<Report, Failure>, elapsed: Duration) -> serde_json::Result<Ended> {
    let seconds = elapsed.as_secs_f64();
    let nothing = Ended { status: 0, seconds, result: None, cost: None, error: None, help: None };
    Ok(match answer {
        Ok(mut report) => {
            let raw = |cost| to_raw_value(&cost);
            let cost: Option<Box<RawValue>> = report.cost.take().map(raw).transpose()?;
            let status = tune::status(&report) as u8;
            Ended { status, result: Some(to_raw_value(&report)?), cost, ..nothing }
        }
        Err(failure) => {
            let (error, help) = (output::message(&failure), failure.help());
            Ended { status: failure.status() as u8, error: Some(error), help, ..nothing }
        }
    })
}
