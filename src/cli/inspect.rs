//! `autotune inspect`: a kernel's source with notes beside its lines.

use std::io::IsTerminal;
use std::ops::ControlFlow;

use super::arguments::{self, InspectFormat};
use super::failure::Failure;
use super::{Status, output, question};
use crate::compare::Fastest;
use crate::compare::inspect::inspect;
use crate::limits::Limits;
use crate::lowering::{Feasibility, Infeasible, Lowering};
use crate::render::html::InspectionPage;
use crate::render::text;
use crate::report;
use crate::result::ChosenBy;
use crate::session::{Inputs, SessionError};
use crate::space::{Space, SpaceError, Visit};
use crate::spec::Configuration;

/// The most configurations that are compiled and evaluated to find the fastest.
const MOST: u128 = 128;

pub(super) fn run(request: &arguments::Inspect) -> Result<Status, Failure> {
    let mut question = question::read(&request.question)?;
    if question.spec.kernel_source.is_none() {
        return Err(Failure::NoSource(request.question.spec.clone().unwrap_or_default()));
    }
    let lowering = Lowering::new(&question.spec, &question.profile).assuming();
    let (configuration, chosen) = match question.only.take() {
        Some(configuration) => (configuration, ChosenBy::Name),
        None => choose(&question, &lowering)?,
    };
    let Some(found) = inspect(&question.spec, &lowering, &configuration)? else {
        return Err(Failure::NoSource(request.question.spec.clone().unwrap_or_default()));
    };
    let inspection = match found {
        Feasibility::Feasible(inspection) => inspection,
        Feasibility::Infeasible(why) => return Err(refusal(&question, &lowering, &configuration, &why)),
    };
    let report = report::inspection(&question.spec, &question.gpu, &configuration, chosen, inspection);
    let coloured = request.output.is_none()
        && std::io::stdout().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let shown = match request.question.format {
        InspectFormat::Text => text::inspection::to_text(&report, coloured),
        InspectFormat::Json => output::to_json(&report)?,
        InspectFormat::Html => InspectionPage { report: &report }.render(),
    };
    match &request.output {
        Some(path) => fs_err::write(path, shown)?,
        None => output::text(&shown)?,
    }
    Ok(Status::Success)
}

/// The configuration that is shown if none is named: the fastest of a small space, else the first that can run.
fn choose(question: &Inputs, lowering: &Lowering<'_>) -> Result<(Configuration, ChosenBy), Failure> {
    let (spec, profile) = (&question.spec, &question.profile);
    let nothing = || SessionError::Infeasible("no configuration is feasible".to_owned());
    let space = Space::new(spec, lowering.names()).map_err(SessionError::Request)?;
    // Times need all that depends on data to be stated, an inspection does not.
    if space.size() <= MOST
        && let Ok(fastest) = Fastest::of(spec, profile, None, &Limits::default())
    {
        let why = || SessionError::Infeasible(fastest.survey.why_nothing_runs());
        return Ok((fastest.configuration().cloned().ok_or_else(why)?, ChosenBy::Fastest));
    }
    let (mut first, mut refused) = (Ok(None), None);
    let visited = space.visit(&mut |visit| {
        let Visit::Feasible(values) = visit else { return ControlFlow::Continue(()) };
        let configuration = Configuration(values.to_vec());
        first = match lowering.launch(&configuration) {
            Ok(Feasibility::Infeasible(why)) => {
                if why.refusal().is_some() && refused.is_none() {
                    refused = Some((configuration, why));
                }
                return ControlFlow::Continue(());
            }
            Ok(Feasibility::Feasible(_)) => Ok(Some(configuration)),
            Err(why) => Err(why),
        };
        ControlFlow::Break(())
    });
    visited.map_err(SessionError::Request)?;
    match (first?, refused) {
        (Some(first), _) => Ok((first, ChosenBy::First)),
        (None, Some((configuration, why))) => Err(refusal(question, lowering, &configuration, &why)),
        (None, None) => Err(nothing().into()),
    }
}

/// The failure of a configuration that cannot run, shown in the user's files if the configuration is refused for what its
/// kernel does.
fn refusal(question: &Inputs, lowering: &Lowering<'_>, configuration: &Configuration, why: &Infeasible) -> Failure {
    match lowering.refused(configuration) {
        Some(refused) => {
            let configuration = question.spec.label(configuration);
            SpaceError::Lowering { configuration, why: Box::new(refused) }.into()
        }
        None => SessionError::Infeasible(why.to_string()).into(),
    }
}
