//! The times by the native evaluator, without a model checker (`schemas/evaluation.json`).

use serde::Serialize;
use typed_index_collections::TiSlice;

use super::values::{Values, values};
use super::{RefusedReport, SchedulesReport};
use autotune_base::index::{EntryId, ProgramId};
use autotune_base::text::Inferred;
use autotune_base::ticks::Ticks;
use autotune_engine::explain::NextChange;
use autotune_lowering::gpu::{Limit, Profile};
use autotune_lowering::space::{ConfigurationStatus, Entry, Survey, UniqueProgram};
use autotune_lowering::spec::Spec;
use autotune_machine::machine::Program;

/// The result of `autotune evaluate SPEC --gpu GPU --format json`: the times by the native evaluator, in ticks.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct EvaluationReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = EvaluationReport::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The parts of the question that follow from the text of the source, with their lines; absent if a spec or options state
    /// all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inferred: Vec<Inferred>,
    /// The configurations in the space's order; with `--top N` the N fastest, the fastest first; with `--diverse` N fast ones
    /// that differ from each other, in the order of their choice.
    pub configurations: Vec<EvaluatedReport>,
    /// The configurations that are refused for what their kernel does, by rule; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedReport>,
    /// The number of configurations that `--top` leaves out; absent without `--top`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted: Option<usize>,
    /// The one change that the numbers of the fastest configuration suggest, or those of the only one; null if they suggest
    /// nothing, or no configuration has a time.
    pub next: Option<NextChange>,
}

impl EvaluationReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.evaluation/1";

    /// The report of the times of all entries of a survey, or of those that are listed. `ticks` has the time of each of the
    /// survey's programs; `None` if it is not known. `next` is the change that the numbers suggest.
    #[must_use]
    pub fn new(
        spec: &Spec,
        profile: &Profile,
        gpu: &str,
        survey: &Survey,
        ticks: &TiSlice<ProgramId, Option<Ticks>>,
        listed: Option<&[EntryId]>,
        next: Option<NextChange>,
    ) -> Self {
        let omitted = listed.map(|listed| survey.entries.len() - listed.len());
        let shown = listed.map_or_else(|| survey.entries.keys().collect(), <[_]>::to_vec);
        let configurations = shown
            .into_iter()
            .map(|entry| EvaluatedReport::new(spec, profile, survey, ticks, &survey.entries.get(entry)));
        Self {
            schema: Self::SCHEMA,
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            inferred: spec.source.inferred().to_vec(),
            configurations: configurations.collect(),
            refused: RefusedReport::of_survey(spec, survey),
            omitted,
            next,
        }
    }
}

/// The time of one configuration.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct EvaluatedReport {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The time in ticks; null if the configuration cannot run, or nothing is known of it.
    pub ticks: Option<Ticks>,
    /// The time in microseconds; null if the configuration cannot run, or on a lockstep GPU, which does not have a
    /// clock.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub microseconds: Option<f64>,
    /// The occupancy of a multiprocessor; null if the configuration cannot run, or on a lockstep GPU, which runs one
    /// group after the other.
    pub occupancy: Option<OccupancyReport>,
    /// The time in every order of simultaneous events; absent without `--schedules any`, and if the configuration has no
    /// program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedules: Option<SchedulesReport>,
    /// The rule that the configuration breaks; absent if it can run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The reason why it is not known whether the configuration can run, or how fast; absent if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
}

/// The work groups and warps that are resident on a multiprocessor at a time.
#[derive(Debug, Clone, Copy, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct OccupancyReport {
    /// The number of work groups that fit a multiprocessor at a time.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub resident_groups: u64,
    /// The number of warps of all groups that fit.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub warps: u64,
    /// The limit that keeps further groups from fitting.
    pub limit: Limit,
    /// The number of work groups of the largest wave. It is less than the number that fit if the launch does not have
    /// more for a multiprocessor.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub wave_groups: u64,
    /// The number of warps of all groups of the largest wave.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub wave_warps: u64,
}

impl EvaluatedReport {
    fn new(
        spec: &Spec,
        profile: &Profile,
        survey: &Survey,
        ticks: &TiSlice<ProgramId, Option<Ticks>>,
        entry: &Entry,
    ) -> Self {
        let parameters = values(spec, &entry.configuration);
        let empty = Self {
            parameters,
            ticks: None,
            microseconds: None,
            occupancy: None,
            schedules: None,
            reason: None,
            unknown: None,
        };
        match &entry.status {
            ConfigurationStatus::Program(number) => {
                let UniqueProgram { program, too_long, .. } = survey.programs.get(*number);
                let ticks = ticks[*number];
                let too_long = too_long.filter(|_| ticks.is_none());
                Self {
                    ticks,
                    microseconds: ticks.and_then(|ticks| profile.microseconds(ticks.get())),
                    occupancy: entry.limit.map(|limit| OccupancyReport::new(&program, limit)),
                    unknown: too_long.map(|why| why.to_string()),
                    ..empty
                }
            }
            ConfigurationStatus::Infeasible(reason) => Self { reason: Some(reason.to_string()), ..empty },
            ConfigurationStatus::Unknown(reason) => Self { unknown: Some(reason.to_string()), ..empty },
        }
    }

    /// A sort key: the fastest configuration is least, and configurations without a time are last.
    pub(crate) fn rank(&self) -> (bool, Option<Ticks>) {
        (self.ticks.is_none(), self.ticks)
    }
}

impl OccupancyReport {
    fn new(program: &Program, limit: Limit) -> Self {
        let (resident_groups, wave_groups) = (program.resident_groups, program.largest_wave());
        let warps = |groups: u64| groups.saturating_mul(program.warps_per_group);
        Self { resident_groups, warps: warps(resident_groups), limit, wave_groups, wave_warps: warps(wave_groups) }
    }
}
