//! `autotune graph`: the kernel graph of a configuration.

use super::arguments::{self, GraphFormat};
use super::failure::Failure;
use super::{Status, output, question};
use crate::compare::{near, statements};
use crate::limits::Limits;
use crate::lowering::Lowering;
use crate::models::maxplus::Kernel;
use crate::render::{dot, svg};
use crate::report::{self, GraphSubject, values};
use crate::session::SessionError;
use crate::space;
use crate::space::{ConfigurationStatus, Entry, Pruning};

pub(super) fn run(request: &arguments::Graph) -> Result<Status, Failure> {
    let question = question::read(&request.question)?;
    let (spec, profile) = (&question.spec, &question.profile);
    // Without limits there is a survey of everything.
    let limits = Limits::default();
    let survey = space::survey(spec, profile, question.only.as_ref(), &limits)?.unwrap_or_default();
    let estimates = space::estimate(spec, &survey, Pruning::Best(1), &limits)?;
    let fastest = near::fastest(spec, profile, &survey, &estimates)?;
    let Some((pick, Entry { configuration, fate: ConfigurationStatus::Program(program), .. })) =
        fastest.map(|pick| (pick, &survey.entries[pick.entry]))
    else {
        return Err(SessionError::Infeasible(survey.why_nothing_runs()).into());
    };
    let scope = spec.scope(&profile.names(spec.resources.dynamic), configuration).map_err(SessionError::Request)?;
    let kernel = Kernel::new(spec, profile, &scope, &survey.programs[*program].program)?;
    let origins = Lowering::new(spec, profile).origins(configuration)?.unwrap_or_default();
    let subject = GraphSubject {
        kernel: spec.kernel.clone(),
        gpu: question.gpu.clone(),
        parameters: values(spec, configuration),
        ticks: pick.ticks,
        statements: statements::of_spec(spec),
        uses: statements::of_uses(spec, &origins),
    };
    let report = report::graph(subject, &kernel)?;
    output::text(&match request.question.format {
        GraphFormat::Dot => dot(&report),
        GraphFormat::Svg => svg(&report).map_err(Failure::Drawing)?,
        GraphFormat::Json => output::to_json(&report)?,
    })?;
    Ok(Status::Success)
}
