//! The local executor: runs several jobs at a time on this computer.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use super::job::Job;

/// The end of a job's run, for the executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobOutcome {
    /// The job has ended; the next may begin.
    Ended,
    /// No more jobs may begin.
    Stop,
}

/// The default number of workers: as many as there are cores, and as the memory has room for; at least 1.
#[must_use]
pub fn workers(jobs: &[Job]) -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let greatest = jobs.iter().map(|job| job.limits.memory_mib).max().unwrap_or(0);
    let room = memory_mib().map_or(cores, |memory| usize::try_from(memory / greatest.max(1)).unwrap_or(cores));
    cores.min(room).clamp(1, jobs.len().max(1))
}

/// The memory that the system has for new programs, in MiB; `None` if the system does not say.
fn memory_mib() -> Option<u64> {
    let text = fs_err::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kibibytes| kibibytes >> 10)
}

/// Runs jobs by this number of workers, in their order, until one returns [`JobOutcome::Stop`].
pub(super) fn run(jobs: &[usize], workers: usize, work: &(dyn Fn(usize) -> JobOutcome + Sync)) {
    let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let worker = || {
        while !stopped.load(Ordering::SeqCst)
            && let Some(job) = jobs.get(next.fetch_add(1, Ordering::SeqCst))
        {
            if work(*job) == JobOutcome::Stop {
                stopped.store(true, Ordering::SeqCst);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..workers.min(jobs.len()) {
            scope.spawn(worker);
        }
        worker();
    });
}
