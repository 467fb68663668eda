//! One question about several scenarios: the configuration whose worst slowdown is least, proved by ordinary searches.
//!
//! Each scenario has up to three proofs, each of them the answer to an ordinary question: the optimum of the scenario's own
//! space, the times of the configurations of least worst slowdown, and the least time of the configurations that are
//! assigned to the scenario. The rest is exact arithmetic.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::folder::Folder;
use super::{Inputs, Outcome, Request, Session, SessionError};
use crate::certificate::{self, FLEET_PARTS};
use crate::compare::fleet::{BEST_LISTED, Choice, CommonSpace, Exclusions, ScenarioTimeError, choose, exclusions};
use crate::limits::{Limits, Stop};
use crate::proof::{Observer, Question, StopReason, TimeComparison, TuningError};
use crate::result::{FleetParts, FleetReport, Report, ScenarioProofs, Verdict};
use crate::text::json::to_json;

/// The proofs of a scenario by their places in [`FLEET_PARTS`].
const OPTIMUM: usize = 0;
const BEST: usize = 1;
const OTHERS: usize = 2;
/// The number of configurations that are named where none is common to all scenarios.
const NAMED: usize = 5;

/// A scenario of a question: its inputs, and its weight in the mean.
#[derive(Debug)]
pub struct ScenarioInputs {
    /// The kernel with its problem sizes set, and the GPU.
    pub inputs: Inputs,
    /// The weight, from 1.
    pub weight: u32,
}

/// The answers to the ordinary questions, as far as they are made.
#[derive(Default)]
struct Made<'a> {
    optima: Vec<Report>,
    common: Option<CommonSpace<'a>>,
    exclusions: Option<Exclusions>,
    choice: Option<Choice>,
    proofs: Vec<ScenarioProofs>,
}

/// An end of the work before the proof is whole.
enum Halt {
    /// A limit was reached: its name, and a sentence with the circumstances.
    Stopped(String, String),
    /// No configuration is feasible in all scenarios.
    Infeasible,
    /// The work failed.
    Failed(Box<SessionError>),
}

impl<E: Into<SessionError>> From<E> for Halt {
    fn from(error: E) -> Self {
        Self::Failed(Box::new(error.into()))
    }
}

/// The work on a question about several scenarios.
struct Work<'a> {
    session: &'a Session,
    scenarios: &'a [ScenarioInputs],
    request: &'a Request,
    deadline: Option<Instant>,
    /// The folder that receives the proofs; `None` if they are not kept.
    folder: Option<PathBuf>,
}

impl Session {
    /// Answers a question about one or more scenarios of one kernel. The request's `top`,
    /// `within` and `strategy` are not heeded.
    ///
    /// # Errors
    /// If a part of the question cannot be answered, or the proof cannot be kept. Reaching a limit is not an error.
    pub fn prove_fleet(
        &self,
        scenarios: &[ScenarioInputs],
        request: &Request,
        observe: Observer,
    ) -> Result<FleetReport, SessionError> {
        let deadline = request.time_limit.map(|limit| Instant::now() + limit);
        let kept = request.keep.as_deref().map(|path| Folder::open(Some(path))).transpose()?;
        let folder = kept.as_ref().map(|folder| folder.path.clone());
        let work = Work { session: self, scenarios, request, deadline, folder };
        let questions: Vec<Question> = scenarios.iter().map(|scenario| request.question(&scenario.inputs)).collect();
        let weights: Vec<u32> = scenarios.iter().map(|scenario| scenario.weight).collect();
        let mut made = Made::default();
        let stopped = match work.make(&questions, &mut made, observe) {
            Ok(()) | Err(Halt::Infeasible) => None,
            Err(Halt::Stopped(limit, reason)) => Some((limit, reason)),
            Err(Halt::Failed(error)) => return Err(*error),
        };
        let Made { optima, common, exclusions, choice, proofs } = &made;
        let (common, exclusions, choice) = (common.as_ref(), exclusions.as_ref(), choice.as_ref());
        let parts = FleetParts {
            questions: &questions,
            weights: &weights,
            optima,
            common,
            exclusions,
            choice,
            proofs,
            stopped,
        };
        let contradictions = parts.contradictions();
        if !contradictions.is_empty() {
            return Err(TuningError::Contradiction(contradictions).into());
        }
        let mut report = FleetReport::new(&parts);
        if let Some(folder) = kept {
            let result = to_json(&report).map_err(std::io::Error::from)?;
            certificate::seal_fleet(&folder.path, &result)?;
            folder.keep()?;
            report.artifacts = request.keep.as_ref().map(|path| path.display().to_string());
        }
        Ok(report)
    }
}

