//! A proof that was kept, beside the choice of another question: what is preferred near the optimum needs no new proof.

use crate::compare::cross_check::cross_check;
use crate::compare::near;
use crate::limits::Limits;
use crate::proof;
use crate::proof::Question;
use crate::report::{AnalysisReport, Listing, Report};
use crate::spec::Preference;

/// Whether a result's choice is the one that a question asks for.
pub(super) fn is_asked(report: &Report, question: &Question) -> bool {
    let prefer = question.spec.prefer.iter().map(Preference::text);
    report.near.as_ref().is_some_and(|near| near.asked == question.within && prefer.eq(near.prefer.iter().cloned()))
}

/// The same proof with a question's choice; `None` if that cannot be told, or does not fit the proof.
pub(super) fn choose(report: &Report, question: &Question, limits: &Limits) -> Option<Report> {
    let (optimum, proof) = (report.optimum.as_ref()?, report.proof.as_ref()?);
    let answer = proof::recall(question, optimum.ticks, proof.form, limits).ok().flatten()?;
    let near = near::look(question, &answer).ok().flatten()?;
    let mut chosen = Report::new(question, &answer, Some(&near), Listing::Searched, &proof.checker, None);
    let compared = cross_check(question, &answer, &near).ok().flatten()?;
    let survey = answer.survey.as_ref()?;
    chosen.analysis = Some(AnalysisReport::new(question.spec, survey, &compared));
    chosen.proof = Some(proof.clone());
    let is_whole = limits.exceeded().is_none() && chosen.contradictions().is_empty();
    is_whole.then_some(chosen)
}
