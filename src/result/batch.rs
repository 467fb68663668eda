//! The outcome of a batch: a line for each job (`schemas/batch_summary.json`).

use serde::Serialize;
use serde_json::value::RawValue;

use super::fleet::{FleetInterval, FleetReport, FleetWorst};
use super::values::Values;
use super::{Interval, NearReport, Optimum, Verdict};
use autotune_base::text::words::{at_least, at_most, grouped, label};
use autotune_engine::check::Warning;

/// The result of `autotune batch JOBS.yaml --out DIR --format json`: a summary of each job. The whole results are in
/// `DIR/results.json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct BatchReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = BatchReport::SCHEMA)))]
    pub schema: &'static str,
    /// The folder of the batch's journal and results.
    pub folder: String,
    /// The number of jobs that have ended.
    pub ended: usize,
    /// The jobs, in the order of the job list.
    pub jobs: Vec<JobReport>,
}

/// The progress of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum JobProgress {
    /// The job has not begun.
    Waiting,
    /// The job was begun and stopped.
    Stopped,
    /// The job has ended, with a result or an error.
    Ended,
}

/// One job of a batch.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct JobReport {
    /// The spec as the job list names it.
    pub spec: String,
    /// The GPU as the job list names it; the GPUs or the file of the scenarios, of a job about several.
    pub gpu: String,
    /// The problem sizes that the job list sets, without those that differ between scenarios.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub set: Values,
    /// The number of scenarios; absent if the job is about one.
    #[cfg_attr(test, schemars(range(min = 2)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scenarios: Option<usize>,
    /// The progress of the job.
    pub progress: JobProgress,
    /// The exit status of the question on its own: 0 proved, 1 failed, 2 unusable input, 3 not proved, 4 infeasible.
    /// Absent until the job has ended.
    #[cfg_attr(test, schemars(extend("enum" = autotune_base::user_error::ExitStatus::OF_QUESTIONS.map(|status| status as u8))))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u8>,
    /// The state of the knowledge about the optimum; absent without a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The proved optimum; absent if it is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimum: Option<Optimum>,
    /// The near ties, the best configurations and the choice beside the optimum; absent without a proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<NearReport>,
    /// The doubtful places of the job's spec and profile; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// The open interval of the optimum's time; absent if the verdict is not `best_effort`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// The answer about several scenarios; absent without a result, and if the job is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fleet: Option<FleetSummary>,
    /// The error that kept the job from having a result; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Advice that corrects the error; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The time that the job took, in seconds; absent until it has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// The essence of an answer about several scenarios.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetSummary {
    /// The proved configuration, or the proved variants; absent without a proof.
    #[cfg_attr(test, schemars(with = "Vec<crate::result::values::Integers>"))]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chosen: Vec<Values>,
    /// Their worst slowdown; absent without a proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<FleetWorst>,
    /// The interval of the least worst slowdown; absent if the verdict is not `best_effort`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<FleetInterval>,
}

/// The file `results.json` of a batch: an entry for each job, in the order of the job list. It does not contain
/// measurements.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct BatchResults<'a> {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = BatchResults::SCHEMA)))]
    pub schema: &'static str,
    /// The entries, one for each job.
    pub results: Vec<EntryReport<'a>>,
}

impl BatchResults<'_> {
    /// The id of the schema of [`BatchResults`].
    pub const SCHEMA: &'static str = "autotune.batch/1";
}

