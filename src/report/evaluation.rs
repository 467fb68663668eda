//! The native evaluator's times, without a model checker (`schemas/evaluation.json`).

use std::fmt::Write as _;

use comfy_table::CellAlignment;
use serde::Serialize;
use serde_json::{Map, Value};

use super::terminal::{grouped, label, table};
use crate::gpu::{Limit, Profile};
use crate::machine::Program;
use crate::space::{ConfigurationStatus, Survey};
use crate::spec::Spec;

/// The times of configurations.
#[derive(Debug, Serialize)]
pub struct EvaluationReport {
    schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The configurations, in the space's order; the fastest, with the fastest first, if only some were asked for.
    pub configurations: Vec<Evaluated>,
    /// How many are left out; none if all were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted: Option<usize>,
}

/// The time of one configuration.
#[derive(Debug, Serialize)]
pub struct Evaluated {
    /// Its parameters.
    pub parameters: Map<String, Value>,
    /// Its time; none if it cannot run.
    pub ticks: Option<u64>,
    /// The same on the GPU's clock; none if it cannot run, or on an abstract processor, which has no clock.
    pub microseconds: Option<f64>,
    /// What of it is resident on a multiprocessor; none if it cannot run, or on a lockstep GPU, which runs group after group.
    pub occupancy: Option<OccupancyReport>,
    /// Why it cannot run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What is resident on a multiprocessor at a time.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct OccupancyReport {
    /// Work groups that fit.
    pub resident_groups: u64,
    /// Their warps, all together.
    pub warps: u64,
    /// Which limit keeps more away.
    pub limit: Limit,
    /// Work groups of the largest wave: fewer than fit, if the launch has no more.
    pub wave_groups: u64,
    /// Their warps, all together.
    pub wave_warps: u64,
}

impl OccupancyReport {
    fn new(program: &Program, limit: Limit) -> Self {
        let (resident_groups, wave_groups) = (program.resident_groups, program.largest_wave());
        let warps = |groups: u64| groups.saturating_mul(program.warps_per_group);
        Self { resident_groups, warps: warps(resident_groups), limit, wave_groups, wave_warps: warps(wave_groups) }
    }

    /// What runs at a time, and what keeps more away.
    fn in_words(self) -> String {
        let Self { resident_groups, warps, limit, wave_groups, wave_warps } = self;
        let fits = |number: u64| if wave_groups < resident_groups { format!(" of {number}") } else { String::new() };
        let plural = |number: u64| if number == 1 { "" } else { "s" };
        let groups = format!("{wave_groups}{} group{}", fits(resident_groups), plural(resident_groups));
        format!("{groups}, {wave_warps}{} warp{} ({limit})", fits(warps), plural(warps))
    }
}

impl EvaluationReport {
    /// The times of all entries of a survey, or of the `top` fastest; `ticks` are those of its programs.
    #[must_use]
    pub fn new(
        spec: &Spec,
        profile: &Profile,
        gpu: &str,
        survey: &Survey,
        ticks: &[Option<u64>],
        top: Option<usize>,
    ) -> Self {
        let configurations = survey.entries.iter().map(|entry| {
            let parameters = super::build::values(spec, &entry.configuration);
            match &entry.fate {
                ConfigurationStatus::Program(number) => {
                    let program = &survey.programs[*number].program;
                    let occupancy = entry.limit.map(|limit| OccupancyReport::new(program, limit));
                    let microseconds = ticks[*number].and_then(|ticks| profile.microseconds(ticks));
                    Evaluated { parameters, ticks: ticks[*number], microseconds, occupancy, reason: None }
                }
                ConfigurationStatus::Infeasible(reason) => {
                    let reason = Some(reason.to_string());
                    Evaluated { parameters, ticks: None, microseconds: None, occupancy: None, reason }
                }
            }
        });
        let mut configurations: Vec<_> = configurations.collect();
        let omitted = top.map(|top| {
            configurations.sort_by_key(Evaluated::rank);
            configurations.split_off(top.min(configurations.len())).len()
        });
        Self {
            schema: "autotune.evaluation/1",
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            configurations,
            omitted,
        }
    }

    /// As text, the fastest first.
    #[must_use]
    pub fn for_people(&self) -> String {
        let mut rows: Vec<_> = self.configurations.iter().collect();
        rows.sort_by_key(|row| row.rank());
        let has_clock = rows.iter().any(|row| row.microseconds.is_some());
        let resident = if rows.iter().any(|row| row.occupancy.is_some()) { "resident" } else { "" };
        let clock = has_clock.then_some("microseconds");
        let header: Vec<&str> = ["configuration", "ticks"].into_iter().chain(clock).chain([resident]).collect();
        let mut table = table(&header);
        if let Some(column) = table.column_iter_mut().last() {
            column.set_cell_alignment(CellAlignment::Left);
        }
        for row in rows {
            let ticks = row.ticks.map_or(String::new(), grouped);
            let clock = clock.map(|_| row.microseconds.map_or(String::new(), |time| format!("{time:.1}")));
            let occupancy = row.occupancy.map_or(String::new(), OccupancyReport::in_words);
            let last = row.reason.clone().unwrap_or(occupancy);
            table.add_row([label(&row.parameters), ticks].into_iter().chain(clock).chain([last]).collect::<Vec<_>>());
        }
        let mut text = format!("{} on {}, by the native evaluator\n\n{}\n", self.kernel, self.gpu, table.trim_fmt());
        if let Some(omitted @ 1..) = self.omitted {
            let _ = writeln!(text, " and {omitted} more");
        }
        text
    }
}

impl Evaluated {
    /// The fastest is least, what cannot run is last.
    fn rank(&self) -> (bool, Option<u64>) {
        (self.ticks.is_none(), self.ticks)
    }
}
