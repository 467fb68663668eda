//! The answer to one question, with its proof: which configuration of a kernel is fastest on a GPU.
//!
//! Every configuration is lowered. Equal programs become one candidate, and programs that a lower bound excludes are
//! left out. SPIN then confirms the native optimum (or finds it alone with `--strategy bisection` or `branch-and-bound`),
//! shows that no candidate gets stuck, and names the ties.

mod answer;
mod candidates;
mod cost_estimate;
mod error;
mod percent;
mod plan;
mod prove;
mod proved;
mod question;
mod recall;

use std::path::Path;
use std::time::Instant;

use tracing::info;

use crate::spin::{SpinCost, SpinError};
use autotune_base::index::ProgramId;
use autotune_base::limits::{Limits, Stop};
use autotune_base::text::words::counted;
use autotune_base::ticks::Ticks;
use autotune_lowering::space::{Progress, Share, estimate_observed, survey_observed};
use autotune_machine::search::Bracket;
use candidates::Candidates;

pub use answer::{Answer, Event, Finding, Observer, ProofContext, StopReason, Timing};
pub use candidates::{checked_models, least_seconds, model_with_header, models};
pub use cost_estimate::CostEstimate;
pub use error::TuningError;
pub use percent::{NoPercent, Percent};
pub use plan::{Plan, plan};
pub use prove::prove;
pub use proved::{Descent, Ends, ModelProof, Proof, Run};
pub use question::{Granularity, Question, Schedules, Strategy, TimeComparison};
pub use recall::recall;

/// Answers a question.
///
/// # Errors
/// If no answer can be computed. Reaching a limit is not an error; it returns [`Finding::Open`].
pub fn tune(question: &Question, context: &ProofContext, observe: Observer) -> Result<Answer, TuningError> {
    answer(question, &context.settings.limits, observe, |candidates, cost, observe| {
        find(question, context, candidates, cost, observe)
    })
}

/// Answers a question by the native evaluator, for want of a model checker: nothing is proved, and `reason` says why.
///
/// # Errors
/// If no answer can be computed.
pub fn evaluate(
    question: &Question,
    limits: &Limits,
    reason: String,
    observe: Observer,
) -> Result<Answer, TuningError> {
    answer(question, limits, observe, |candidates, _, _| {
        let Bracket { lower, upper } = candidates.bracket();
        Ok(Finding::Open { lower, upper: Some(upper), stopped: StopReason::Checker, reason })
    })
}

/// Answers a question; `find` finds the optimum of the candidates, if there are any.
fn answer(
    question: &Question,
    limits: &Limits,
    observe: Observer,
    find: impl FnOnce(Candidates, &mut SpinCost, Observer) -> Result<Finding, TuningError>,
) -> Result<Answer, TuningError> {
    let began = Instant::now();
    let mut observe_space = |progress| {
        note_step(progress);
        observe(Event::Space(progress));
    };
    let survey =
        survey_observed(question.spec, question.profile, question.reader, question.only, limits, &mut observe_space)?;
    let estimates = estimate_observed(question.spec, &survey, question.pruning(), limits, &mut observe_space)?;
    let mut cost = Timing { lowering: began.elapsed(), ..Timing::default() };
    let finding = if estimates.stopped {
        let stop = limits.exceeded().unwrap_or(Stop::Time);
        Finding::stopped_early(question, &survey, &estimates, stop)
    } else if survey.unknown().next().is_some() {
        Finding::partly_known(&survey, &estimates)
    } else if survey.programs.is_empty() {
        Finding::Infeasible
    } else {
        let candidates = Candidates::new(question, &survey, &estimates);
        find(candidates, &mut cost.spin, observe)?
    };
    let is_cut_short = survey.cut_short.is_some();
    let survey = Some(survey).filter(|survey| !(is_cut_short && survey.programs.is_empty()));
    Ok(Answer { survey, estimates, finding, cost })
}

