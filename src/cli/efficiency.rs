//! `autotune efficiency`: ratings of implementations for a GPU, by six factors.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::{Status, output, question};
use crate::models::efficiency::{Weights, efficiency};
use crate::render::text;
use crate::result::EfficiencyReport;

pub(super) fn run(request: &arguments::Efficiency) -> Result<Status, Failure> {
    let question = question::read(&request.question)?;
    let weights = request.weights.unwrap_or_else(|| Weights::new(&question.profile));
    let answers = question.ask(|case| efficiency(case.spec, case.profile, case.scope, case.lowered, &weights))?;
    let rated = answers.into_iter().map(|(configuration, answer)| Ok((configuration, answer?)));
    let rated = rated.collect::<Result<Vec<_>, Failure>>()?;
    let report = EfficiencyReport::new(&question.spec, &question.gpu, weights, rated);
    output::text(&match request.question.format {
        Format::Text => text::efficiency::to_text(&report),
        Format::Json => output::to_json(&report)?,
    })?;
    Ok(Status::Success)
}
