//! A job of a batch, and its end.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::check::Warning;
use crate::result::{Interval, NearReport, Optimum, Verdict};
use crate::text::words::printable;

/// One question of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// The spec as the job list names it, relative to the list.
    pub spec: String,
    /// The path of the spec.
    pub path: PathBuf,
    /// The GPU as the job list names it.
    pub gpu: String,
    /// The GPU's name, or the path of its profile.
    pub gpu_path: String,
    /// The problem sizes that differ from the spec's.
    pub set: Vec<(String, i64)>,
    /// The job's limits.
    pub limits: JobLimits,
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
    /// The problem sizes that differ from the spec's, as results have them.
    #[must_use]
    pub fn sizes(&self) -> Map<String, Value> {
        self.set.iter().map(|(name, value)| (name.clone(), (*value).into())).collect()
    }

    /// The job in words, for example `tuning-specs/matmul.yaml on fermi, size=1024`.
    #[must_use]
    pub fn label(&self) -> String {
        let sizes = self.set.iter().map(|(name, value)| format!("{name}={value}"));
        std::iter::once(printable(&format!("{} on {}", self.spec, self.gpu)))
            .chain(sizes)
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
    /// The result without measurements (`autotune.result/1`); `None` after an error.
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
        let result = self.result.as_ref().and_then(|result| serde_json::from_str(result.get()).ok());
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
    /// The kernel's name.
    pub kernel: String,
    /// The problem sizes.
    pub problem: Map<String, Value>,
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
}
