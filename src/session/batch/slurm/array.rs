//! Job arrays: the jobs that are submitted together, and the arguments of their submission.

use std::path::PathBuf;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::super::job::{Job, JobLimits};

/// The memory of autotune and the compiler beside a search, in MiB.
const MEMORY_BESIDE: u64 = 512;

/// The minutes that a task may take beyond its job's limit, to begin and to end.
const MINUTES_BESIDE: u64 = 2;

/// Jobs that are submitted together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Array {
    /// The array's name at Slurm, which is unique.
    pub name: String,
    /// The job of the task with index 0.
    pub first: usize,
    /// The array's jobs.
    pub jobs: Vec<usize>,
}

impl Array {
    /// The job of a task; `None` if the array does not have it.
    #[must_use]
    pub fn job(&self, task: usize) -> Option<usize> {
        let job = self.first.checked_add(task)?;
        self.jobs.contains(&job).then_some(job)
    }
}

/// The arrays for the jobs `left`: the tasks of an array have equal limits, and indices below `most_tasks`.
#[must_use]
pub fn arrays(jobs: &[Job], left: &[usize], most_tasks: usize) -> Vec<Array> {
    let mut groups: IndexMap<(usize, Option<u64>, u64), Vec<usize>> = IndexMap::new();
    for &job in left {
        let JobLimits { time_seconds, memory_mib } = jobs[job].limits;
        let window = job / most_tasks.max(1);
        groups.entry((window, time_seconds.map(f64::to_bits), memory_mib)).or_default().push(job);
    }
    let groups = groups.into_iter();
    groups.map(|((window, ..), jobs)| Array { name: name(), first: window * most_tasks, jobs }).collect()
}

/// Makes a unique name.
fn name() -> String {
    format!("autotune-{:016x}", rand::random::<u64>())
}

/// The arguments that all arrays of a batch share.
#[derive(Debug, Clone)]
pub struct Submission {
    /// The program of a task and its arguments, except the last: the number of the array's first job.
    pub command: Vec<String>,
    /// The folder of the script and of the tasks' outputs.
    pub folder: PathBuf,
    /// The number of tasks of an array that run at a time; `None` leaves it to the cluster.
    pub at_a_time: Option<usize>,
    /// Further options of sbatch by the user; they override the defaults that are set here.
    pub options: Vec<String>,
}

impl Submission {
    /// The arguments of sbatch. The options that the batch relies on stand last, so that no user's option replaces
    /// them.
    pub(super) fn arguments(&self, array: &Array, limits: &JobLimits, script: &str) -> Vec<String> {
        let mut arguments = vec!["--cpus-per-task=1".to_owned(), "--requeue".to_owned(), memory(limits)];
        arguments.extend(limits.time_seconds.map(time));
        arguments.extend(self.options.iter().cloned());
        let throttle = self.at_a_time.map_or(String::new(), |tasks| format!("%{tasks}"));
        let tasks: Vec<usize> = array.jobs.iter().map(|job| job - array.first).collect();
        // Slurm replaces patterns after a percent sign.
        let folder = self.folder.display().to_string().replace('%', "%%");
        arguments.extend([
            "--parsable".to_owned(),
            "--open-mode=append".to_owned(),
            format!("--job-name={}", array.name),
            format!("--output={folder}/%A_%a.out"),
            format!("--array={}{throttle}", ranges(&tasks)),
            script.to_owned(),
        ]);
        arguments.extend(self.command.iter().cloned());
        arguments.push(array.first.to_string());
        arguments
    }
}

/// The memory of a task: an eighth more than its search may take, for memory that pan does not count.
fn memory(limits: &JobLimits) -> String {
    format!("--mem={}M", limits.memory_mib + limits.memory_mib / 8 + MEMORY_BESIDE)
}

/// The time of a task, in whole minutes as Slurm counts it.
fn time(seconds: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "times of job lists are not negative")]
    let minutes = (seconds / 60.0).ceil() as u64;
    format!("--time={}", minutes.saturating_add(MINUTES_BESIDE))
}

/// Ascending numbers in Slurm's notation, for example `0-3,7`.
fn ranges(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|before, number| before + 1 == *number);
    let texts = runs.map(|run| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    texts.collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(time_seconds: Option<f64>, memory_mib: u64) -> Job {
        Job {
            spec: "matmul.yaml".to_owned(),
            path: PathBuf::from("matmul.yaml"),
            gpu: "fermi".to_owned(),
            scenarios: [].into(),
            variants: 1,
            rank: false,
            warm: None,
            set: Vec::new(),
            limits: JobLimits { time_seconds, memory_mib },
        }
    }

    #[test]
    fn arrays_have_one_limit_and_indices_that_the_cluster_takes() {
        let (small, large) = (job(None, 1024), job(Some(61.0), 4096));
        let jobs = [small.clone(), large.clone(), small.clone(), small.clone(), large, small];
        let arrays = arrays(&jobs, &[0, 1, 2, 4, 5], 3);
        let jobs: Vec<_> = arrays.iter().map(|array| (array.first, array.jobs.clone())).collect();
        assert_eq!(jobs, [(0, vec![0, 2]), (0, vec![1]), (3, vec![4]), (3, vec![5])]);
        assert_eq!((arrays[2].job(1), arrays[2].job(2), arrays[2].job(usize::MAX)), (Some(4), None, None));
        let mut names: Vec<_> = arrays.iter().map(|array| &array.name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 4);
    }

    #[test]
    fn limits_are_passed_on_and_what_the_batch_relies_on_cannot_be_replaced() {
        let array = Array { name: "autotune-1".to_owned(), first: 1000, jobs: vec![1000, 1001, 1002, 1007] };
        let submission = Submission {
            command: vec!["/bin/autotune".to_owned(), "batch-job".to_owned()],
            folder: PathBuf::from("/100%/slurm"),
            at_a_time: Some(5),
            options: vec!["--mem=1G".to_owned(), "--array=9".to_owned()],
        };
        let limits = JobLimits { time_seconds: Some(61.0), memory_mib: 4096 };
        let arguments = submission.arguments(&array, &limits, "job.sh").join(" ");
        assert_eq!(
            arguments,
            "--cpus-per-task=1 --requeue --mem=5120M --time=4 --mem=1G --array=9 --parsable --open-mode=append \
             --job-name=autotune-1 --output=/100%%/slurm/%A_%a.out --array=0-2,7%5 job.sh /bin/autotune batch-job 1000"
        );
    }
}
