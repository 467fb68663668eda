//! A job of a batch, and its end.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::result::{FleetReport, FleetSummary, Interval, NearReport, Optimum, Verdict};
use autotune_base::text::words::printable;
use autotune_engine::check::Warning;

/// One question of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// The spec as the job list names it, relative to the list.
    pub spec: String,
    /// The path of the spec.
    pub path: PathBuf,
    /// The GPU as the job list names it; the GPUs with commas between them, or the file of the scenarios, of a job about
    /// several scenarios.
    pub gpu: String,
    /// The problem sizes that differ from the spec's; without those that differ between the job's scenarios.
    pub set: Vec<(String, i64)>,
    /// The scenarios of the question, one or more.
    pub scenarios: Arc<[JobScenario]>,
    /// The most configurations that the answer about several scenarios may have, from 1.
    pub variants: usize,
    /// True if the result has the time of every configuration.
    pub rank: bool,
    /// True for a warm launch and false for a cold one, in place of what the spec says; `None` if the spec decides.
    pub warm: Option<bool>,
    /// The job's limits.
    pub limits: JobLimits,
}

/// A scenario of a job: a GPU and the problem sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct JobScenario {
    /// The GPU as the job list names it.
    pub gpu: String,
    /// The GPU's name, or the path of its profile.
    pub gpu_path: String,
    /// True if a group brought the GPU.
    pub of_group: bool,
    /// The problem sizes that differ from the spec's.
    pub set: Vec<(String, i64)>,
    /// The weight in the mean, from 1.
    pub weight: u32,
}

/// The limits of a job.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct JobLimits {
    /// The time limit, in seconds; `None` without a limit.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub time_seconds: Option<f64>,
    /// The memory of one search, in MiB.
    pub memory_mib: u64,
}

impl Job {
    /// True if the job asks for one answer about several scenarios.
    #[must_use]
    pub fn is_fleet(&self) -> bool {
        self.scenarios.len() > 1
    }

    /// The number of scenarios; `None` if the job is about one.
    #[must_use]
    pub fn several(&self) -> Option<usize> {
        self.is_fleet().then_some(self.scenarios.len())
    }

    /// The problem sizes that differ from the spec's, as results have them.
    #[must_use]
    pub fn sizes(&self) -> Map<String, Value> {
        self.set.iter().map(|(name, value)| (name.clone(), (*value).into())).collect()
    }

    /// The job in words, for example `tuning-specs/matmul.yaml on fermi, size=1024`.
    #[must_use]
    pub fn label(&self) -> String {
        let sizes = self.set.iter().map(|(name, value)| format!("{name}={value}"));
        let scenarios = self.several().map(|number| format!("{number} scenarios"));
        let launch = self.warm.map(|is_warm| if is_warm { "warm" } else { "cold" }.to_owned());
        std::iter::once(printable(&format!("{} on {}", self.spec, self.gpu)))
            .chain(sizes)
            .chain(launch)
            .chain(scenarios)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// The end of a job.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ended {
    /// The exit status of the question on its own.
    pub status: u8,
    /// The time that it took, in seconds.
    pub seconds: f64,
    /// The result without measurements (`autotune.result/2`, or `autotune.fleet/1` of several scenarios); `None` after an
    /// error.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub result: Option<Box<RawValue>>,
    /// The measurements; `None` after an error.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cost: Option<Box<RawValue>>,
    /// The error; `None` if the job has a result.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
    /// Advice to the user; `None` if there is none to give.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub help: Option<String>,
}

impl Ended {
    /// Returns true if another try may end differently: the failure was neither the input's nor a limit.
    #[must_use]
    pub fn is_to_be_repeated(&self) -> bool {
        self.status == 1
    }

    /// The part of it that a line of output shows.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let result = self.result.as_ref().and_then(|result| Essence::read(result).ok());
        Summary {
            status: self.status,
            seconds: self.seconds,
            result,
            error: self.error.clone(),
            help: self.help.clone(),
        }
    }
}

/// The part of an ended job that a line of output shows.
#[derive(Debug, Clone)]
pub struct Summary {
    /// The exit status of the question on its own.
    pub status: u8,
    /// The time that it took, in seconds.
    pub seconds: f64,
    /// The essence of its result; `None` after an error.
    pub result: Option<Essence>,
    /// The error; `None` if the job has a result.
    pub error: Option<String>,
    /// Advice to the user; `None` if there is none to give.
    pub help: Option<String>,
}

/// The essence of a result.
#[derive(Debug, Clone, Deserialize)]
pub struct Essence {
    /// The verdict.
    pub verdict: Verdict,
    /// The fastest configuration; `None` if it is not proved.
    pub optimum: Option<Optimum>,
    /// The neighbourhood of the optimum.
    pub near: Option<NearReport>,
    /// The warnings about the description.
    #[serde(default)]
    pub warnings: Vec<Warning>,
    /// The interval that is still open; `None` if the optimum is proved.
    pub interval: Option<Interval>,
    /// The limit that stopped the search; `None` if none did.
    pub stopped: Option<String>,
    /// The answer about several scenarios, whose optimum and interval are not times; `None` of a question about one.
    #[serde(skip)]
    pub fleet: Option<FleetSummary>,
}

/// The schema of a result.
#[derive(Deserialize)]
struct Head {
    schema: String,
}

impl Essence {
    /// Reads the essence of a result, about one scenario or several.
    fn read(result: &RawValue) -> serde_json::Result<Self> {
        let Head { schema } = serde_json::from_str(result.get())?;
        if schema == FleetReport::SCHEMA {
            return Ok(Self::of_fleet(&serde_json::from_str(result.get())?));
        }
        serde_json::from_str(result.get())
    }

    fn of_fleet(report: &FleetReport) -> Self {
        Self {
            verdict: report.verdict,
            optimum: None,
            near: None,
            warnings: report.warnings.clone(),
            interval: None,
            stopped: report.stopped.clone(),
            fleet: Some(FleetSummary::new(report)),
        }
    }
}
