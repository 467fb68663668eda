//! The ends that a journal tells, held against their jobs before they count.
//!
//! A journal lies in a folder that people move, share and edit. An end that contradicts itself, or the evaluator, is not
//! believed: a note names the job, the line and the contradiction, and the job is to be run again. The line stays in the
//! journal; the job's new end follows it.

use rayon::prelude::*;

use super::answer::{JobResult, request_of};
use super::job::{Ended, Job, Summary};
use super::journal::Journal;
use crate::doubts::{Doubt, doubts, doubts_of_fleet};
use crate::session::{Inputs, JournalLine, Session, SessionError};
use autotune_base::text::words::printable;
use autotune_engine::proof::Question;

/// The end of a job and its line; `None` if the job has not ended.
type End = Option<(Summary, JournalLine)>;

/// The ends that are believed. After an interrupt, an end that was not checked is as good as none.
///
/// # Errors
/// If the journal cannot be read, or the evaluator cannot be asked.
pub(super) fn believed(
    session: &Session,
    jobs: &[Job],
    journal: &Journal,
    ends: Vec<End>,
) -> Result<Vec<End>, SessionError> {
    let judged = jobs.par_iter().zip(&ends).map(|(job, end)| match end {
        None => Ok(Judged::Believed),
        Some(_) if session.interrupt.is_raised() => Ok(Judged::Unknown),
        Some((_, line)) => judge(session, job, &journal.reread(*line)?),
    });
    let judged: Vec<Result<Judged, SessionError>> = judged.collect();
    let mut believed = Vec::with_capacity(ends.len());
    for (number, (end, judged)) in ends.into_iter().zip(judged).enumerate() {
        let Some((summary, line)) = end else {
            believed.push(None);
            continue;
        };
        let place = || -> std::io::Result<String> {
            let (line, path) = (journal.number(line)?, journal.path().display());
            Ok(format!("line {line} of `{path}`, the end of job {} ({})", number + 1, jobs[number].label()))
        };
        believed.push(match judged? {
            Judged::Believed => Some((summary, line)),
            Judged::Unknown => None,
            Judged::Refuted(why) => {
                (session.note)(&format!("{} is not believed; the job is run again: {why}", place()?));
                None
            }
            Judged::NotEvaluated(why) => return Err(SessionError::NotEvaluated { what: place()?, why }),
        });
    }
    Ok(believed)
}

/// The judgement of an end.
pub(super) enum Judged {
    /// Nothing contradicts it.
    Believed,
    /// A contradiction, or a claim that the evaluator refutes, for this reason.
    Refuted(String),
    /// The evaluator cannot be asked, for this reason.
    NotEvaluated(String),
    /// An end that was not checked, since the work is interrupted.
    Unknown,
}

/// Holds the end of a job against itself, the job and the evaluator.
///
/// # Errors
/// If the job's inputs cannot be read.
pub(super) fn judge(session: &Session, job: &Job, ended: &Ended) -> Result<Judged, SessionError> {
    let refuted = |why: &str| Ok(Judged::Refuted(printable(why)));
    let result = match (&ended.result, &ended.error) {
        (Some(result), None) => result,
        (None, Some(_)) if ended.status == 0 => return refuted("it has an error, and the status 0 of a proof"),
        (None, Some(_)) => return Ok(Judged::Believed),
        (None, None) => return refuted("it has neither a result nor an error"),
        (Some(_), Some(_)) => return refuted("it has both a result and an error"),
    };
    let result = match JobResult::read(job, result) {
        Ok(result) => result,
        Err(why) => return refuted(&format!("it has no result: {why}")),
    };
    let status = result.status() as u8;
    if status != ended.status {
        return refuted(&format!("its status is {}, but that of its result is {status}", ended.status));
    }
    let request = request_of(job);
    let inputs = Inputs::of_job(job, &session.reader.until(request.deadline()))?;
    let questions: Vec<Question> = inputs.iter().map(|inputs| request.question(inputs)).collect();
    let weights: Vec<u32> = job.scenarios.iter().map(|scenario| scenario.weight).collect();
    let doubts = match &result {
        JobResult::One(report) => doubts(report, questions.first()),
        JobResult::Fleet(report) => doubts_of_fleet(report, &questions, &weights),
    };
    Ok(match doubts.first() {
        None => Judged::Believed,
        // A step that an interrupt cuts short has not failed.
        Some(Doubt::NotEvaluated(_)) if session.interrupt.is_raised() => Judged::Unknown,
        Some(Doubt::NotEvaluated(why)) => Judged::NotEvaluated(why.to_string()),
        Some(doubt) => Judged::Refuted(printable(&doubt.to_string())),
    })
}