/// Logs the beginning of a step.
fn note_step(progress: Progress) {
    match progress {
        Progress::Enumerating(Share { done: 0, of }) => {
            info!(target: "space.enumerate", "enumerating {}", counted(of, "configuration"));
        }
        Progress::Lowering(Share { done: 0, of }) => {
            info!(target: "space.lower", "lowering {}", counted(of, "configuration"));
        }
        Progress::Compiling(Share { done: 0, of }) => {
            info!(target: "space.lower", "compiling and lowering {}", counted(of, "configuration"));
        }
        Progress::Evaluating(Share { done: 0, of }) => {
            info!(target: "space.evaluate", "evaluating natively, at most {}", counted(of, "program"));
        }
        _ => {}
    }
}

/// The result of a search, or the reason why it has none.
type Attempt<T> = Result<T, ProofError>;

/// A reason why a search has no result.
#[derive(Debug)]
pub enum ProofError {
    /// A limit was reached.
    Open {
        /// The interval that the searches have left; `None` if they have shown nothing yet.
        bracket: Option<Bracket>,
        /// The limit.
        stopped: StopReason,
        /// A sentence with the circumstances.
        reason: String,
    },
    /// The search failed.
    Failed(TuningError),
}

impl ProofError {
    /// Adds the stage of the reached limit to the reason.
    fn during(self, stage: &str) -> Self {
        match self {
            Self::Open { bracket, stopped, reason } => {
                Self::Open { bracket, stopped, reason: format!("{reason} during {stage}") }
            }
            failed @ Self::Failed(_) => failed,
        }
    }
}

impl<E: Into<TuningError>> From<E> for ProofError {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

fn find(
    question: &Question,
    context: &ProofContext,
    mut candidates: Candidates,
    cost: &mut SpinCost,
    observe: Observer,
) -> Result<Finding, TuningError> {
    match prove_all(question, context, &mut candidates, cost, observe) {
        Ok(finding) => Ok(finding),
        Err(ProofError::Failed(error)) => Err(error),
        Err(ProofError::Open { bracket, stopped, reason }) => {
            let known = bracket.unwrap_or_else(|| candidates.bracket());
            let upper = (question.strategy == Strategy::Guess || bracket.is_some()).then_some(known.upper);
            Ok(Finding::Open { lower: known.lower, upper, stopped, reason })
        }
    }
}

fn prove_all(
    question: &Question,
    context: &ProofContext,
    candidates: &mut Candidates,
    cost: &mut SpinCost,
    observe: Observer,
) -> Attempt<Finding> {
    let proof = candidates.prove(question, context, 1, cost, observe)?;
    let mut top: Vec<(ProgramId, Ticks)> = Vec::new();
    let shared = candidates.shared();
    let (mut next, mut place, mut known) = ((proof.ties.clone(), proof.ticks), 1, 0);
    loop {
        let (ties, ticks) = next;
        known += ties.iter().map(|&program| shared[program]).sum::<usize>();
        top.extend(ties.iter().map(|&program| (program, ticks)));
        if known >= question.top || place >= question.places {
            break;
        }
        candidates.leave_out(&ties);
        if candidates.is_empty() {
            break;
        }
        place += 1;
        observe(Event::Top(known + 1));
        match candidates.prove(question, context, place, cost, observe) {
            Ok(proof) => next = (proof.ties, proof.ticks),
            // The ranks that are proved already stay proved.
            Err(ProofError::Open { stopped, reason, .. }) => {
                let reason = format!("the {}. best is not proved: {reason}", known + 1);
                // A folder of a rank is left only if the rank is proved.
                remove_folder(&context.folder.join(folder_of(place)))?;
                return Ok(Finding::Proved { proof, top, stopped: Some((stopped, reason)) });
            }
            Err(failed) => return Err(failed),
        }
    }
    Ok(Finding::Proved { proof, top, stopped: None })
}

/// The name of the folder of a proof in the folder of all proofs: `place` counts the distinct times from the best, from 1.
fn folder_of(place: usize) -> String {
    if place == 1 { "proof".to_owned() } else { format!("top-{place}") }
}

pub(crate) fn remove_folder(folder: &Path) -> Result<(), SpinError> {
    if folder.exists() { Ok(fs_err::remove_dir_all(folder)?) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
