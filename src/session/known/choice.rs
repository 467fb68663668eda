//! Known proofs with another choice: a preference among near ties does not need a new proof.

use crate::doubts::contradictions;
use crate::result::{AnalysisReport, Listing, Report, SensitivityReport, TuningParts};
use autotune_base::limits::Limits;
use autotune_engine::compare::cross_check::cross_check;
use autotune_engine::compare::near;
use autotune_engine::compare::sensitivity::sensitivity;
use autotune_engine::explain::{ExecutedSource, NextChange};
use autotune_engine::proof;
use autotune_engine::proof::Question;
use autotune_lowering::spec::Preference;

/// Returns true if a result's choice is the one that a question asks for.
pub(super) fn is_asked(report: &Report, question: &Question) -> bool {
    let prefer = question.spec.prefer.iter().map(Preference::text);
    report.near.as_ref().is_some_and(|near| near.asked == question.within && prefer.eq(near.prefer.iter().cloned()))
}

/// Returns the result with a question's choice; `None` if the choice cannot be made, or does not fit the proof.
pub(super) fn choose(report: &Report, question: &Question, limits: &Limits) -> Option<Report> {
    let (optimum, proof) = (report.optimum.as_ref()?, report.proof.as_ref()?);
    let answer = proof::recall(question, optimum.ticks, proof.form, limits).ok().flatten()?;
    let near = near::look(question, &answer).ok().flatten()?;
    let beside = TuningParts {
        near: Some(&near),
        source: ExecutedSource::of_optimum(question, &answer, Some(&near)),
        next: NextChange::of_answer(question, &answer, Some(&near)),
        schedules: None,
        listing: Listing::Searched,
        checker: &proof.checker,
        artifacts: None,
    };
    let mut chosen = Report::new(question, &answer, beside);
    let compared = cross_check(question, &answer, &near).ok().flatten()?;
    let survey = answer.survey.as_ref()?;
    chosen.analysis = Some(AnalysisReport::new(question.spec, survey, &compared));
    let found = sensitivity(question, &answer, &near);
    chosen.sensitivity = found.map(|found| SensitivityReport::new(question, survey, &found));
    chosen.proof = Some(proof.clone());
    let is_whole = limits.exceeded().is_none() && contradictions(&chosen).is_empty();
    is_whole.then_some(chosen)
}
