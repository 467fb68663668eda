//! The text of a job list: its entries with their places, and the values that they name.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::Deserialize;
use thiserror::Error;

use crate::session::batch::job::{JobLimits, JobScenario};
use crate::session::scenarios::ScenariosError;
use autotune_base::text::{Source, integers, nearest};
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_base::yaml::{self, Error, Mistake, Spanned};
use autotune_engine::spin::memory;
use autotune_lowering::gpu;

/// The greatest number of jobs of a list.
pub(super) const MOST_JOBS: usize = 1_000_000;

/// The memory of one search, if the list does not set it.
const MEMORY: &str = "4GiB";

/// A reason why a job list cannot be used.
#[derive(Debug, Error)]
pub enum JobListError {
    /// A list that cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// A mistake in the list.
    #[error("{rendered}")]
    InFile {
        /// The mistake with file, line, column and the line itself.
        rendered: String,
    },
    /// A list of scenarios that cannot be used.
    #[error(transparent)]
    Scenarios(#[from] ScenariosError),
    /// A list without jobs.
    #[error("it has no jobs")]
    Empty,
    /// A list of too many jobs.
    #[error("it has more than {MOST_JOBS} jobs")]
    TooMany,
}

impl JobListError {
    fn advice(&self) -> Option<&'static str> {
        match self {
            Self::InFile { .. } | Self::Scenarios(_) => None,
            Self::Read(_) => Some("a job list is a YAML file; `autotune batch --help` shows one"),
            Self::Empty => Some("`jobs: [{ specs: [kernel.yaml], gpus: [fermi] }]` is a list of one job"),
            Self::TooMany => Some("shorten the lists of specs, GPUs or problem sizes: each combination is a job"),
        }
    }
}

impl UserError for JobListError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        if let Self::Scenarios(why) = self { why.help() } else { self.advice().map(str::to_owned) }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawList {
    pub(super) jobs: Vec<Spanned<RawEntry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawEntry {
    pub(super) specs: Vec<Spanned<String>>,
    pub(super) gpus: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    pub(super) set: IndexMap<String, Spanned<Values>>,
    pub(super) scenarios: Option<Spanned<String>>,
    pub(super) together: Option<Spanned<bool>>,
    pub(super) variants: Option<Spanned<usize>>,
    pub(super) rank: Option<Spanned<bool>>,
    pub(super) warm: Option<bool>,
    #[serde(default)]
    pub(super) limits: RawLimits,
}

/// The values of a problem size.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a problem size is an integer, a list of integers, or a range such as 2^8..2^14:pow2")]
pub(super) enum Values {
    One(i64),
    Many(Vec<i64>),
    Range(String),
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLimits {
    time: Option<Spanned<String>>,
    memory: Option<Spanned<String>>,
}

/// A GPU of an entry.
#[derive(Clone)]
pub(super) struct NamedGpu {
    /// The name as the list has it; the profile's name if a group brought the GPU.
    pub(super) name: String,
    /// The GPU's name, or the path of its profile.
    pub(super) path: String,
    /// True if a group brought the GPU.
    pub(super) of_group: bool,
}

impl NamedGpu {
    /// The scenario of the GPU and these problem sizes.
    pub(super) fn with(&self, set: &[(String, i64)]) -> JobScenario {
        let Self { name, path, of_group } = self.clone();
        JobScenario { gpu: name, gpu_path: path, of_group, set: set.to_owned(), weight: 1 }
    }
}

/// The text, the name and the folder of a job list.
pub(super) struct List<'a> {
    pub(super) text: &'a str,
    pub(super) name: String,
    pub(super) folder: &'a Path,
}

impl List<'_> {
    pub(super) fn parse(&self) -> Result<RawList, JobListError> {
        let budget = yaml::budget! { max_depth: 8, max_nodes: 1_000_000, max_documents: 1 };
        yaml::read(self.text, yaml::within(budget)).map_err(|mistake| self.error(mistake.start, &wording(&mistake)))
    }

    /// An error at the word that begins at a byte.
    pub(super) fn error(&self, start: usize, what: &str) -> JobListError {
        JobListError::InFile {
            rendered: Source::new(&self.name, self.text).frame_of(what, yaml::word(self.text, start, ",]}"), ""),
        }
    }

    pub(super) fn error_at<T>(&self, value: &Spanned<T>, what: &str) -> JobListError {
        self.error(yaml::start_of(value), what)
    }