/// The result of one job of a batch, or its error.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields, extend("oneOf" = [{ "required": ["result"] }, { "required": ["error"] }])))]
pub struct EntryReport<'a> {
    /// The spec as the job list names it.
    pub spec: &'a str,
    /// The GPU as the job list names it; the GPUs or the file of the scenarios, of a job about several.
    pub gpu: &'a str,
    /// The problem sizes that the job list sets, without those that differ between scenarios.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub set: Values,
    /// The number of scenarios; absent if the job is about one.
    #[cfg_attr(test, schemars(range(min = 2)))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scenarios: Option<usize>,
    /// The exit status of the question on its own: 0 proved, 1 failed, 2 unusable input, 3 not proved, 4 infeasible.
    #[cfg_attr(test, schemars(extend("enum" = autotune_base::user_error::ExitStatus::OF_QUESTIONS.map(|status| status as u8))))]
    pub status: u8,
    /// The result as `schemas/result.json` describes it, without `cost`, or as `schemas/fleet.json` does for several
    /// scenarios; absent after an error.
    #[cfg_attr(test, schemars(with = "Option<serde_json::Map<String, serde_json::Value>>"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Box<RawValue>>,
    /// The error that kept the job from having a result; absent if there is a result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Advice that corrects the error; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl BatchReport {
    /// The id of the schema of [`BatchReport`].
    pub const SCHEMA: &'static str = "autotune.batch_summary/1";

    /// The report of the batch in `folder`.
    #[must_use]
    pub fn new(folder: String, jobs: Vec<JobReport>) -> Self {
        let ended = jobs.iter().filter(|job| job.progress == JobProgress::Ended).count();
        Self { schema: Self::SCHEMA, folder, ended, jobs }
    }

    /// The different warnings of all jobs, in the order of the jobs.
    #[must_use]
    pub fn warnings(&self) -> Vec<&Warning> {
        let mut told = Vec::new();
        for warning in self.jobs.iter().flat_map(|job| &job.warnings) {
            if !told.contains(&warning) {
                told.push(warning);
            }
        }
        told
    }
}

impl JobReport {
    /// The number of configurations within `percent` of the optimum, with its digits grouped; empty if it is not
    /// known.
    #[must_use]
    pub fn near_ties(&self, percent: u32) -> String {
        NearReport::near_ties(self.near.as_ref(), percent)
    }

    /// The job's outcome in words: its optimum, its open interval, or its progress.
    #[must_use]
    pub fn in_words(&self) -> String {
        if let Some(fleet) = self.fleet.as_ref().filter(|_| self.verdict != Some(Verdict::Infeasible)) {
            return fleet.in_words();
        }
        match (&self.optimum, &self.interval, self.verdict, self.progress) {
            (Some(optimum), ..) => label(&optimum.parameters),
            (_, Some(Interval { lower, upper }), ..) => {
                let upper = upper.map_or("?".to_owned(), grouped);
                format!("not proved: {} .. {upper} ticks", grouped(*lower))
            }
            (_, _, Some(Verdict::Infeasible), _) => "nothing is feasible".to_owned(),
            (.., JobProgress::Waiting) => "not begun".to_owned(),
            (.., JobProgress::Stopped) => "stopped".to_owned(),
            (.., JobProgress::Ended) => "failed, see below".to_owned(),
        }
    }
}

impl FleetSummary {
    /// The essence of an answer.
    #[must_use]
    pub fn new(report: &FleetReport) -> Self {
        let is_proved = report.verdict == Verdict::Proved;
        let chosen =
            report.optimum.iter().map(|one| &one.parameters).chain(report.variants.iter().map(|one| &one.parameters));
        Self {
            chosen: chosen.filter(|_| is_proved).cloned().collect(),
            worst: report.worst().filter(|_| is_proved).cloned(),
            interval: report.interval.clone(),
        }
    }

    /// The configurations, with bars between variants.
    #[must_use]
    pub fn configurations(&self) -> String {
        self.chosen.iter().map(label).collect::<Vec<_>>().join(" | ")
    }

    /// The answer in words: the configurations and their worst slowdown, or the open interval.
    fn in_words(&self) -> String {
        if let Some(worst) = &self.worst {
            return format!("{}, at most {} times", self.configurations(), at_most(worst.slowdown));
        }
        let lower = self.interval.as_ref().map_or(1.0, |interval| interval.lower);
        let upper = self.interval.as_ref().and_then(|interval| interval.upper);
        let upper = upper.map_or("?".to_owned(), at_most);
        format!("not proved: {} .. {upper} times", at_least(lower))
    }
}