impl<'a> Work<'a> {
    fn make(&self, questions: &'a [Question<'a>], made: &mut Made<'a>, observe: Observer) -> Result<(), Halt> {
        let mut stopped = None;
        for (number, scenario) in self.scenarios.iter().enumerate() {
            let report = self.part(&scenario.inputs, self.request, number, OPTIMUM, observe)?;
            stopped = stopped.or(limit_of(&report, number));
            made.optima.push(report);
        }
        let limits = self.limits();
        let unknown = made.optima.iter().any(|report| report.unknown.is_some());
        made.common = if unknown { None } else { CommonSpace::survey(questions, &limits)? };
        if let Some((limit, reason)) = stopped {
            return Err(Halt::Stopped(limit, reason));
        }
        let common = made.common.as_mut().ok_or_else(|| timed_out(&limits))?;
        let optima: Option<Vec<_>> = made.optima.iter().map(|report| Some(report.optimum.as_ref()?.ticks)).collect();
        let Some(optima) = optima.filter(|_| !common.configurations.is_empty()) else {
            made.exclusions = exclusions(questions, NAMED, &limits)?;
            return Err(if made.exclusions.is_some() { Halt::Infeasible } else { timed_out(&limits) });
        };
        made.choice = choose(common, &optima, BEST_LISTED).map_err(|error| match error {
            ScenarioTimeError::Space(error) => Halt::from(error),
            ScenarioTimeError::Stopped(stop) => {
                Halt::Stopped(StopReason::from(stop).name().to_owned(), format!("{stop} while times were computed"))
            }
        })?;
        let Some(choice) = &made.choice else { return Err(Halt::Infeasible) };
        for number in 0..self.scenarios.len() {
            made.proofs.push(self.prove_scenario(common, choice, number, observe)?);
        }
        Ok(())
    }

    /// Proves the times of the best configurations in a scenario, and that the assigned ones are slower there.
    fn prove_scenario(
        &self,
        common: &CommonSpace,
        choice: &Choice,
        number: usize,
        observe: Observer,
    ) -> Result<ScenarioProofs, Halt> {
        let inputs = &self.scenarios[number].inputs;
        let whole = |report: Report| match limit_of(&report, number) {
            Some((limit, reason)) => Err(Halt::Stopped(limit, reason)),
            None => Ok(report),
        };
        let best = inputs.among(common.chosen(choice.optima().iter().map(|ranked| ranked.configuration)));
        let best = self.part(&best, &best_request(self.request), number, BEST, observe).and_then(whole)?;
        let others = choice.others(number);
        if others.is_empty() {
            return Ok(ScenarioProofs { best, others: None });
        }
        let others = inputs.among(common.chosen(others));
        let others = self.part(&others, self.request, number, OTHERS, observe).and_then(whole)?;
        Ok(ScenarioProofs { best, others: Some(others) })
    }

    /// Answers an ordinary question, and keeps it as a part of the scenario's folder.
    fn part(
        &self,
        inputs: &Inputs,
        request: &Request,
        scenario: usize,
        part: usize,
        observe: Observer,
    ) -> Result<Report, Halt> {
        let folder = |folder: &PathBuf| folder.join(certificate::scenario_folder(scenario)).join(FLEET_PARTS[part]);
        let time_limit = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let time_limit = time_limit.map(|left| left.max(Duration::from_millis(1)));
        let request = Request { keep: self.folder.as_ref().map(folder), time_limit, ..request.clone() };
        let Outcome { mut report, kept } = self.session.prove_observed(inputs, &request, None, observe)?;
        kept?;
        if part != BEST {
            // Nothing else reads what these list, and it may be large.
            report.configurations.clear();
        }
        Ok(report)
    }

    fn limits(&self) -> Limits {
        Limits { deadline: self.deadline, interrupt: self.session.interrupt.clone(), allowance: None }
    }
}

/// The request for the best configurations: all are searched and run to completion.
fn best_request(request: &Request) -> Request {
    Request { no_prune: true, comparison: TimeComparison::Always, ..request.clone() }
}

/// The limit that left a scenario's report without a whole proof; `None` if it is proved, or infeasible.
fn limit_of(report: &Report, scenario: usize) -> Option<(String, String)> {
    if report.verdict != Verdict::BestEffort && report.stopped.is_none() {
        return None;
    }
    let reason = report.reason.clone().unwrap_or_default();
    Some((report.stopped.clone().unwrap_or_default(), format!("{reason}, in scenario {scenario}")))
}

fn timed_out(limits: &Limits) -> Halt {
    let stop = limits.exceeded().unwrap_or(Stop::Time);
    Halt::Stopped(StopReason::from(stop).name().to_owned(), format!("{stop} while the spaces were lowered"))
}
