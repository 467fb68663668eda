//! The inputs that the results of a batch depend on: a journal with other inputs is not continued.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::job::{Job, JobLimits, JobScenario};
use crate::session::inputs::{Inputs, texts};
use crate::session::stated::spec_of_file;
use autotune_base::files;
use autotune_base::files::checksum::{self, sha256};
use autotune_base::files::version::{KEPT_VERSION, made_by_another};
use autotune_base::text::words::printable;
use autotune_lowering::gpu::Profile;
use autotune_lowering::spec::Spec;

/// The greatest size of a spec, in bytes.
const MOST: u64 = 1 << 21;

/// The checker of a batch that can prove nothing, since SPIN or a C compiler is not installed.
pub const NO_CHECKER: &str = "none";

/// All inputs of a batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BatchInputs {
    /// The version of journals.
    pub version: String,
    /// The model checker and its version, or [`NO_CHECKER`].
    pub checker: String,
    /// The inputs of each job.
    pub jobs: Vec<JobInputs>,
}

/// The inputs of one job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobInputs {
    /// The spec as the job list names it.
    pub spec: String,
    /// The SHA-256 of its text; `None` if it cannot be read.
    pub spec_sha256: Option<String>,
    /// The GPU as the job list names it; of several scenarios, the GPUs or the file of the scenarios.
    pub gpu: String,
    /// The SHA-256 of its profile; `None` if the profile cannot be read, or the job is about several scenarios.
    pub gpu_sha256: Option<String>,
    /// The problem sizes that differ from the spec's; of several scenarios, those that all have alike.
    pub set: Vec<(String, i64)>,
    /// The job's limits.
    pub limits: JobLimits,
    /// The scenarios; empty if the job is about one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scenarios: Vec<JobScenarioInputs>,
    /// The most configurations of the answer about several scenarios; `None` if the question wants one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variants: Option<usize>,
    /// True if the result has the time of every configuration.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rank: bool,
    /// True for a warm launch and false for a cold one, in place of what the spec says; `None` if the spec decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm: Option<bool>,
}

/// The inputs of one of a job's several scenarios.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobScenarioInputs {
    /// The GPU as the job list names it.
    pub gpu: String,
    /// The SHA-256 of its profile; `None` if the profile cannot be read.
    pub gpu_sha256: Option<String>,
    /// The problem sizes that differ from the spec's.
    pub set: Vec<(String, i64)>,
    /// The weight in the mean, from 1.
    pub weight: u32,
}

/// The first difference between the inputs of a journal and those of a batch.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Difference {
    /// Another version of this program.
    #[error("{}", made_by_another("it", then))]
    Version {
        /// The journal's version.
        then: String,
    },
    /// Another model checker.
    #[error("it was started with {then}, but now the checker is {now}")]
    Checker {
        /// The journal's checker.
        then: String,
        /// The checker now.
        now: String,
    },
    /// A different number of jobs.
    #[error("it has {then} jobs, but the job list has {now}")]
    Jobs {
        /// The journal's number of jobs.
        then: usize,
        /// The job list's number of jobs.
        now: usize,
    },
    /// A different job at an index of the list.
    #[error("job {number} differs in its {part}: {then} then, {now} now")]
    Job {
        /// The job's number in the list, from 1.
        number: usize,
        /// The part that differs.
        part: &'static str,
        /// The journal's value.
        then: String,
        /// The job list's value.
        now: String,
    },
    /// A text that has changed.
    #[error("job {number}: the {part} has changed since the batch was started")]
    Text {
        /// The job's number in the list, from 1.
        number: usize,
        /// The text.
        part: String,
    },
}

impl BatchInputs {
    /// The inputs of these jobs as they are now.
    #[must_use]
    pub fn of<'a>(jobs: &'a [Job], checker: &str) -> Self {
        let mut specs: HashMap<&PathBuf, Option<String>> = HashMap::new();
        let mut gpus: HashMap<&str, Option<String>> = HashMap::new();
        let mut inputs = Vec::with_capacity(jobs.len());
        for job in jobs {
            let spec = specs.entry(&job.path).or_insert_with(|| sha256_of_file(&job.path));
            let of_gpu = |scenario: &'a JobScenario| {
                let path = scenario.gpu_path.as_str();
                let read = || Profile::resolve(path).ok().map(|profile| checksum::sha256_of(&profile));
                let gpu_sha256 = gpus.entry(path).or_insert_with(read).clone();
                let (gpu, set) = (scenario.gpu.clone(), scenario.set.clone());
                JobScenarioInputs { gpu, gpu_sha256, set, weight: scenario.weight }
            };
            let mut scenarios: Vec<JobScenarioInputs> = job.scenarios.iter().map(of_gpu).collect();
            let only = if job.is_fleet() { None } else { scenarios.pop() };
            inputs.push(JobInputs {
                spec: job.spec.clone(),
                spec_sha256: spec.clone(),
                gpu: job.gpu.clone(),
                gpu_sha256: only.and_then(|only| only.gpu_sha256),
                set: job.set.clone(),
                limits: job.limits,
                scenarios,
                variants: (job.variants > 1).then_some(job.variants),
                rank: job.rank,
                warm: job.warm,
            });
        }
        Self { version: KEPT_VERSION.to_owned(), checker: checker.to_owned(), jobs: inputs }
    }

    /// True if a model checker is there.
    #[must_use]
    pub fn has_checker(&self) -> bool {
        self.checker != NO_CHECKER
    }

    /// The inputs of one job alone; without jobs if the list does not have it.
    #[must_use]
    pub fn of_job(&self, job: usize) -> Self {
        let jobs = self.jobs.get(job).cloned().into_iter().collect();
        Self { version: self.version.clone(), checker: self.checker.clone(), jobs }
    }

    /// The first difference from the inputs as they are now; `None` if they are equal.
    #[must_use]
    pub fn difference(&self, now: &Self) -> Option<Difference> {
        if let Some(difference) = self.difference_of_programs(now) {
            return Some(difference);
        }
        if self.jobs.len() != now.jobs.len() {
            return Some(Difference::Jobs { then: self.jobs.len(), now: now.jobs.len() });
        }
        let mut jobs = self.jobs.iter().zip(&now.jobs).enumerate();
        jobs.find_map(|(place, (then, now))| then.difference(now, place + 1))
    }

    /// The first difference between versions of this program and of the checker; `None` if they are equal, or if nothing
    /// was proved for want of a checker.
    #[must_use]
    pub fn difference_of_programs(&self, now: &Self) -> Option<Difference> {
        if self.version != now.version {
            return Some(Difference::Version { then: printable(&self.version) });
        }
        if self.has_checker() && self.checker != now.checker {
            return Some(Difference::Checker { then: self.checker.clone(), now: now.checker.clone() });
        }
        None
    }
}

