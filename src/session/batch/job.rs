//! One question of a batch, and how it ended.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::report::{Interval, NearReport, Optimum, Verdict, printable};
use crate::warnings::Warning;

/// One question of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// The spec as the job list names it, relative to the list.
    pub spec: String,
    /// Where the spec is.
    pub path: PathBuf,
    /// The GPU as the job list names it.
    pub gpu: String,
    /// The same, a profile's file with its place.
    pub gpu_path: String,
    /// Problem sizes that are not the spec's.
    pub set: Vec<(String, i64)>,
    /// What it may take.
    pub limits: JobLimits,
}

/// What a job may take.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct JobLimits {
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub time_seconds: Option<f64>,
    /// Memory of one search, in MiB.
    pub memory_mib: u64,
}

impl Job {
    /// The problem sizes that are not the spec's, as results have them.
    #[must_use]
    pub fn sizes(&self) -> Map<String, Value> {
        self.set.iter().map(|(name, value)| (name.clone(), (*value).into())).collect()
    }

    /// For the reader: `tuning-specs/matmul.yaml on fermi, size=1024`.
    #[must_use]
    pub fn label(&self) -> String {
        let sizes = self.set.iter().map(|(name, value)| format!("{name}={value}"));
        std::iter::once(printable(&format!("{} on {}", self.spec, self.gpu)))
            .chain(sizes)
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// How a job ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Ended {
    /// The exit status that the same question alone has.
    pub status: u8,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// Its result without what was measured (`autotune.result/1`), if it has one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub result: Option<Box<RawValue>>,
    /// All that was measured.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cost: Option<Box<RawValue>>,
    /// Why it has no result.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<String>,
    /// How to mend it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub help: Option<String>,
}

impl Ended {
    /// Whether trying again may end otherwise: what failed was neither the input nor a limit.
    #[must_use]
    pub fn is_to_be_repeated(&self) -> bool {
        self.status == 1
    }

    /// What a line about it needs.
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

/// What a line about an ended job needs.
#[derive(Debug, Clone)]
pub struct Summary {
    /// The exit status that the same question alone has.
    pub status: u8,
    /// How long it took, in seconds.
    pub seconds: f64,
    /// The most important of its result.
    pub result: Option<Essence>,
    /// Why it has none.
    pub error: Option<String>,
    /// How to mend it.
    pub help: Option<String>,
}

/// The most important of a result.
#[derive(Debug, Clone, Deserialize)]
pub struct Essence {
    /// The kernel's name.
    pub kernel: String,
    /// The problem sizes.
    pub problem: Map<String, Value>,
    /// What is known.
    pub verdict: Verdict,
    /// The fastest configuration, if it is proved.
    pub optimum: Option<Optimum>,
    /// What stands beside it.
    pub near: Option<NearReport>,
    /// What is doubtful in the description.
    #[serde(default)]
    pub warnings: Vec<Warning>,
    /// What is still open, if it is not.
    pub interval: Option<Interval>,
    /// Why it is.
    pub stopped: Option<String>,
}
