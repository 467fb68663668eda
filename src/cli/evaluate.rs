//! `autotune evaluate`: times by the native evaluator, without a model checker.

use typed_index_collections::TiVec;

use super::arguments::{self, Format};
use super::failure::Failure;
use super::progress::Progress;
use super::{Status, output, question};
use crate::compare::{different, fastest_ones};
use crate::correction::CANDIDATES;
use crate::limits::Limits;
use crate::proof::Event;
use crate::render::text;
use crate::result::EvaluationReport;
use crate::space;
use crate::space::Pruning;

pub(super) fn run(request: &arguments::Evaluate) -> Result<Status, Failure> {
    let question = question::read(&request.question)?;
    let limits = Limits::default();
    let progress = Progress::new();
    let observe = &mut |done| progress.show(&Event::Space(done));
    let (spec, profile, reader) = (&question.spec, &question.profile, &question.reader);
    let survey = space::survey_observed(spec, profile, reader, question.only.as_ref(), &limits, observe);
    progress.end();
    let survey = survey?;
    let top = request.top.map(usize::from);
    // Configurations that differ from the fastest ones are further down.
    let needed = if request.diverse { CANDIDATES } else { top.unwrap_or(0) };
    let estimates = space::estimate(spec, &survey, Pruning::Uncomputable(needed), &limits)?;
    let ticks: TiVec<_, _> =
        estimates.evaluations.iter().map(|one| one.map(|evaluation| evaluation.ticks.into())).collect();
    let listed = match top {
        Some(top) if request.diverse => Some(different(spec, profile, &survey, &ticks, top)?),
        top => top.map(|top| fastest_ones(&survey, &ticks, top)),
    };
    let report = EvaluationReport::new(spec, profile, &question.gpu, &survey, &ticks, listed);
    output::text(&match request.question.format {
        Format::Text => text::evaluation::to_text(&report),
        Format::Json => output::to_json(&report)?,
    })?;
    let is_known = !estimates.stopped && survey.unknown().next().is_none() && survey.programs.too_long() == 0;
    Ok(match (is_known, survey.programs.is_empty()) {
        (false, _) => Status::BestEffort,
        (true, true) => Status::Infeasible,
        (true, false) => Status::Success,
    })
}
