//! The jobs of a batch, run by a Slurm cluster.

mod gather;

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use super::slurm;
use super::slurm::{Array, Cause, Cluster, Standing, Submission, TaskState, Tasks};
use super::states::State;
use super::work::{Work, journal_lost};
use crate::session::SessionError;

pub use gather::gather;

/// The greatest delay until a result can be read: file servers show new files late.
const VISIBILITY_DELAY: Duration = Duration::from_secs(60);

/// The bounds of the time between two queries of the cluster, which is a twentieth of the time since the first.
const QUERY_PAUSE: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(10));

/// The time that cancelled tasks have to end.
const CANCELLATION_WAIT: Duration = Duration::from_secs(40);

/// The options of a batch that runs on a cluster.
#[derive(Debug, Clone)]
pub struct OnCluster {
    /// The job list.
    pub list: PathBuf,
    /// The batch's folder.
    pub folder: PathBuf,
    /// The number of tasks of an array that run at a time; `None` leaves it to the cluster.
    pub at_a_time: Option<usize>,
    /// True if the user's cache is not used.
    pub no_cache: bool,
    /// Options for `sbatch`.
    pub options: Vec<String>,
    /// True if an interrupt leaves the cluster's jobs running, for another run to pick up.
    pub leaves: bool,
}

/// Runs the remaining jobs of a batch on the cluster. Tasks that were submitted before and still run are awaited, not
/// submitted again.
///
/// # Errors
/// If Slurm is missing or refuses the jobs, or the journal cannot be written.
pub fn on_cluster(work: &Work, arrays: Vec<Array>, options: &OnCluster) -> Result<(), SessionError> {
    let cluster = Cluster::find(&std::env::current_dir()?)?;
    let tasks = Tasks::of(&options.folder);
    let mut watch = Watch {
        work,
        cluster,
        tasks,
        arrays: Vec::new(),
        awaited: BTreeMap::new(),
        began: Instant::now(),
        is_unanswered: false,
    };
    watch.adopt(arrays)?;
    let outcome = watch.run(options);
    work.watcher.end();
    if watch.awaited.is_empty() { outcome } else { outcome.and(watch.leave(options)) }
}

/// Checks that no task of these arrays waits or runs on the cluster, as far as the cluster can be asked.
///
/// # Errors
/// [`SessionError::StillOnCluster`] if a task still waits or runs.
pub fn nothing_runs(work: &Work, arrays: &[Array]) -> Result<(), SessionError> {
    let left = work.left();
    let open = |array: &&Array| array.jobs.iter().any(|job| left.contains(job));
    let names: Vec<&str> = arrays.iter().filter(open).map(|array| array.name.as_str()).collect();
    // Without a cluster here, the locks of the journals show running tasks.
    let states = Cluster::find(&std::env::current_dir()?).and_then(|cluster| cluster.tasks(&names)).unwrap_or_default();
    let running = states.iter().find(|state| matches!(state.standing(), Standing::Waiting | Standing::Running));
    running.map_or(Ok(()), |state| Err(SessionError::StillOnCluster(format!("array {}", state.array))))
}

/// The tasks that are awaited.
struct Watch<'a> {
    work: &'a Work<'a>,
    cluster: Cluster,
    tasks: Tasks,
    /// The submitted arrays, with Slurm's numbers.
    arrays: Vec<(Array, u64)>,
    /// The awaited tasks, by job.
    awaited: BTreeMap<usize, Awaited>,
    began: Instant,
    /// True if it was reported that Slurm does not answer.
    is_unanswered: bool,
}

struct Awaited {
    /// The array's name, and the task's index in it.
    task: (String, usize),
    since: Instant,
    restarts: u32,
    /// The moment since which the task is known to have ended; `None` before.
    over: Option<Instant>,
    /// True if it was reported that the task needs a person.
    held: bool,
}

impl Awaited {
    fn new(array: &Array, job: usize, restarts: u32) -> Self {
        let task = (array.name.clone(), job - array.first);
        Self { task, since: Instant::now(), restarts, over: None, held: false }
    }
}

