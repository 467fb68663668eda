//! The optimum in every order of simultaneous events: which configuration may win if ties break otherwise.
//!
//! A proof takes simultaneous events in the order of the warps. Here each ready warp may be next, so a configuration has a
//! least and a greatest time. The native explorer finds both, and SPIN confirms them: each wave has a model whose order
//! is SPIN's choice, with one property for the least time and one for the greatest (docs/theory/schedules.md).

mod alike;
mod behaviours;
mod confirm;
mod decide;
mod verdict;

use crate::compare::near::{self, Near};
use crate::proof::{Answer, Event, Finding, Observer, ProofContext, Question, Schedules, TuningError};
use confirm::Confirmation;
use decide::Decision;

pub use behaviours::{Behaviours, WaveProof};
pub use verdict::{OrderVerdict, ScheduleProof};

/// Decides whether the optimum of an answer wins in every order of simultaneous events, and adds SPIN's cost to the answer's.
/// The models are made in the folder `schedules` of the context's folder. `None` if the question is not about every order, or
/// without a proof of the optimum.
///
/// # Errors
/// If SPIN fails, or contradicts the native explorer. Reaching a limit is not an error; it leaves the question open.
pub fn prove_schedules(
    question: &Question,
    answer: &mut Answer,
    near: Option<&Near>,
    context: &ProofContext,
    observe: Observer,
) -> Result<Option<ScheduleProof>, TuningError> {
    let (Finding::Proved { proof, .. }, Some(survey)) = (&answer.finding, &answer.survey) else { return Ok(None) };
    if question.schedules == Schedules::Fifo {
        return Ok(None);
    }
    let Some(optimum) = survey.entries.program(near::optimum(survey, proof, near).entry) else { return Ok(None) };
    observe(Event::Exploring { done: 0, of: 1 });
    let mut decision = Decision::new(survey, &answer.estimates, optimum, &context.settings);
    decision.decide(observe);
    let mut found = decision.proof();
    Confirmation { question, survey, context }.confirm(&mut found, &mut answer.cost.spin, observe)?;
    Ok(Some(found))
}
