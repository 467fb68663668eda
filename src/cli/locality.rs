//! `autotune locality`: the best home of each access of a configuration.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::{Status, output, question};
use crate::render::text;
use crate::result::LocalityReport;
use crate::session::{Inputs, SessionError};
use autotune_base::limits::Limits;
use autotune_engine::compare::Fastest;
use autotune_lowering::lowering::Feasibility;
use autotune_lowering::models::locality;
use autotune_lowering::spec::Configuration;

pub(super) fn run(request: &arguments::Locality) -> Result<Status, Failure> {
    let mut question = question::read(&request.question)?;
    let configuration = match question.only.take() {
        Some(configuration) => configuration,
        None => fastest(&question)?,
    };
    let findings = match locality::analyse(&question.spec, &question.profile, &question.reader, &configuration)? {
        Feasibility::Feasible(findings) => findings,
        Feasibility::Infeasible(infeasible) => return Err(SessionError::Infeasible(infeasible.to_string()).into()),
    };
    let report = LocalityReport::new(&question.spec, &question.gpu, &configuration, findings);
    output::text(&match request.question.format {
        Format::Text => text::locality::to_text(&report),
        Format::Json => output::to_json(&report)?,
    })?;
    Ok(Status::Success)
}

/// Returns the configuration that is fastest by the native evaluator.
fn fastest(question: &Inputs) -> Result<Configuration, Failure> {
    let fastest = Fastest::new(&question.spec, &question.profile, &question.reader, None, &Limits::default())?;
    let none = || SessionError::Infeasible("no configuration is feasible".to_owned());
    Ok(fastest.configuration().ok_or_else(none)?)
}
