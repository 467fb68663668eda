//! `autotune extract`: the body that a source amounts to, and a body held against its source.

use super::arguments::{self, Format};
use super::failure::Failure;
use super::{Status, output, question};
use crate::render::text;
use crate::result::{ExtractionReport, SourceAgreementReport};
use crate::session::Inputs;
use autotune_base::limits::Limits;
use autotune_engine::compare::Fastest;
use autotune_lowering::extraction::{ExtractionError, agreement, extract};
use autotune_lowering::spec::Configuration;

pub(super) fn run(request: &arguments::Extract) -> Result<Status, Failure> {
    if request.check {
        return check(request, &question::read(&request.question)?);
    }
    print(request, &question::read_for_file(&request.question)?)
}

fn print(request: &arguments::Extract, question: &Inputs) -> Result<Status, Failure> {
    let configuration = match &question.only {
        Some(configuration) => configuration.clone(),
        None => fastest(question)?,
    };
    let extracted = extract(&question.spec, &question.profile, &question.reader, &configuration)?;
    output::text(&match request.question.format {
        Format::Text => question::comments(question.spec.source.inferred()) + &extracted.text,
        Format::Json => {
            output::to_json(&ExtractionReport::new(&question.spec, &question.gpu, &configuration, extracted))?
        }
    })?;
    Ok(Status::Success)
}

fn check(request: &arguments::Extract, question: &Inputs) -> Result<Status, Failure> {
    let agreement = agreement(&question.spec, &question.profile, &question.reader, question.only.as_ref())?;
    let report = SourceAgreementReport::new(&question.spec, &question.gpu, agreement);
    output::text(&match request.question.format {
        Format::Text => text::extraction::to_text(&report),
        Format::Json => output::to_json(&report)?,
    })?;
    if report.agrees { Ok(Status::Success) } else { Err(Failure::OtherBody) }
}

/// The configuration that is fastest by the native evaluator, as the spec describes the kernel.
fn fastest(question: &Inputs) -> Result<Configuration, Failure> {
    let fastest = Fastest::new(&question.spec, &question.profile, &question.reader, None, &Limits::default())?;
    let none = || ExtractionError::Infeasible("no configuration is feasible".to_owned());
    Ok(fastest.configuration().ok_or_else(none)?)
}
