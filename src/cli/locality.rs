//! `autotune locality`: where the accesses of a configuration should live.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::{Status, output, question};
use crate::compare::near;
use crate::limits::Limits;
use crate::models::locality;
use crate::render::text;
use crate::session::{Inputs, SessionError};
use crate::space::Pruning;
use crate::spec::Configuration;
use crate::{report, space};

pub(super) fn run(request: &arguments::Locality) -> Result<Status, Failure> {
    let mut question = question::read(&request.question)?;
    let configuration = match question.only.take() {
        Some(configuration) => configuration,
        None => fastest(&question)?,
    };
    let findings = locality::analyse(&question.spec, &question.profile, &configuration)?;
    let findings = findings.map_err(|infeasible| SessionError::Infeasible(infeasible.to_string()))?;
    let report = report::locality(&question.spec, &question.gpu, &configuration, findings);
    output::text(&match request.question.format {
        Format::Text => text::locality::to_text(&report),
        Format::Json => output::to_json(&report)?,
    })?;
    Ok(Status::Success)
}

/// The configuration that is fastest by the native evaluator.
fn fastest(question: &Inputs) -> Result<Configuration, Failure> {
    let limits = Limits::default();
    let survey = space::survey(&question.spec, &question.profile, None, &limits)?.unwrap_or_default();
    let estimates = space::estimate(&question.spec, &survey, Pruning::Best(1), &limits)?;
    let pick = near::fastest(&question.spec, &question.profile, &survey, &estimates)?;
    let pick = pick.ok_or_else(|| SessionError::Infeasible("no configuration is feasible".to_owned()))?;
    Ok(survey.entries[pick.entry].configuration.clone())
}
