//! The job list: the products of specs, GPUs and problem sizes.

mod entries;
mod together;

use std::path::Path;

use super::job::Job;
use autotune_base::files;
use autotune_base::yaml::Spanned;
use entries::{List, MOST_JOBS, NamedGpu, RawEntry, RawList};
use together::Together;

pub use entries::JobListError;

/// The greatest size of a list, in bytes.
const LARGEST_FILE: u64 = 64 * files::MIB;

/// Reads a job list. The jobs are in the order of its text; problem sizes vary fastest. An entry that asks for one answer
/// about all of its GPUs and sizes is a job for each spec.
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

impl List<'_> {
    fn add(&self, entry: &Spanned<RawEntry>, jobs: &mut Vec<Job>) -> Result<(), JobListError> {
        let limits = self.limits(&entry.value.limits)?;
        let questions = match self.together(entry)? {
            Some(together) => vec![together],
            None => self.one_by_one(entry)?,
        };
        let rank = self.rank(&entry.value, &questions)?;
        for pattern in &entry.value.specs {
            for spec in self.matches(pattern)? {
                if jobs.len() + questions.len() > MOST_JOBS {
                    return Err(JobListError::TooMany);
                }
                let path = self.folder.join(&spec);
                jobs.extend(questions.iter().map(|Together { gpu, set, scenarios, variants }| Job {
                    spec: spec.clone(),
                    path: path.clone(),
                    gpu: gpu.clone(),
                    set: set.clone(),
                    scenarios: scenarios.clone(),
                    variants: *variants,
                    rank,
                    warm: entry.value.warm,
                    limits,
                }));
            }
        }
        Ok(())
    }

    /// True if an entry asks for the times of all configurations, which answers about one scenario have.
    fn rank(&self, raw: &RawEntry, questions: &[Together]) -> Result<bool, JobListError> {
        let Some(rank) = raw.rank.as_ref().filter(|rank| rank.value) else { return Ok(false) };
        if questions.iter().any(|question| question.scenarios.len() > 1) {
            return Err(
                self.error_at(rank, "`rank` is about one GPU and one size a job, and these are several together")
            );
        }
        Ok(true)
    }

    /// A question for each GPU and each combination of sizes.
    fn one_by_one(&self, entry: &Spanned<RawEntry>) -> Result<Vec<Together>, JobListError> {
        let sizes = self.sizes(&entry.value)?;
        let gpus = self.all_gpus(entry)?;
        if gpus.len().saturating_mul(sizes.len()) > MOST_JOBS {
            return Err(JobListError::TooMany);
        }
        let question = |gpu: &NamedGpu, set: &[(String, i64)]| Together {
            gpu: gpu.name.clone(),
            set: set.to_owned(),
            scenarios: [gpu.with(set)].into(),
            variants: 1,
        };
        Ok(gpus.iter().flat_map(|gpu| sizes.iter().map(move |set| question(gpu, set))).collect())
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_lowering::gpu;

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
    fn together_the_gpus_and_sizes_of_an_entry_are_one_job() {
        let all = jobs("gpus: [a100, 'target:sm_80', fermi], set: { n: [8, 9], m: 3 }, together: true, variants: 2");
        let [job] = &all.unwrap()[..] else { panic!("one job") };
        let told: Vec<(&str, i64)> = job.scenarios.iter().map(|one| (one.gpu.as_str(), one.set[0].1)).collect();
        // The group has the GPU by another name once more.
        assert_eq!(told, [("a100", 8), ("a100", 9), ("a100-80gb", 8), ("a100-80gb", 9), ("fermi", 8), ("fermi", 9)]);
        assert_eq!((job.gpu.as_str(), job.variants), ("a100,target:sm_80,fermi", 2));
        assert_eq!(job.set, [("m".to_owned(), 3)]);
        assert_eq!(job.label(), "kernel.yaml on a100,target:sm_80,fermi, m=3, 6 scenarios");
        let alone = jobs("gpus: [fermi], together: true").unwrap();
        let usual = jobs("gpus: [fermi]").unwrap();
        assert_eq!((&alone[0].scenarios, alone[0].label()), (&usual[0].scenarios, usual[0].label()));
    }

    #[test]
    fn an_entry_can_ask_for_all_times() {
        for (asked, rank) in [("rank: true", true), ("rank: false", false), ("set: { n: 8 }", false)] {
            let all = jobs(&format!("gpus: [fermi, volta], {asked}")).unwrap();
            assert!(all.len() == 2 && all.iter().all(|job| job.rank == rank), "{asked}");
        }
        assert!(jobs("gpus: [fermi], together: true, rank: true").unwrap()[0].rank);
    }

    #[test]
    fn an_entry_can_state_a_warm_or_a_cold_launch() {
        let all = jobs("gpus: [fermi, volta], warm: false").unwrap();
        assert!(all.iter().all(|job| job.warm == Some(false)));
        assert_eq!(all[1].label(), "kernel.yaml on volta, cold");
        assert_eq!(jobs("gpus: [fermi], warm: true").unwrap()[0].label(), "kernel.yaml on fermi, warm");
        assert_eq!(jobs("gpus: [fermi]").unwrap()[0].warm, None);
    }

    #[test]
    fn together_two_profiles_of_one_name_are_refused() {
        let own = tempfile::NamedTempFile::with_suffix(".yaml").unwrap();
        fs_err::write(own.path(), "base: fermi\nname: a100-40gb\n").unwrap();
        let gpus = format!("gpus: [a100, {}]", own.path().display());
        assert_eq!(jobs(&gpus).unwrap().len(), 2);
        let why = jobs(&format!("{gpus}, together: true")).unwrap_err();
        assert!(why.contains("two different profiles are called `a100-40gb`") && why.contains("jobs.yaml:1:"), "{why}");
        let all = jobs("gpus: [fermi, volta], set: { n: [8, 8, 9] }, together: true").unwrap();
        assert_eq!(all[0].scenarios.len(), 4);
    }

    #[test]
    fn a_mistake_is_shown_at_its_place() {
        for (entry, words) in [
            ("gpus: ['vendor:nobody']", "vendor:nobody"),
            ("gpus: [fermi], set: { n: 4..x }", "4..x"),
            ("gpus: [fermi, volta], variants: 2", "`variants` needs several scenarios: `together: true`"),
            ("gpus: [fermi], together: true, variants: 2", "and this is one"),
            ("gpus: [fermi, volta], together: true, variants: 9", "`variants` is 9, not 1 to 8"),
            ("gpus: [fermi], scenarios: s.yaml", "GPUs and sizes of its own, beside `gpus`"),
            ("scenarios: s.yaml, together: false", "beside `together: false`"),
            ("gpus: [fermi], together: true, set: { n: 1..101, m: 1..100 }", "10100 scenarios, not 1 to 10000"),
            ("together: true", "the key `gpus` is missing"),
            ("gpus: [fermi, volta], together: true, rank: true", "`rank` is about one GPU and one size a job"),
            ("gpus: [fermi], rank: 1", "boolean"),
            ("gpus: [fermi], warm: hot", "boolean"),
        ] {
            let why = jobs(entry).unwrap_err();
            assert!(why.contains("jobs.yaml:1:") && why.contains(words), "{why}");
        }
    }
}
