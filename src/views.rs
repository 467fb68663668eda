//! What a page shows beside a result: the times of the space, where the optimum's time goes, and the texts to copy.
//!
//! All of it is computed here, so that drawing computes nothing. Effort is counted in events: the views are a function of
//! the question and its result.

use serde_json::Value;
use thiserror::Error;

use crate::analysis::explain::{ExplainError, account};
use crate::analysis::histogram::Histogram;
use crate::analysis::landscape::{Landscape, LandscapeError, Place, Time};
use crate::gpu::Profile;
use crate::lowering::{Lowering, LoweringError, Outcome};
use crate::machine::{Timeline, TooManyEvents, timeline};
use crate::report::export::{ExportError, Form, export};
use crate::report::{ConfigurationReport, Optimum, Report, Status, TimeReport, Values};
use crate::spec::{Configuration, Spec};

/// Warps of the timeline.
const LANES: usize = 32;
/// Events that are run for a timeline, at most.
const EVENTS: u64 = 250_000;
/// Bytes of JSON that a page holds, at most.
const MOST_JSON: usize = 256 << 10;

/// The views of one result.
#[derive(Debug)]
pub struct Views {
    /// The times of the space, as far as they are known.
    pub landscape: Landscape,
    /// Their spread; `None` if fewer than two times are known.
    pub histogram: Option<Histogram>,
    /// The run of the optimum; `None` if no optimum is proved.
    pub optimum: Option<OptimumRun>,
    /// The result in other programs' forms.
    pub copies: Copies,
}

/// The optimum's run on the machine.
#[derive(Debug)]
pub struct OptimumRun {
    /// Where its time goes, or why that is not known.
    pub time: Result<TimeReport, String>,
    /// Its wave warp by warp.
    pub timeline: Result<Timeline, TooManyEvents>,
    /// Warps of a work group.
    pub warps_per_group: u64,
}

/// A result in other programs' forms; an error says why there is no such text.
#[derive(Debug)]
pub struct Copies {
    /// `-D` options of a compiler; `None` if nothing is proved.
    pub flags: Option<Result<String, String>>,
    /// A C header; `None` if nothing is proved.
    pub header: Option<Result<String, String>>,
    /// The result as JSON.
    pub json: Result<String, String>,
}

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

impl Views {
    /// Computes the views of a result. `is_one` if only one configuration was asked for.
    ///
    /// # Errors
    /// When a configuration of the space cannot be lowered.
    pub fn of(spec: &Spec, profile: &Profile, report: &Report, is_one: bool) -> Result<Self, ViewsError> {
        let listed = report.configurations.iter().map(|one| place(spec, report, one)).collect();
        let landscape = Landscape::of(spec, profile, listed, is_one)?;
        let best = report.optimum.as_ref().map(|optimum| optimum.ticks);
        let histogram = Histogram::of(&landscape.places, best).filter(|histogram| histogram.counted() > 1);
        let optimum = report.optimum.as_ref().map(|optimum| OptimumRun::of(spec, profile, optimum));
        let optimum = optimum.transpose()?.flatten();
        Ok(Self { landscape, histogram, optimum, copies: Copies::of(report)? })
    }
}

impl OptimumRun {
    fn of(spec: &Spec, profile: &Profile, optimum: &Optimum) -> Result<Option<Self>, ViewsError> {
        let lowering = Lowering::new(spec, profile);
        let configuration = configuration(spec, &optimum.parameters);
        let Outcome::Feasible(lowered) = lowering.lower(&configuration)? else { return Ok(None) };
        let time = match account(spec, &lowering, &configuration, &lowered) {
            Ok(account) => Ok(TimeReport::new(profile, account)),
            Err(error @ ExplainError::NoTime(_)) => Err(error.to_string()),
            Err(error) => return Err(error.into()),
        };
        let timeline = timeline(&lowered.program, LANES, EVENTS);
        Ok(Some(Self { time, timeline, warps_per_group: lowered.program.warps_per_group }))
    }
}

impl Copies {
    fn of(report: &Report) -> Result<Self, serde_json::Error> {
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
        Ok(Self { flags: text(Form::Flags), header: text(Form::Header), json })
    }
}

fn place(spec: &Spec, report: &Report, one: &ConfigurationReport) -> Place {
    let top = report.top.iter().flatten().find(|top| top.parameters == one.parameters);
    let optimum = report.optimum.as_ref().filter(|_| one.status == Status::Optimum);
    let proved = top.map(|top| top.ticks).or(optimum.map(|optimum| optimum.ticks));
    let time = match (proved, one.status, one.ticks) {
        (Some(ticks), ..) => Time::Proved(ticks),
        (None, Status::Infeasible, _) => Time::Never,
        (None, _, Some(ticks)) => Time::Evaluated(ticks),
        (None, _, None) => one.bound.map_or(Time::Unknown, Time::AtLeast),
    };
    Place { configuration: configuration(spec, &one.parameters), time }
}

fn configuration(spec: &Spec, parameters: &Values) -> Configuration {
    let value = |name: &String| parameters.get(name).and_then(Value::as_i64).unwrap_or_default();
    Configuration(spec.parameters.iter().map(|parameter| value(&parameter.name)).collect())
}