impl JobInputs {
    /// The first difference from the inputs of this job as they are now; `number` counts from 1.
    #[must_use]
    pub fn difference(&self, now: &Self, number: usize) -> Option<Difference> {
        let sizes = |set: &[(String, i64)]| {
            let sizes: Vec<_> = set.iter().map(|(name, value)| format!("{name}={value}")).collect();
            if sizes.is_empty() { "those of the spec".to_owned() } else { sizes.join(" ") }
        };
        let limits = |limits: &JobLimits| {
            let time = limits.time_seconds.map_or("no time limit".to_owned(), |seconds| format!("{seconds} s"));
            format!("{time} and {} MiB", limits.memory_mib)
        };
        let parts = [
            ("spec", self.spec.clone(), now.spec.clone()),
            ("GPU", self.gpu.clone(), now.gpu.clone()),
            ("problem sizes", sizes(&self.set), sizes(&now.set)),
            ("limits", limits(&self.limits), limits(&now.limits)),
            ("variants", most(self.variants), most(now.variants)),
            ("ranking", ranked(self.rank), ranked(now.rank)),
            ("launch", launched(self.warm), launched(now.warm)),
            ("number of scenarios", self.scenarios.len().to_string(), now.scenarios.len().to_string()),
        ];
        if let Some((part, then, now)) = parts.into_iter().find(|(_, then, now)| then != now) {
            return Some(Difference::Job { number, part, then, now });
        }
        let scenario = |one: &JobScenarioInputs| format!("{} with {}, weight {}", one.gpu, sizes(&one.set), one.weight);
        let mut scenarios =
            self.scenarios.iter().zip(&now.scenarios).map(|(then, now)| (scenario(then), scenario(now)));
        if let Some((then, now)) = scenarios.find(|(then, now)| then != now) {
            return Some(Difference::Job { number, part: "scenarios", then, now });
        }
        if self.spec_sha256 != now.spec_sha256 {
            return Some(Difference::Text { number, part: format!("spec `{}`", self.spec) });
        }
        let changed = self.profiles().zip(now.profiles()).find(|((_, then), (_, now))| then != now);
        changed.map(|((gpu, _), _)| Difference::Text { number, part: format!("profile `{gpu}`") })
    }

    /// The GPU of each scenario with the SHA-256 of its profile.
    fn profiles(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let only = self.scenarios.is_empty().then_some((self.gpu.as_str(), self.gpu_sha256.as_deref()));
        only.into_iter().chain(self.scenarios.iter().map(|one| (one.gpu.as_str(), one.gpu_sha256.as_deref())))
    }

    /// The text that has changed since the inputs were read, in words; `None` if the texts are equal. `read` has the inputs
    /// of each scenario.
    #[must_use]
    pub fn changed(&self, read: &[Inputs]) -> Option<String> {
        if read.iter().any(|inputs| self.spec_sha256 != Some(sha256_of(&inputs.spec))) {
            return Some(format!("the spec `{}` has changed since the batch was started", self.spec));
        }
        let mut profiles = self.profiles().zip(read);
        let changed = profiles.find(|((_, then), inputs)| *then != Some(checksum::sha256_of(&inputs.profile).as_str()));
        changed.map(|((gpu, _), _)| format!("the profile `{gpu}` has changed since the batch was started"))
    }
}

/// The configurations whose times an answer has, in words.
fn ranked(rank: bool) -> String {
    if rank { "all configurations" } else { "those that are searched" }.to_owned()
}

/// The launch of a job, in words.
fn launched(warm: Option<bool>) -> String {
    warm.map_or("that of the spec", |is_warm| if is_warm { "warm" } else { "cold" }).to_owned()
}

/// The most configurations of an answer, in words.
fn most(variants: Option<usize>) -> String {
    variants.map_or("one configuration".to_owned(), |most| format!("at most {most} configurations"))
}

/// The checksum of a spec's text, of at most [`MOST`] bytes, and of its source; of a source in its place, that of the spec which
/// its text states. `None` if the text cannot be read, or states none.
fn sha256_of_file(path: &Path) -> Option<String> {
    if let Some(stated) = spec_of_file(path).ok()? {
        return Spec::read(&stated, None).ok().map(|spec| sha256_of(&spec));
    }
    let text = files::named(path, MOST).beginning().ok()?;
    let spec = str::from_utf8(&text).ok().and_then(|text| Spec::parse(text, &path.display().to_string()).ok());
    Some(spec.map_or_else(|| sha256([&*text]), |spec| sha256_of(&spec)))
}

/// The checksum of a spec's text and of the files of its source.
fn sha256_of(spec: &Spec) -> String {
    sha256(texts(spec).iter().map(Vec::as_slice))
}
