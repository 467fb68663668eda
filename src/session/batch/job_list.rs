//! The job list: the products of specs, GPUs and problem sizes.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::Deserialize;
use thiserror::Error;

use super::job::{Job, JobLimits};
use crate::files;
use crate::gpu;
use crate::spin::memory;
use crate::text::{Source, integers, nearest};
use crate::user_error::{ExitStatus, UserError};
use crate::yaml::{self, Error, Mistake, Spanned};

/// The greatest number of jobs of a list.
const MOST_JOBS: usize = 1_000_000;

/// The greatest size of a list, in bytes.
const LARGEST_FILE: u64 = 64 * files::MIB;

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
            Self::InFile { .. } => None,
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
        self.advice().map(str::to_owned)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawList {
    jobs: Vec<RawEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEntry {
    specs: Vec<Spanned<String>>,
    gpus: Vec<Spanned<String>>,
    #[serde(default)]
    set: IndexMap<String, Spanned<Values>>,
    #[serde(default)]
    limits: RawLimits,
}

/// The values of a problem size.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a problem size is an integer, a list of integers, or a range such as 2^8..2^14:pow2")]
enum Values {
    One(i64),
    Many(Vec<i64>),
    Range(String),
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct RawLimits {
    time: Option<Spanned<String>>,
    memory: Option<Spanned<String>>,
}

/// Reads a job list. The jobs are in the order of its text; problem sizes vary fastest.
///
/// # Errors
/// If the file is not a job list; the error shows the place.
pub fn read(path: &Path) -> Result<Vec<Job>, JobListError> {
    let text = files::named(path, LARGEST_FILE).text()?;
    let list = List { text: &text, name: path.display().to_string(), folder: path.parent().unwrap_or(Path::new("")) };
    let raw: RawList = list.parse()?;
    let mut jobs = Vec::new();
    for entry in &raw.jobs {
        list.add(entry, &mut jobs)?;
    }
    if jobs.is_empty() { Err(JobListError::Empty) } else { Ok(jobs) }
}

/// The text, the name and the folder of a job list.
struct List<'a> {
    text: &'a str,
    name: String,
    folder: &'a Path,
}

impl List<'_> {
    fn parse(&self) -> Result<RawList, JobListError> {
        let budget = yaml::budget! { max_depth: 8, max_nodes: 1_000_000, max_documents: 1 };
        yaml::read(self.text, yaml::within(budget)).map_err(|mistake| self.error(mistake.start, &wording(&mistake)))
    }

    /// An error at the word that begins at a byte.
    fn error(&self, start: usize, what: &str) -> JobListError {
        JobListError::InFile {
            rendered: Source::new(&self.name, self.text).frame_of(what, yaml::word(self.text, start, ",]}"), ""),
        }
    }

    fn error_at<T>(&self, value: &Spanned<T>, what: &str) -> JobListError {
        self.error(yaml::start_of(value), what)
    }

    fn add(&self, entry: &RawEntry, jobs: &mut Vec<Job>) -> Result<(), JobListError> {
        let limits = self.limits(&entry.limits)?;
        let set = entry.set.iter().map(|(name, values)| Ok((name.as_str(), self.values(values)?)));
        let sizes = products(&set.collect::<Result<Vec<_>, JobListError>>()?).ok_or(JobListError::TooMany)?;
        let gpus = entry.gpus.iter().map(|gpu| self.gpus(gpu)).collect::<Result<Vec<_>, _>>()?.concat();
        for pattern in &entry.specs {
            for spec in self.matches(pattern)? {
                for (gpu, gpu_path) in &gpus {
                    if jobs.len() + sizes.len() > MOST_JOBS {
                        return Err(JobListError::TooMany);
                    }
                    let path = self.folder.join(&spec);
                    jobs.extend(sizes.iter().map(|set| Job {
                        spec: spec.clone(),
                        path: path.clone(),
                        gpu: gpu.clone(),
                        gpu_path: gpu_path.clone(),
                        set: set.clone(),
                        limits,
                    }));
                }
            }
        }
        Ok(())
    }

    /// The specs that a text names, sorted if the text is a pattern.
    fn matches(&self, pattern: &Spanned<String>) -> Result<Vec<String>, JobListError> {
        let is_pattern = pattern.value.contains(['*', '?', '[']);
        if !is_pattern || self.folder.join(&pattern.value).is_file() {
            return Ok(vec![pattern.value.clone()]);
        }
        self.check_names(pattern)?;
        let folder = glob::Pattern::escape(&self.folder.to_string_lossy());
        let whole = Path::new(&folder).join(&pattern.value);
        let paths = glob::glob(&whole.to_string_lossy())
            .map_err(|error| self.error_at(pattern, &format!("`{}` is not a pattern: {error}", pattern.value)))?;
        let mut specs = Vec::new();
        for path in paths {
            let path = path.map_err(|error| self.error_at(pattern, &format!("cannot be searched: {error}")))?;
            let relative = path.strip_prefix(self.folder).unwrap_or(&path);
            specs.push(relative.to_string_lossy().into_owned());
        }
        if specs.is_empty() {
            return Err(self.error_at(pattern, &format!("no file matches `{}`", pattern.value)));
        }
        Ok(specs)
    }

    /// Refuses a pattern if a file there has a name that no pattern can match, so that it is not missed silently.
    fn check_names(&self, pattern: &Spanned<String>) -> Result<(), JobListError> {
        let around = Path::new(&pattern.value).parent().unwrap_or(Path::new(""));
        let entries = fs_err::read_dir(Path::new(".").join(self.folder).join(around)).into_iter().flatten().flatten();
        let strange = entries.map(|entry| entry.file_name()).find(|name| name.to_str().is_none());
        strange.map_or(Ok(()), |name| {
            let name = name.to_string_lossy();
            Err(self.error_at(
                pattern,
                &format!("a file there has a name that is not UTF-8, so no pattern matches it: `{name}`"),
            ))
        })
    }

    /// The values of a problem size.
    fn values(&self, values: &Spanned<Values>) -> Result<Vec<i64>, JobListError> {
        match &values.value {
            Values::One(value) => Ok(vec![*value]),
            Values::Many(values) => Ok(values.clone()),
            Values::Range(text) => integers(text).map_err(|why| self.error_at(values, &why)),
        }
    }

    /// The GPUs of an item, each with its name or the path of its profile: one, or those of a group.
    fn gpus(&self, gpu: &Spanned<String>) -> Result<Vec<(String, String)>, JobListError> {
        let item = &gpu.value;
        if !gpu::is_group(item) {
            return Ok(vec![(item.clone(), self.gpu_path(item))]);
        }
        let selected = gpu::select(item).map_err(|why| self.error_at(gpu, &why.to_string()))?;
        Ok(selected.into_iter().map(|gpu| (gpu.argument.clone(), gpu.argument)).collect())
    }

    /// A GPU's name, or the path of its profile relative to the list.
    fn gpu_path(&self, gpu: &str) -> String {
        let is_file = gpu.contains('/') || Path::new(gpu).extension().is_some_and(|extension| extension == "yaml");
        let path = || if self.folder.as_os_str().is_empty() { PathBuf::from(".") } else { self.folder.to_owned() };
        if is_file { path().join(gpu).to_string_lossy().into_owned() } else { gpu.to_owned() }
    }

    fn limits(&self, raw: &RawLimits) -> Result<JobLimits, JobListError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs(entry: &str) -> Result<Vec<Job>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jobs.yaml");
        fs_err::write(folder.path().join("kernel.yaml"), "kernel: k\n").unwrap();
        fs_err::write(&path, format!("jobs: [{{ specs: [kernel.yaml], {entry} }}]\n")).unwrap();
        read(&path).map_err(|why| why.to_string())
    }

    #[test]
    fn groups_of_gpus_and_ranges_of_sizes_are_multiplied() {
        let all = jobs("gpus: ['target:sm_80', fermi], set: { n: 2^4..2^6:pow2, m: [3, 5] }").unwrap();
        let told: Vec<(&str, i64, i64)> =
            all.iter().map(|job| (job.gpu.as_str(), job.set[0].1, job.set[1].1)).collect();
        let gpus = gpu::select("target:sm_80").unwrap();
        assert_eq!(all.len(), 6 * (gpus.len() + 1));
        assert_eq!(
            told[..3],
            [(gpus[0].argument.as_str(), 16, 3), (&gpus[0].argument, 16, 5), (&gpus[0].argument, 32, 3)]
        );
        assert_eq!(*told.last().unwrap(), ("fermi", 64, 5));
        assert!(jobs("gpus: [all]").unwrap().iter().all(|job| !job.gpu.starts_with("abstract")));
    }

    #[test]
    fn a_group_or_range_that_is_none_is_shown_at_its_place() {
        for (entry, words) in
            [("gpus: ['vendor:nobody']", "vendor:nobody"), ("gpus: [fermi], set: { n: 4..x }", "4..x")]
        {
            let why = jobs(entry).unwrap_err();
            assert!(why.contains("jobs.yaml:1:") && why.contains(words), "{why}");
        }
    }
}
