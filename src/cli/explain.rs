//! `autotune explain`: the reason why a configuration cannot run, or the parts of its time.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::{Status, output, question};
use crate::render::text;
use crate::result::ExplanationReport;
use crate::session::Inputs;
use autotune_base::limits::Limits;
use autotune_engine::explain::{NextChange, explain};
use autotune_lowering::lowering::Lowering;

pub(super) fn run(request: &arguments::Explain) -> Result<Status, Failure> {
    let question = question::read(&request.question)?;
    let (report, status) = answer(&question, &Limits::default())?;
    output::text(&match request.question.format {
        Format::Text => text::explanation::to_text(&report),
        Format::Json => output::to_json(&report)?,
    })?;
    Ok(status)
}

/// The explanation of the only configuration of a question, and the exit status that says whether it can run.
pub(super) fn answer(question: &Inputs, limits: &Limits) -> Result<(ExplanationReport, Status), Failure> {
    let Inputs { spec, profile, reader, gpu, .. } = question;
    let configuration = &question.only_configuration()?.ok_or(Failure::NothingToExplain)?;
    let explanation = explain(spec, profile, reader, configuration, limits)?;
    let status = if explanation.outcome.is_ok() { Status::Success } else { Status::Infeasible };
    let lowering = Lowering::new(spec, profile, reader);
    let next = NextChange::of_explanation(spec, &lowering, configuration, &explanation);
    Ok((ExplanationReport::new(spec, gpu, configuration, explanation, next), status))
}
