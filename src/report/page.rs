//! The contents of a tuning's page beside its result.

use std::collections::HashSet;

use super::explanation::time;
use super::histogram::histogram;
use super::values::configuration;
use crate::explain::account;
use crate::explain::landscape::{LandscapeError, LandscapePoint, draw, evaluate_bounded};
use crate::gpu::Profile;
use crate::lowering::{Feasibility, Lowering, LoweringError};
use crate::machine::timeline;
use crate::result::{
    ConfigurationReport, KnownTime, LandscapeReport, ListedStatus, Optimum, PageReport, Report, TimeReport,
    TimedConfiguration, WaveReport,
};
use crate::source::SourceReader;
use crate::space::Space;
use crate::spec::{Configuration, Spec};

/// The greatest number of warps in a timeline.
const LANES: usize = 32;
/// The greatest number of events that are run for a timeline.
const EVENTS: u64 = 250_000;

/// The contents of a tuning's page beside its result. `only` is the configuration that the question named; `None` if
/// it named none.
///
/// # Errors
/// If the space cannot be enumerated, or a configuration cannot be lowered.
pub fn page(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    report: &Report,
    only: Option<&Configuration>,
) -> Result<PageReport, LandscapeError> {
    let landscape = landscape(spec, profile, reader, report, only)?;
    let (time, wave) = match &report.optimum {
        Some(optimum) => run(spec, profile, reader, optimum)?.unzip(),
        None => (None, None),
    };
    Ok(PageReport {
        description: spec.description.clone(),
        spec: (!spec.source.is_of_options()).then(|| spec.source.name().to_owned()),
        source: spec
            .kernel_source
            .iter()
            .flat_map(|stated| &stated.source.files)
            .map(|file| file.display().to_string())
            .collect(),
        profile: profile.name().to_owned(),
        histogram: histogram(&landscape.configurations, report.optimum.as_ref().map(|optimum| optimum.ticks)),
        landscape,
        time,
        wave,
    })
}

/// The listed configurations with their times, then a random sample of a space that is not listed completely.
fn landscape(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    report: &Report,
    only: Option<&Configuration>,
) -> Result<LandscapeReport, LandscapeError> {
    let mut times: Vec<LandscapePoint> = report.configurations.iter().map(|one| place(spec, report, one)).collect();
    let listed = times.len();
    let size =
        if only.is_none() { Space::new(spec, &profile.names(spec.has_dynamic_local_memory()))?.size() } else { 1 };
    if only.is_none() && size > times.len() as u128 {
        let others = draw(spec, profile, reader)?;
        let known: HashSet<_> = times.iter().map(|place| place.configuration.clone()).collect();
        times.extend(others.into_iter().filter(|place| !known.contains(&place.configuration)));
    }
    evaluate_bounded(spec, profile, reader, &mut times)?;
    let mut drawn = times.split_off(listed);
    // Without an evaluation nothing is known of what was drawn.
    drawn.retain(|place| place.time != KnownTime::Unknown);
    let count = drawn.len();
    times.append(&mut drawn);
    Ok(LandscapeReport {
        parameters: spec.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
        configurations: times.into_iter().map(timed).collect(),
        drawn: count,
        size,
    })
}

fn place(spec: &Spec, report: &Report, one: &ConfigurationReport) -> LandscapePoint {
    let top = report.top.iter().flatten().find(|top| top.parameters == one.parameters);
    let optimum = report.optimum.as_ref().filter(|_| one.status == ListedStatus::Optimum);
    let proved = top.map(|top| top.ticks).or(optimum.map(|optimum| optimum.ticks));
    let time = match (proved, one.status, one.ticks) {
        (Some(ticks), ..) => KnownTime::Proved(ticks),
        (None, ListedStatus::Infeasible, _) => KnownTime::Never,
        (None, _, Some(ticks)) => KnownTime::Evaluated(ticks),
        (None, _, None) => one.bound.map_or(KnownTime::Unknown, KnownTime::AtLeast),
    };
    LandscapePoint { configuration: configuration(spec, &one.parameters), time }
}

fn timed(LandscapePoint { configuration, time }: LandscapePoint) -> TimedConfiguration {
    TimedConfiguration { values: configuration.0, time }
}

/// The split of the optimum's time, or the reason for which it cannot be computed, and the optimum's wave.
type Run = (Result<TimeReport, String>, WaveReport);

/// The optimum's run; `None` if the optimum cannot run, which contradicts its result.
fn run(spec: &Spec, profile: &Profile, reader: &SourceReader, optimum: &Optimum) -> Result<Option<Run>, LoweringError> {
    let (lowering, configuration) = (Lowering::new(spec, profile, reader), configuration(spec, &optimum.parameters));
    let Feasibility::Feasible(lowered) = lowering.lower(&configuration)? else { return Ok(None) };
    let account = account(spec, &lowering, &configuration, &lowered);
    let wave = WaveReport {
        timeline: timeline(&lowered.program, LANES, EVENTS).ok(),
        most_events: EVENTS,
        warps_per_group: lowered.program.warps_per_group,
    };
    Ok(Some((account.map(|account| time(profile, account)).map_err(|why| why.to_string()), wave)))
}
