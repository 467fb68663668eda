//! `autotune predict`: times by the wave model.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::{Status, output, question};
use crate::render::text;
use crate::result::PredictionReport;
use autotune_lowering::models::predict::predict;

pub(super) fn run(request: &arguments::Predict) -> Result<Status, Failure> {
    let question = question::read(&request.question)?;
    let answers = question.ask(|case| predict(case.profile, case.lowered))?;
    let predictions = answers.into_iter().map(|(configuration, answer)| Ok((configuration, answer?)));
    let predictions = predictions.collect::<Result<Vec<_>, Failure>>()?;
    let report = PredictionReport::new(&question.spec, &question.gpu, predictions, question.only.is_some());
    output::text(&match request.question.format {
        Format::Text => text::prediction::to_text(&report),
        Format::Json => output::to_json(&report)?,
    })?;
    Ok(Status::Success)
}
