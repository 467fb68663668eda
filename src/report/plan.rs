//! What a batch would run, and what that is expected to cost.

use serde::Serialize;
use serde_json::{Map, Value};

use super::narrow::{Holds, fitted};
use super::terminal::{grouped, grouped_wide, label, printable};
use crate::proof::Plan;

/// The shape that this program writes.
const SCHEMA: &str = "autotune.plan/1";

/// What a line tells of a job.
const COLUMNS: [(&str, Holds); 9] = [
    ("job", Holds::Numbers),
    ("spec", Holds::Paths),
    ("gpu", Holds::Paths),
    ("problem", Holds::Texts),
    ("feasible", Holds::SpareNumbers),
    ("searched", Holds::SpareNumbers),
    ("states", Holds::SpareNumbers),
    ("MiB", Holds::SpareNumbers),
    ("seconds", Holds::Numbers),
];

/// What a batch would run.
#[derive(Debug, Serialize)]
pub struct PlanReport {
    /// Which shape this is.
    pub schema: &'static str,
    /// Where the jobs would run.
    pub executor: String,
    /// How many at a time.
    pub at_a_time: Option<usize>,
    /// Its jobs, in the order of the job list.
    pub jobs: Vec<PlannedJob>,
}

/// A job that would run.
#[derive(Debug, Serialize)]
pub struct PlannedJob {
    /// The spec as the job list names it.
    pub spec: String,
    /// The GPU as the job list names it.
    pub gpu: String,
    /// Problem sizes that are not the spec's.
    pub set: Map<String, Value>,
    /// Configurations of the domains.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configurations: Option<u128>,
    /// Those that can run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feasible: Option<u128>,
    /// Programs that SPIN would search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub searched: Option<usize>,
    /// What its searches are expected to cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<PlannedEffort>,
    /// Why it would fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How to mend it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// What the searches of a job are expected to cost.
#[derive(Debug, Serialize)]
pub struct PlannedEffort {
    /// Stored states of the greatest search.
    pub states: usize,
    /// Events that a search steps through.
    pub events: u64,
    /// Memory of the greatest search.
    pub memory_mib: f64,
    /// Time of all searches.
    pub search_seconds: f64,
}

impl PlannedJob {
    /// A job of which nothing is known yet.
    #[must_use]
    pub fn new(spec: &str, gpu: &str, set: Map<String, Value>) -> Self {
        let (spec, gpu) = (spec.to_owned(), gpu.to_owned());
        let (configurations, feasible, searched, estimate) = (None, None, None, None);
        Self { spec, gpu, set, configurations, feasible, searched, estimate, error: None, help: None }
    }

    /// The same with its plan.
    #[must_use]
    pub fn with(self, plan: &Plan) -> Self {
        let estimate = plan.effort.map(|effort| PlannedEffort {
            states: effort.states,
            events: effort.events,
            memory_mib: effort.memory_mib,
            search_seconds: effort.seconds,
        });
        let (configurations, feasible) = (Some(plan.all), Some(plan.feasible));
        Self { configurations, feasible, searched: Some(plan.searched), estimate, ..self }
    }

    fn cells(&self, place: usize) -> Vec<String> {
        let number = |number: Option<u128>| number.map_or(String::new(), grouped_wide);
        let estimate = self.estimate.as_ref();
        vec![
            (place + 1).to_string(),
            printable(&self.spec),
            printable(&self.gpu),
            label(&self.set),
            number(self.feasible),
            number(self.searched.map(|searched| searched as u128)),
            estimate.map_or(String::new(), |estimate| grouped(estimate.states as u64)),
            estimate.map_or(String::new(), |estimate| format!("{:.1}", estimate.memory_mib)),
            estimate.map_or(String::new(), |estimate| format!("{:.2}", estimate.search_seconds)),
        ]
    }
}

impl PlanReport {
    /// Of these jobs.
    #[must_use]
    pub fn new(executor: String, at_a_time: Option<usize>, jobs: Vec<PlannedJob>) -> Self {
        Self { schema: SCHEMA, executor, at_a_time, jobs }
    }

    /// As text, its table not wider than `columns`.
    #[must_use]
    pub fn for_people(&self, columns: Option<usize>) -> String {
        let rows = self.jobs.iter().enumerate().map(|(place, job)| job.cells(place)).collect();
        let errors = self.jobs.iter().enumerate().filter_map(|(place, job)| {
            let help = job.help.as_ref().map_or(String::new(), |help| format!("help: {help}\n"));
            job.error.as_ref().map(|error| format!("job {}: {error}\n{help}\n", place + 1))
        });
        let estimates = || self.jobs.iter().filter_map(|job| job.estimate.as_ref());
        let seconds: f64 = estimates().map(|estimate| estimate.search_seconds).sum();
        let memory = estimates().map(|estimate| estimate.memory_mib).fold(0.0, f64::max);
        let at_a_time = self.at_a_time.map_or(String::new(), |number| format!(", {number} at a time"));
        format!(
            "{}\n\n{}{} jobs would run {}{at_a_time}; their searches take about {seconds:.1} s and at most {memory:.1} MiB each\n",
            fitted(&COLUMNS, rows, columns),
            errors.collect::<String>(),
            self.jobs.len() - self.jobs.iter().filter(|job| job.error.is_some()).count(),
            if self.executor == "local" { "on this machine" } else { "on the Slurm cluster" },
        )
    }
}
