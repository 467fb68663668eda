//! `autotune inspect`: a kernel's source with notes beside its lines.

use std::io::IsTerminal;
use std::ops::ControlFlow;

use super::arguments::{self, InspectFormat};
use super::failure::Failure;
use super::own_file::{Kind, OwnFile};
use super::{Status, output, question, warned};
use crate::render::html::{InspectionPage, is_page};
use crate::render::text;
use crate::render::text::inspection::is_inspection;
use crate::result::{ChosenBy, InspectionReport};
use crate::session::{Inputs, SessionError};
use autotune_base::limits::Limits;
use autotune_base::text::json::beginning_of;
use autotune_engine::check::{self, CheckFinding};
use autotune_engine::compare::Fastest;
use autotune_engine::explain::NextChange;
use autotune_engine::explain::inspect::{inspect, inspect_counts};
use autotune_lowering::lowering::{Feasibility, Infeasible, Lowering, LoweringError};
use autotune_lowering::space::{Space, SpaceError, Visit};
use autotune_lowering::spec::Configuration;

/// The most configurations that are compiled and evaluated to find the fastest.
const MOST: u128 = 128;

/// The answers that `--output` wrote.
const ANSWERS: Kind = Kind { one: "an answer of `inspect`", all: "answers of `inspect`", is: is_answer };

pub(super) fn run(request: &arguments::Inspect) -> Result<Status, Failure> {
    let question = question::read_silently(&request.question)?;
    let file = request.output.as_deref().map(|path| OwnFile::open(path, &ANSWERS)).transpose()?;
    let inspected = answer(&question, request.question.format == InspectFormat::Json, true);
    // A finding that the answer shows is not shown beside it.
    let answered = inspected.as_ref().map_or(&[][..], |(_, findings)| findings);
    warned::show(&question, answered);
    let report = inspected?.0;
    let coloured = request.output.is_none()
        && std::io::stdout().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let shown = match request.question.format {
        InspectFormat::Text => text::inspection::to_text(&report, coloured),
        InspectFormat::Json => output::to_json(&report)?,
        InspectFormat::Html => InspectionPage { report: &report }.render(),
    };
    if let Some(file) = file {
        file.write(&shown)?;
    } else {
        if request.question.format == InspectFormat::Text {
            output::inferred(&report.inferred)?;
        }
        output::text(&shown)?;
    }
    Ok(Status::Success)
}

/// True for the beginning of an answer in any form.
fn is_answer(beginning: &str) -> bool {
    let is_json = beginning.starts_with(&beginning_of(InspectionReport::SCHEMA));
    is_json || is_page(beginning) || is_inspection(beginning)
}

/// The answer, and the findings that it shows. The change that the numbers suggest is looked for if `asks_next` is true, and
/// the best memory of each access if `homes` is.
pub(super) fn answer(
    question: &Inputs,
    asks_next: bool,
    homes: bool,
) -> Result<(InspectionReport, Vec<CheckFinding>), Failure> {
    let none = || Failure::NoSource(question.spec.source.name().into());
    if question.spec.kernel_source.is_none() {
        return Err(none());
    }
    let lowering = Lowering::new(&question.spec, &question.profile, &question.reader).assuming();
    let (configuration, chosen) = match &question.only {
        Some(configuration) => (configuration.clone(), ChosenBy::Name),
        None => choose(question, &lowering)?,
    };
    let why = |why| of_configuration(question, &configuration, why);
    let inspected = if homes { inspect } else { inspect_counts };
    let inspection = match inspected(&question.spec, &lowering, &configuration).map_err(why)?.ok_or_else(none)? {
        Feasibility::Feasible(inspection) => inspection,
        Feasibility::Infeasible(why) => return Err(refusal(question, &lowering, &configuration, &why)),
    };
    if let Some(unsafe_edge) = lowering.unsafe_edge(&configuration) {
        return Err(why(unsafe_edge));
    }
    let findings = check::of_configuration(&question.spec, &lowering, &configuration).map_err(why)?;
    let next = || {
        let alone = chosen == ChosenBy::Name;
        NextChange::new(&question.spec, &question.profile, &question.reader, &configuration, alone)
    };
    let next = asks_next.then(next).flatten();
    let report =
        InspectionReport::new(&question.spec, &question.gpu, &configuration, chosen, inspection, &findings, next);
    Ok((report, findings))
}

/// The configuration that is shown if none is named: the fastest of a small space, else the first that can run.
fn choose(question: &Inputs, lowering: &Lowering<'_>) -> Result<(Configuration, ChosenBy), Failure> {
    let (spec, profile) = (&question.spec, &question.profile);
    let space = Space::new(spec, lowering.names()).map_err(SessionError::Request)?;
    // Times need all that depends on data to be stated, an inspection does not.
    if space.size() <= MOST
        && let Ok(fastest) = Fastest::new(spec, profile, &question.reader, None, &Limits::default())
    {
        let why = || SessionError::Infeasible(fastest.survey.why_nothing_runs());
        return Ok((fastest.configuration().ok_or_else(why)?, ChosenBy::Fastest));
    }
    let is_limit = |why: &Infeasible| why.refusal().is_none();
    let (mut first, mut infeasible) = (Ok(None), None);
    let visited = space.visit(&mut |visit| {
        let Visit::Feasible(values) = visit else { return ControlFlow::Continue(()) };
        let configuration = Configuration(values.to_vec());
        first = match lowering.launch(&configuration) {
            Ok(Feasibility::Infeasible(why)) => {
                // The reason that the kernel gives is worth more than a limit of the GPU.
                if infeasible.as_ref().is_none_or(|(_, known)| is_limit(known) && !is_limit(&why)) {
                    infeasible = Some((configuration, why));
                }
                return ControlFlow::Continue(());
            }
            Ok(Feasibility::Feasible(_)) => Ok(Some(configuration)),
            Err(why) => Err(of_configuration(question, &configuration, why)),
        };
        ControlFlow::Break(())
    });
    visited.map_err(SessionError::Request)?;
    if let Some(first) = first? {
        return Ok((first, ChosenBy::First));
    }
    Err(match infeasible {
        Some((configuration, why)) => refusal(question, lowering, &configuration, &why),
        None => SessionError::Infeasible("the constraints exclude every configuration".to_owned()).into(),
    })
}

/// The failure of a configuration that cannot be lowered.
fn of_configuration(question: &Inputs, configuration: &Configuration, why: LoweringError) -> Failure {
    SpaceError::Lowering { configuration: question.spec.label(configuration), why: Box::new(why) }.into()
}

/// The failure of a configuration that cannot run, shown in the user's files if the configuration is refused for what its
/// kernel does.
fn refusal(question: &Inputs, lowering: &Lowering<'_>, configuration: &Configuration, why: &Infeasible) -> Failure {
    match lowering.refused(configuration) {
        Some(refused) => of_configuration(question, configuration, refused),
        None => SessionError::Infeasible(why.to_string()).into(),
    }
}
