//! `autotune explain`: the reason why a configuration cannot run, or the parts of its time.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::{Status, output, question};
use crate::explain::explain;
use crate::limits::Limits;
use crate::render::text;
use crate::result::ExplanationReport;

pub(super) fn run(request: &arguments::Explain) -> Result<Status, Failure> {
    let question = question::read(&request.question)?;
    let configuration = question.only.as_ref().ok_or(Failure::NothingToExplain)?;
    let explanation = explain(&question.spec, &question.profile, &question.reader, configuration, &Limits::default())?;
    let status = if explanation.outcome.is_ok() { Status::Success } else { Status::Infeasible };
    let report = ExplanationReport::new(&question.spec, &question.gpu, configuration, explanation);
    output::text(&match request.question.format {
        Format::Text => text::explanation::to_text(&report),
        Format::Json => output::to_json(&report)?,
    })?;
    Ok(status)
}
