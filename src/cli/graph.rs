//! `autotune graph`: the kernel graph of a configuration.

use super::arguments::{self, GraphFormat};
use super::failure::Failure;
use super::{Status, output, question};
use crate::render::text::graph;
use crate::render::{dot, svg};
use crate::result::{GraphReport, GraphSubject};
use crate::session::SessionError;
use autotune_base::limits::Limits;
use autotune_engine::compare::Fastest;
use autotune_engine::explain::lines::KernelLines;
use autotune_engine::explain::statements;
use autotune_lowering::lowering::{Feasibility, Lowering};
use autotune_lowering::models::maxplus::{Algebra, Kernel, KernelError, PicturedKernel, Variant};

pub(super) fn run(request: &arguments::Graph) -> Result<Status, Failure> {
    let question = question::read(&request.question)?;
    let (spec, profile) = (&question.spec, &question.profile);
    let fastest = Fastest::new(spec, profile, &question.reader, question.only.as_ref(), &Limits::default())?;
    let (Some(pick), Some(configuration)) = (fastest.pick, fastest.configuration()) else {
        return Err(SessionError::Infeasible(fastest.survey.why_nothing_runs()).into());
    };
    let scope =
        spec.scope(&profile.names(spec.has_dynamic_local_memory()), &configuration).map_err(SessionError::Request)?;
    let lowering = Lowering::new(spec, profile, &question.reader);
    let Feasibility::Feasible(lowered) = lowering.lower(&configuration)? else {
        return Err(SessionError::Infeasible(fastest.survey.why_nothing_runs()).into());
    };
    let origins = lowering.origins(&configuration)?.feasible().unwrap_or_default();
    let kernel = Kernel::new(spec, profile, &scope, lowered.program_and_parts()).map_err(no_model)?;
    let kernel = kernel.with_stores_apart(&origins);
    let lines = KernelLines::new(&lowering, &configuration)?;
    let subject = GraphSubject {
        spec,
        gpu: &question.gpu,
        configuration: &configuration,
        ticks: pick.ticks,
        statements: statements::of_spec(spec),
        uses: statements::of_uses(spec, &lines, &origins),
    };
    let algebra = Variant::ALL.into_iter().map(|model| Algebra::new(&kernel, model));
    let algebra = algebra.collect::<Result<_, _>>().map_err(no_model)?;
    let pictured = PicturedKernel::new(&kernel).map_err(no_model)?;
    let report = GraphReport::new(&subject, &kernel, pictured, algebra);
    output::text(&match request.question.format {
        GraphFormat::Dot => dot(&report),
        GraphFormat::Svg => svg(&report).map_err(Failure::Drawing)?,
        GraphFormat::Text => graph::to_text(&report),
        GraphFormat::Json => output::to_json(&report)?,
    })?;
    Ok(Status::Success)
}

/// The failure of a command whose kernel has no max-plus model.
fn no_model(why: impl Into<KernelError>) -> Failure {
    Failure::MaxPlus(why.into())
}