    /// The combinations of an entry's problem sizes, the last size varying fastest.
    pub(super) fn sizes(&self, entry: &RawEntry) -> Result<Vec<Vec<(String, i64)>>, JobListError> {
        let set = entry.set.iter().map(|(name, values)| Ok((name.as_str(), self.values(values)?)));
        products(&set.collect::<Result<Vec<_>, JobListError>>()?).ok_or(JobListError::TooMany)
    }

    /// The values of a problem size.
    pub(super) fn values(&self, values: &Spanned<Values>) -> Result<Vec<i64>, JobListError> {
        match &values.value {
            Values::One(value) => Ok(vec![*value]),
            Values::Many(values) => Ok(values.clone()),
            Values::Range(text) => integers(text).map_err(|why| self.error_at(values, &why)),
        }
    }

    /// The GPUs of an entry.
    pub(super) fn all_gpus(&self, entry: &Spanned<RawEntry>) -> Result<Vec<NamedGpu>, JobListError> {
        let Some(gpus) = &entry.value.gpus else {
            return Err(self.error(yaml::start_of(entry), "the key `gpus` is missing"));
        };
        Ok(gpus.iter().map(|gpu| self.gpus(gpu)).collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// The GPUs of an item: one, or those of a group.
    pub(super) fn gpus(&self, gpu: &Spanned<String>) -> Result<Vec<NamedGpu>, JobListError> {
        let item = &gpu.value;
        if !gpu::is_group(item) {
            return Ok(vec![NamedGpu { name: item.clone(), path: self.gpu_path(item), of_group: false }]);
        }
        let selected = gpu::select(item).map_err(|why| self.error_at(gpu, &why.to_string()))?;
        let named = |gpu: gpu::Selected| NamedGpu { name: gpu.argument.clone(), path: gpu.argument, of_group: true };
        Ok(selected.into_iter().map(named).collect())
    }

    /// A GPU's name, or the path of its profile relative to the list.
    pub(super) fn gpu_path(&self, gpu: &str) -> String {
        let is_file = gpu.contains('/') || Path::new(gpu).extension().is_some_and(|extension| extension == "yaml");
        let path = || if self.folder.as_os_str().is_empty() { PathBuf::from(".") } else { self.folder.to_owned() };
        if is_file { path().join(gpu).to_string_lossy().into_owned() } else { gpu.to_owned() }
    }

    pub(super) fn limits(&self, raw: &RawLimits) -> Result<JobLimits, JobListError> {
        let time = raw.time.as_ref().map(|time| {
            let duration = humantime::parse_duration(&time.value);
            duration.map_err(|_| self.error_at(time, &format!("`{}` is not a time such as 90s or 10m", time.value)))
        });
        let text = raw.memory.as_ref().map_or(MEMORY, |memory| &memory.value);
        let size = memory(text).map_err(|why| match &raw.memory {
            Some(place) => self.error_at(place, &format!("`{text}` is not an amount of memory for a search: {why}")),
            None => JobListError::Empty,
        })?;
        Ok(JobLimits {
            time_seconds: time.transpose()?.map(|time| time.as_secs_f64()),
            memory_mib: size.as_u64() >> 20,
        })
    }
}

/// All assignments of problem sizes, the last size varying fastest; `None` if there are more than [`MOST_JOBS`].
fn products(set: &[(&str, Vec<i64>)]) -> Option<Vec<Vec<(String, i64)>>> {
    let mut all = vec![Vec::new()];
    for (name, values) in set {
        if all.len().checked_mul(values.len())? > MOST_JOBS {
            return None;
        }
        let with = |set: &Vec<(String, i64)>, value: i64| {
            let mut set = set.clone();
            set.push(((*name).to_owned(), value));
            set
        };
        all = all.iter().flat_map(|set| values.iter().map(|value| with(set, *value)).collect::<Vec<_>>()).collect();
    }
    Some(all)
}

/// The mistake in words, without the place.
fn wording(mistake: &Mistake) -> String {
    match mistake.error() {
        Error::SerdeUnknownField { field, expected, .. } => match nearest(field, expected.iter().copied()) {
            Some(known) => format!("unknown key `{field}`; did you mean `{known}`?"),
            None => format!("unknown key `{field}`; known are `{}`", expected.join("`, `")),
        },
        Error::SerdeMissingField { field, .. } => format!("the key `{field}` is missing"),
        _ => mistake.words(),
    }
}
