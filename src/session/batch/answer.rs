//! The answer to a job's question, about one scenario or several.

use std::sync::Arc;
use std::time::Duration;

use serde_json::value::{RawValue, to_raw_value};

use super::inputs::JobInputs;
use super::job::{Ended, Job};
use crate::result::{FleetReport, Listing, Report, Verdict};
use crate::session::{Inputs, Request, ScenarioInputs, Session, SessionError, exit_status};
use autotune_base::user_error::{ExitStatus, UserError, message};
use autotune_engine::proof::Observer;
use autotune_engine::spin::Record;

/// The result of a job.
#[derive(Debug)]
pub(super) enum JobResult {
    /// The answer about one scenario.
    One(Box<Report>),
    /// The answer about several.
    Fleet(Box<FleetReport>),
}

impl JobResult {
    /// Reads the result of a job from its text.
    pub(super) fn read(job: &Job, text: &RawValue) -> serde_json::Result<Self> {
        if job.is_fleet() {
            return serde_json::from_str(text.get()).map(|report| Self::Fleet(Box::new(report)));
        }
        serde_json::from_str(text.get()).map(|report| Self::One(Box::new(report)))
    }

    /// The exit status of the question on its own.
    pub(super) fn status(&self) -> ExitStatus {
        match self {
            Self::One(report) => exit_status(report),
            Self::Fleet(report) => match report.verdict {
                Verdict::Proved => ExitStatus::Success,
                Verdict::BestEffort => ExitStatus::BestEffort,
                Verdict::Infeasible => ExitStatus::Infeasible,
            },
        }
    }
}

/// The request of a job.
pub(super) fn request_of(job: &Job) -> Request {
    let time_limit = job.limits.time_seconds.map(Duration::from_secs_f64);
    let listing = if job.rank { Listing::All } else { Listing::Searched };
    let memory_mib = job.limits.memory_mib;
    Request { time_limit, memory_mib, variants: job.variants, rank: job.rank, listing, ..Request::default() }
}

/// Answers the question of a job.
pub(super) fn answer(
    session: &Session,
    job: &Job,
    then: &JobInputs,
    record: Arc<dyn Record>,
    observe: Observer,
) -> Result<JobResult, SessionError> {
    let request = request_of(job);
    let inputs = Inputs::of_job(job, &session.reader.until(request.deadline()))?;
    if let Some(changed) = then.changed(&inputs) {
        return Err(SessionError::Changed(changed));
    }
    if let ([inputs], false) = (&inputs[..], job.is_fleet()) {
        let report = session.prove_observed(inputs, &request, Some(record), observe)?.report;
        return Ok(JobResult::One(Box::new(report)));
    }
    let scenarios = inputs.into_iter().zip(job.scenarios.iter());
    let scenarios: Vec<ScenarioInputs> =
        scenarios.map(|(inputs, scenario)| ScenarioInputs { inputs, weight: scenario.weight }).collect();
    Ok(JobResult::Fleet(Box::new(session.prove_fleet(&scenarios, &request, Some(record), observe)?)))
}

/// The end of a job in the form of the journal.
pub(super) fn end_of(answer: Result<JobResult, SessionError>, elapsed: Duration) -> serde_json::Result<Ended> {
    let seconds = elapsed.as_secs_f64();
    let nothing = Ended { status: 0, seconds, result: None, cost: None, error: None, help: None };
    let status = answer.as_ref().map_or_else(UserError::status, JobResult::status) as u8;
    Ok(match answer {
        Ok(JobResult::One(mut report)) => {
            let raw = |cost| to_raw_value(&cost);
            let cost: Option<Box<RawValue>> = report.cost.take().map(raw).transpose()?;
            Ended { status, result: Some(to_raw_value(&report)?), cost, ..nothing }
        }
        Ok(JobResult::Fleet(report)) => Ended { status, result: Some(to_raw_value(&report)?), ..nothing },
        Err(error) => {
            let help = error.help();
            Ended { status, error: Some(message(&error)), help, ..nothing }
        }
    })
}
