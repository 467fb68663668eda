//! The answer to a question whose proof is known, without SPIN's part.

use super::TuningError;
use super::answer::{Answer, Finding, Timing};
use super::cost_estimate::CostEstimate;
use super::proved::Proof;
use super::question::Question;
use crate::model::Form;
use autotune_base::index::ProgramId;
use autotune_base::limits::Limits;
use autotune_base::ticks::Ticks;
use autotune_lowering::space::{estimate, known_survey};

/// Returns the answer to a question whose optimum is known to be `ticks`, proved with models of this form. The proof's
/// list of models is empty, since the caller has them. `None` if a limit was reached first, or if the native evaluator
/// finds another optimum.
///
/// # Errors
/// If the question cannot be answered.
pub fn recall(question: &Question, ticks: Ticks, form: Form, limits: &Limits) -> Result<Option<Answer>, TuningError> {
    let Some(survey) = known_survey(question.spec, question.profile, question.reader, question.only, limits)? else {
        return Ok(None);
    };
    let estimates = estimate(question.spec, &survey, question.pruning(), limits)?;
    if estimates.stopped || estimates.best() != Some(ticks) {
        return Ok(None);
    }
    let evaluations = estimates.evaluations.iter_enumerated();
    let mut known_times: Vec<(Ticks, ProgramId)> =
        evaluations.filter_map(|(program, evaluation)| Some(((*evaluation)?.ticks.into(), program))).collect();
    known_times.sort_unstable();
    let ties: Vec<ProgramId> =
        known_times.iter().take_while(|(time, _)| *time == ticks).map(|(_, program)| *program).collect();
    let (shared, mut known, mut top) = (survey.shared(), 0, Vec::new());
    for level in known_times.chunk_by(|(one, _), (other, _)| one == other) {
        if known >= question.top {
            break;
        }
        known += level.iter().map(|(_, program)| shared[*program]).sum::<usize>();
        top.extend(level.iter().map(|(time, program)| (*program, *time)));
    }
    let proof =
        Proof { ticks, program: ties[0], ties, form, models: Vec::new(), expected_cost: CostEstimate::new(&[], 0) };
    let finding = Finding::Proved { proof, top, stopped: None };
    Ok(Some(Answer { survey: Some(survey), estimates, finding, cost: Timing::default() }))
}