impl Watch<'_> {
    /// Awaits the tasks of these arrays that have not ended.
    fn adopt(&mut self, arrays: Vec<Array>) -> Result<(), SessionError> {
        let left = self.work.left();
        let names: Vec<&str> = arrays.iter().map(|array| array.name.as_str()).collect();
        let states = self.cluster.tasks(&names)?;
        for array in arrays {
            let open = |state: &&TaskState| {
                state.name == array.name && matches!(state.standing(), Standing::Waiting | Standing::Running)
            };
            let mut found = None;
            for state in states.iter().filter(open) {
                if let Some(job) = array.job(state.task).filter(|job| left.contains(job)) {
                    self.awaited.insert(job, Awaited::new(&array, job, state.restarts));
                    found = Some(state.array);
                }
            }
            if let Some(number) = found {
                let jobs = self.awaited.values().filter(|awaited| awaited.task.0 == array.name).count();
                self.work
                    .watcher
                    .tell(&format!("array {number} is still on the cluster, with {} of this batch", counted(jobs)));
                self.arrays.push((array, number));
            }
        }
        Ok(())
    }

    /// Submits the remaining jobs that are not awaited, and waits until all have ended.
    fn run(&mut self, options: &OnCluster) -> Result<(), SessionError> {
        let is_awaited = |job: &usize| self.awaited.contains_key(job);
        let (_, left): (Vec<usize>, Vec<usize>) = self.work.left().into_iter().partition(is_awaited);
        gather(self.work, &self.tasks, &left)?;
        self.submit(options)?;
        while !self.awaited.is_empty() && !self.work.session.interrupt.is_raised() {
            self.look()?;
            self.pause();
        }
        Ok(())
    }

    fn submit(&mut self, options: &OnCluster) -> Result<(), SessionError> {
        let submission = submission(options, &self.tasks)?;
        let left: Vec<usize> = self.work.left().into_iter().filter(|job| !self.awaited.contains_key(job)).collect();
        for array in slurm::arrays(self.work.jobs, &left, self.cluster.most_tasks) {
            if self.work.session.interrupt.is_raised() {
                break;
            }
            for &job in &array.jobs {
                let searches = self.work.searches_of(job);
                self.tasks.prepare(job, &self.work.inputs.of_job(job), &searches)?;
            }
            // The array is in the journal first, lest it be submitted twice.
            self.work.journal.submitting(&array).map_err(|why| journal_lost(&self.work.journal, why))?;
            let number = self.cluster.submit(&array, &self.work.jobs[array.jobs[0]].limits, &submission)?;
            self.work.watcher.tell(&format!("array {number}: {} submitted", counted(array.jobs.len())));
            for &job in &array.jobs {
                self.awaited.insert(job, Awaited::new(&array, job, 0));
            }
            self.arrays.push((array, number));
        }
        Ok(())
    }

    /// The states of the tasks, by array and index; `None` if Slurm does not answer.
    fn states(&mut self) -> Option<HashMap<(String, usize), TaskState>> {
        let names: Vec<&str> = self.arrays.iter().map(|(array, _)| array.name.as_str()).collect();
        match self.cluster.tasks(&names) {
            Ok(states) => {
                self.is_unanswered = false;
                Some(states.into_iter().map(|state| ((state.name.clone(), state.task), state)).collect())
            }
            Err(why) => {
                // The controller may be away for a while; running tasks are not affected.
                if !std::mem::replace(&mut self.is_unanswered, true) {
                    self.work.watcher.tell(&format!("cannot query Slurm; retrying: {why}"));
                }
                None
            }
        }
    }

    /// Queries all tasks, and takes in the results of those that have ended.
    fn look(&mut self) -> Result<(), SessionError> {
        let Some(states) = self.states() else { return Ok(()) };
        let (mut running, mut waiting) = (0, 0);
        let jobs: Vec<usize> = self.awaited.keys().copied().collect();
        for job in jobs {
            let state = self.awaited.get(&job).and_then(|awaited| states.get(&awaited.task));
            match state.map(TaskState::standing) {
                Some(Standing::Running) => running += 1,
                Some(Standing::Waiting) => waiting += 1,
                Some(Standing::Completed) => self.take(job, Cause::Silent, state, VISIBILITY_DELAY)?,
                Some(Standing::Over(cause)) => self.take(job, cause, state, Duration::ZERO)?,
                None => self.take(job, Cause::Vanished, None, VISIBILITY_DELAY)?,
            }
            if let Some(state) = state {
                self.tell(job, state);
            }
        }
        self.work.watcher.stand(&format!(", {running} running and {waiting} waiting on the cluster"));
        Ok(())
    }

    /// Reports what Slurm did to a task that continues.
    fn tell(&mut self, job: usize, state: &TaskState) {
        let Some(awaited) = self.awaited.get_mut(&job) else { return };
        let (watcher, label) = (self.work.watcher, self.work.jobs[job].label());
        let TaskState { array, task, restarts, reason, .. } = state;
        if *restarts > awaited.restarts {
            awaited.restarts = *restarts;
            watcher.tell(&format!(
                "{label}: Slurm has requeued {array}_{task}, restart {restarts}; it goes on where it was"
            ));
        }
        if state.is_held() && !std::mem::replace(&mut awaited.held, true) {
            watcher.tell(&format!(
                "{label}: {array}_{task} waits in vain ({reason}); `scontrol release` or `scancel` mends it"
            ));
        }
    }

    /// Sleeps until the next query, or until Ctrl-C.
    fn pause(&self) {
        let until = Instant::now() + (self.began.elapsed() / 20).clamp(QUERY_PAUSE.0, QUERY_PAUSE.1);
        while !self.awaited.is_empty() && !self.work.session.interrupt.is_raised() && Instant::now() < until {
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Leaves before all tasks have ended: cancels those on the cluster, or leaves them running.
    fn leave(&mut self, options: &OnCluster) -> Result<(), SessionError> {
        let numbers: Vec<u64> = self.arrays.iter().map(|(_, number)| *number).collect();
        let named = numbers.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
        let watcher = self.work.watcher;
        if numbers.is_empty() {
            return Ok(());
        }
        if options.leaves {
            self.awaited.keys().for_each(|job| self.work.set(*job, State::Stopped(None)));
            watcher.tell(&format!("left on the cluster: array {named}; `--resume --executor slurm` goes on with it"));
            return Ok(());
        }
        self.cluster.cancel(&numbers)?;
        watcher.tell(&format!("cancelled on the cluster: array {named}"));
        let until = Instant::now() + CANCELLATION_WAIT;
        let is_running = |state: &TaskState| state.standing() == Standing::Running;
        while Instant::now() < until && !self.work.session.interrupt.is_urgent() {
            // If Slurm does not answer, they may still run.
            if self.states().is_some_and(|states| !states.values().any(is_running)) {
                break;
            }
            thread::sleep(QUERY_PAUSE.0);
        }
        let jobs: Vec<usize> = std::mem::take(&mut self.awaited).into_keys().collect();
        gather(self.work, &self.tasks, &jobs)
    }
}

fn submission(options: &OnCluster, tasks: &Tasks) -> Result<Submission, SessionError> {
    let program = std::env::current_exe()?.display().to_string();
    let (list, out) = (options.list.display().to_string(), options.folder.display().to_string());
    let mut command = [program, "batch-job".to_owned(), list, "--out".to_owned(), out].to_vec();
    command.extend(options.no_cache.then(|| "--no-cache".to_owned()));
    command.push("--first".to_owned());
    Ok(Submission {
        command,
        folder: tasks.folder().to_owned(),
        at_a_time: options.at_a_time,
        options: options.options.clone(),
    })
}

fn counted(jobs: usize) -> String {
    if jobs == 1 { "1 job".to_owned() } else { format!("{jobs} jobs") }
}
