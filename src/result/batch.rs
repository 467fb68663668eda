//! What a batch came to: a line for each job.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Map, Value};

use super::narrow::{Holds, fitted};
use super::near::{NearReport, near_ties};
use super::result::{Interval, Optimum, Verdict};
use super::terminal::{grouped, label, printable};
use crate::warnings::Warning;

/// The shape that this program writes.
const SCHEMA: &str = "autotune.batch_summary/1";

/// What a line tells of a job.
const COLUMNS: [(&str, Holds); 10] = [
    ("job", Holds::Numbers),
    ("spec", Holds::Paths),
    ("gpu", Holds::Paths),
    ("problem", Holds::Texts),
    ("optimum", Holds::Texts),
    ("ticks", Holds::Numbers),
    ("microseconds", Holds::SpareNumbers),
    ("1 %", Holds::SpareNumbers),
    ("2 %", Holds::SpareNumbers),
    ("seconds", Holds::SpareNumbers),
];

/// What a batch came to.
#[derive(Debug, Serialize)]
pub struct BatchReport {
    /// Which shape this is.
    pub schema: &'static str,
    /// Where its journal and results are.
    pub folder: String,
    /// How many jobs have ended.
    pub ended: usize,
    /// Its jobs, in the order of the job list.
    pub jobs: Vec<JobReport>,
}

/// How far a job came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// It has not begun.
    Waiting,
    /// It was begun and stopped.
    Stopped,
    /// It has ended.
    Ended,
}

/// One job of a batch.
#[derive(Debug, Serialize)]
pub struct JobReport {
    /// The spec as the job list names it.
    pub spec: String,
    /// The GPU as the job list names it.
    pub gpu: String,
    /// Problem sizes that are not the spec's.
    pub set: Map<String, Value>,
    /// How far it came.
    pub progress: Progress,
    /// The exit status that the same question alone has, when it has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u8>,
    /// What is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// The fastest configuration, if it is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimum: Option<Optimum>,
    /// What stands beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<NearReport>,
    /// What is doubtful in its description.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// What is still open, if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// Why it has no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// How to mend it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// How long it took, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl BatchReport {
    /// Of a batch in a folder.
    #[must_use]
    pub fn new(folder: String, jobs: Vec<JobReport>) -> Self {
        let ended = jobs.iter().filter(|job| job.progress == Progress::Ended).count();
        Self { schema: SCHEMA, folder, ended, jobs }
    }

    /// As text, its table not wider than `columns`.
    #[must_use]
    pub fn for_people(&self, columns: Option<usize>) -> String {
        let rows = self.jobs.iter().enumerate().map(|(place, job)| job.cells(place)).collect();
        let mut text = format!("{}\n\n", fitted(&COLUMNS, rows, columns));
        for (place, job) in self.jobs.iter().enumerate() {
            if let Some(error) = &job.error {
                let _ = writeln!(text, "job {}: {error}", place + 1);
                let _ = job.help.iter().try_for_each(|help| writeln!(text, "help: {help}"));
                text.push('\n');
            }
        }
        let counted = |progress| self.jobs.iter().filter(|job| job.progress == progress).count();
        let proved = self.jobs.iter().filter(|job| job.optimum.is_some()).count();
        let _ = write!(text, "{} of {} jobs have ended, {proved} proved", self.ended, self.jobs.len());
        let open = counted(Progress::Stopped) + counted(Progress::Waiting);
        let _ = if open > 0 {
            writeln!(text, "; `--resume` goes on with the other {open}")
        } else {
            writeln!(text, ": {}/results.json", self.folder)
        };
        text
    }
}

impl BatchReport {
    /// What is doubtful in the jobs' descriptions, each once, in the order of the jobs.
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
    fn cells(&self, place: usize) -> Vec<String> {
        let optimum = self.optimum.as_ref();
        let microseconds = optimum.and_then(|optimum| optimum.microseconds);
        vec![
            (place + 1).to_string(),
            printable(&self.spec),
            printable(&self.gpu),
            label(&self.set),
            self.in_words(),
            optimum.map_or(String::new(), |optimum| grouped(optimum.ticks)),
            microseconds.map_or(String::new(), |time| format!("{time:.1}")),
            self.near_ties(1),
            self.near_ties(2),
            self.seconds.map_or(String::new(), |seconds| format!("{seconds:.2}")),
        ]
    }

    /// How many configurations are within so many percent of the optimum; empty if that is not known.
    #[must_use]
    pub fn near_ties(&self, percent: u32) -> String {
        near_ties(self.near.as_ref(), percent)
    }

    /// What is known of its optimum.
    #[must_use]
    pub fn in_words(&self) -> String {
        match (&self.optimum, &self.interval, self.verdict, self.progress) {
            (Some(optimum), ..) => label(&optimum.parameters),
            (_, Some(Interval { lower, upper }), ..) => {
                let upper = upper.map_or("?".to_owned(), grouped);
                format!("not proved: {} .. {upper} ticks", grouped(*lower))
            }
            (_, _, Some(Verdict::Infeasible), _) => "nothing is feasible".to_owned(),
            (.., Progress::Waiting) => "not begun".to_owned(),
            (.., Progress::Stopped) => "stopped".to_owned(),
            (.., Progress::Ended) => "failed, see below".to_owned(),
        }
    }
}
