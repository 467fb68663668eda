//! Computes what a page shows beside a result, so that drawing computes nothing.
//!
//! Effort is counted in events: the views are a function of the question and its result.

use serde_json::Value;
use thiserror::Error;

use crate::compare::explain::{ExplainError, account};
use crate::compare::histogram::Histogram;
use crate::compare::landscape::{Landscape, LandscapeError, LandscapePoint, Time};
use crate::gpu::Profile;
use crate::lowering::{Feasibility, Lowering, LoweringError};
use crate::machine::timeline;
use crate::report::export::{ExportError, Form, export};
use crate::report::{ConfigurationReport, Copies, Optimum, OptimumRun, Report, Status, TimeReport, Values, Views};
use crate::spec::{Configuration, Spec};

/// Warps of the timeline.
const LANES: usize = 32;
/// Events that are run for a timeline, at most.
const EVENTS: u64 = 250_000;
/// Bytes of JSON that a page holds, at most.
const MOST_JSON: usize = 256 << 10;

/// Why a result has no views.
#[derive(Debug, Error)]
pub enum ViewsError {
    /// The times of the space cannot be found.
    #[error(transparent)]
    Landscape(#[from] LandscapeError),
    /// The optimum cannot be lowered.
    #[error(transparent)]
    Lowering(#[from] LoweringError),
    /// The optimum's time cannot be accounted for.
    #[error(transparent)]
    Explain(#[from] ExplainError),
    /// The result has no JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// Computes the views of a result. `is_one` if only one configuration was asked for.
///
/// # Errors
/// If a configuration of the space cannot be lowered.
pub fn views(spec: &Spec, profile: &Profile, report: &Report, is_one: bool) -> Result<Views, ViewsError> {
    let listed = report.configurations.iter().map(|one| point(spec, report, one)).collect();
    let landscape = Landscape::of(spec, profile, listed, is_one)?;
    let best = report.optimum.as_ref().map(|optimum| optimum.ticks);
    let histogram = Histogram::of(&landscape.places, best).filter(|histogram| histogram.counted() > 1);
    let optimum = report.optimum.as_ref().map(|optimum| optimum_run(spec, profile, optimum)).transpose()?.flatten();
    Ok(Views { landscape, histogram, optimum, copies: copies(report)? })
}

fn optimum_run(spec: &Spec, profile: &Profile, optimum: &Optimum) -> Result<Option<OptimumRun>, ViewsError> {
    let lowering = Lowering::new(spec, profile);
    let configuration = configuration(spec, &optimum.parameters);
    let Feasibility::Feasible(lowered) = lowering.lower(&configuration)? else { return Ok(None) };
    let time = match account(spec, &lowering, &configuration, &lowered) {
        Ok(account) => Ok(TimeReport::new(profile, account)),
        Err(error @ ExplainError::NoTime(_)) => Err(error.to_string()),
        Err(error) => return Err(error.into()),
    };
    let timeline = timeline(&lowered.program, LANES, EVENTS);
    Ok(Some(OptimumRun { time, timeline, warps_per_group: lowered.program.warps_per_group }))
}

fn copies(report: &Report) -> Result<Copies, serde_json::Error> {
    let text = |form| match export(std::slice::from_ref(report), form) {
        Err(ExportError::NothingProved) => None,
        text => Some(text.map_err(|why| why.to_string())),
    };
    let json = serde_json::to_string_pretty(report)? + "\n";
    let json = if json.len() <= MOST_JSON {
        Ok(json)
    } else {
        Err(format!("it has {} KiB; `--format json` prints it", json.len() >> 10))
    };
    Ok(Copies { flags: text(Form::Flags), header: text(Form::Header), json })
}

fn point(spec: &Spec, report: &Report, one: &ConfigurationReport) -> LandscapePoint {
    let top = report.top.iter().flatten().find(|top| top.parameters == one.parameters);
    let optimum = report.optimum.as_ref().filter(|_| one.status == Status::Optimum);
    let proved = top.map(|top| top.ticks).or(optimum.map(|optimum| optimum.ticks));
    let time = match (proved, one.status, one.ticks) {
        (Some(ticks), ..) => Time::Proved(ticks),
        (None, Status::Infeasible, _) => Time::Never,
        (None, _, Some(ticks)) => Time::Evaluated(ticks),
        (None, _, None) => one.bound.map_or(Time::Unknown, Time::AtLeast),
    };
    LandscapePoint { configuration: configuration(spec, &one.parameters), time }
}

fn configuration(spec: &Spec, parameters: &Values) -> Configuration {
    let value = |name: &String| parameters.get(name).and_then(Value::as_i64).unwrap_or_default();
    Configuration(spec.parameters.iter().map(|parameter| value(&parameter.name)).collect())
}
