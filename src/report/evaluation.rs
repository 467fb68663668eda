//! The native evaluator's times, as a result states them.

use typed_index_collections::TiSlice;

use super::refused::refused;
use super::values::values;
use crate::gpu::{Limit, Profile};
use crate::index::ProgramId;
use crate::machine::Program;
use crate::result::{EvaluatedReport, EvaluationReport, OccupancyReport};
use crate::space::{ConfigurationStatus, Survey, UniqueProgram};
use crate::spec::Spec;
use crate::ticks::Ticks;

/// The report of the times of all entries of a survey, or of the `top` fastest. `ticks` has the time of each of the
/// survey's programs; `None` if it is not known.
#[must_use]
pub fn evaluation(
    spec: &Spec,
    profile: &Profile,
    gpu: &str,
    survey: &Survey,
    ticks: &TiSlice<ProgramId, Option<Ticks>>,
    top: Option<usize>,
) -> EvaluationReport {
    let configurations = survey.entries.iter().map(|entry| {
        let parameters = values(spec, &entry.configuration);
        match &entry.status {
            ConfigurationStatus::Program(number) => {
                let UniqueProgram { program, too_long, .. } = &survey.programs[*number];
                let occupancy = entry.limit.map(|limit| occupancy(program, limit));
                let too_long = too_long.as_ref().filter(|_| ticks[*number].is_none());
                let microseconds = ticks[*number].and_then(|ticks| profile.microseconds(ticks.get()));
                EvaluatedReport {
                    parameters,
                    ticks: ticks[*number],
                    microseconds,
                    occupancy,
                    reason: None,
                    unknown: too_long.map(ToString::to_string),
                }
            }
            ConfigurationStatus::Infeasible(reason) => {
                let reason = Some(reason.to_string());
                EvaluatedReport { parameters, ticks: None, microseconds: None, occupancy: None, reason, unknown: None }
            }
            ConfigurationStatus::Unknown(reason) => {
                let unknown = Some(reason.to_string());
                EvaluatedReport { parameters, ticks: None, microseconds: None, occupancy: None, reason: None, unknown }
            }
        }
    });
    let mut configurations: Vec<_> = configurations.collect();
    let omitted = top.map(|top| {
        configurations.sort_by_key(EvaluatedReport::rank);
        configurations.split_off(top.min(configurations.len())).len()
    });
    EvaluationReport {
        schema: EvaluationReport::SCHEMA,
        kernel: spec.kernel.clone(),
        gpu: gpu.to_owned(),
        configurations,
        refused: refused(spec, survey),
        omitted,
    }
}

fn occupancy(program: &Program, limit: Limit) -> OccupancyReport {
    let (resident_groups, wave_groups) = (program.resident_groups, program.largest_wave());
    let warps = |groups: u64| groups.saturating_mul(program.warps_per_group);
    let (all, wave_warps) = (warps(resident_groups), warps(wave_groups));
    OccupancyReport { resident_groups, warps: all, limit, wave_groups, wave_warps }
}
