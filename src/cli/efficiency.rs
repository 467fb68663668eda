//! `autotune efficiency`: ratings of implementations for a GPU, by six factors, and weights that measured runs fit.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::measurements::{self, Needed};
use super::{Status, output, question};
use crate::render::text;
use crate::result::{EfficiencyFitReport, EfficiencyReport};
use crate::session::Inputs;
use crate::tuners::WantedTimes;
use autotune_engine::compare::weights::{RatedSet, WeightsFitError, fit_weights};
use autotune_lowering::models::efficiency::{Weights, efficiency};

pub(super) fn run(request: &arguments::Efficiency) -> Result<Status, Failure> {
    let question = question::read(&request.question)?;
    let weights = request.weights.unwrap_or_else(|| Weights::new(&question.profile));
    if !request.measured.is_empty() {
        return fitted(request, &question, weights);
    }
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

/// Fits the weights to measured runs. Each problem size of a file is a set.
fn fitted(request: &arguments::Efficiency, inputs: &Inputs, weights: Weights) -> Result<Status, Failure> {
    let fixed_sizes: Vec<&str> = request.question.sizes.iter().map(|(name, _)| name.as_str()).collect();
    let mut sets = Vec::new();
    for (place, path) in request.measured.iter().enumerate() {
        let needed = Needed { inputs, times: &request.times, wanted: WantedTimes::One, fixed_sizes: &fixed_sizes };
        let file = path.display().to_string();
        if request.measured[..place].contains(path) {
            return Err(WeightsFitError::Twice { file }.into());
        }
        for scenario in &measurements::read(path, needed)?.scenarios {
            sets.extend(RatedSet::new(&inputs.spec, &inputs.profile, &inputs.reader, &file, scenario)?);
        }
    }
    let fit = fit_weights(&sets, weights).map_err(WeightsFitError::from)?;
    let report = EfficiencyFitReport::new(&inputs.spec, &inputs.gpu, fit);
    output::text(&match request.question.format {
        Format::Text => text::efficiency_fit::to_text(&report),
        Format::Json => output::to_json(&report)?,
    })?;
    Ok(Status::Success)
}
