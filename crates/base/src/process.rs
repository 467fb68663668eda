//! Runs one external program. Processes are started only here.
//!
//! The child gets a process group of its own. The group ends with the child, and also if this process ends or is
//! killed. To stop the child, its group gets SIGINT first (pan then prints its state), and SIGKILL after a grace
//! period. What leaves its group ends with it only if this process adopts orphans ([`adopt_orphans`]).

mod answer;
mod group;
mod group_leader;
mod group_time;
mod install;
mod orphans;
mod task;
mod zig;

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;
use tracing::debug;

use crate::files::scratch::system_folder;
use crate::limits::{Limits, Overrun, Stop};
use crate::process::group::GRACE;
use group::Group;
use group_leader::GroupLeader;
use orphans::Running;

pub use answer::{ProgramAnswer, answer, identity};
pub use install::{C_COMPILER, CLANG, Package, SPIN, how_to_install, install_advice};
pub use orphans::adopt_orphans;
pub use task::{Bounds, Task};
pub use zig::{is_zig, zig, zig_has_compiled};

/// The variables that models read: a child gets only its task's.
const MODELS_VARIABLES: [&str; 3] = ["AUTOTUNE_MT", "AUTOTUNE_TABLES", "AUTOTUNE_DESCEND"];

/// The end of a program.
#[derive(Debug, Clone)]
pub struct Finished {
    /// The reason why it was stopped and its output may be incomplete; `None` if it ended by itself.
    pub stopped: Option<Stop>,
    /// The limit of its allowance that stopped it, so that its output may be incomplete; `None` if it kept within its
    /// allowance.
    pub overrun: Option<Overrun>,
    /// True if an output has more bytes than the task allows.
    pub flooded: bool,
    /// The exit status.
    pub status: ExitStatus,
    /// The standard output, or its end if it is too long.
    pub stdout: String,
    /// The standard error, or its end if it is too long.
    pub stderr: String,
    /// The wall-clock time.
    pub elapsed: Duration,
}

impl Finished {
    /// The exit status in words.
    #[must_use]
    pub fn status_in_words(&self) -> String {
        match (self.status.code(), self.status.signal()) {
            (Some(code), _) => format!("ended with exit status {code}"),
            (None, Some(signal)) => format!("was killed by signal {signal}"),
            (None, None) => "ended without an exit status".to_owned(),
        }
    }

    /// True if the program says that it found no memory.
    #[must_use]
    pub fn lacks_memory(&self) -> bool {
        NO_MEMORY.iter().any(|words| self.stderr.contains(words))
    }

    /// The line where the program says that the system lacks what any program needs; `None` if no line does.
    #[must_use]
    pub fn lack(&self) -> Option<&str> {
        self.stderr.lines().find(|line| NO_ROOM.iter().any(|words| line.contains(words)))
    }
}

/// The words of a program that found no memory.
const NO_MEMORY: [&str; 4] = ["out of memory", "bad_alloc", "Cannot allocate memory", "Memory allocation failure"];
/// The words of a system that cannot do what any program needs.
const NO_ROOM: [&str; 7] = [
    "No space left on device",
    "Disk quota exceeded",
    "Input/output error",
    "Read-only file system",
    "Too many open files",
    "Resource temporarily unavailable",
    "Stale file handle",
];

/// A program that could not be started or waited for.
#[derive(Debug, Error)]
#[error("cannot run `{program}`")]
pub struct ProcessError {
    /// The program's path.
    pub program: PathBuf,
    /// The system's error.
    pub source: std::io::Error,
}

/// Runs a task to its end, or until a limit is exceeded.
///
/// # Errors
/// If the program cannot be started or waited for. Its exit status is not an error here.
pub fn run(task: &Task, limits: &Limits) -> Result<Finished, ProcessError> {
    let began = Instant::now();
    let failed = |source| ProcessError { program: task.program.clone(), source };
    // It ends last: then this program's children have been waited for, and those that it adopted are left.
    let _running = Running::begin();
    // Output goes to unnamed files: a child that writes much never blocks, and a killed group leaves no pipe open.
    let (mut stdout, mut stderr) = (unnamed().map_err(failed)?, unnamed().map_err(failed)?);
    let leader = GroupLeader::acquire().map_err(failed)?;
    debug!(target: "process.start", command = task.command_line(), "starting");
    let mut command = task.command();
    // Values from the user's environment are not meant for the models.
    for name in MODELS_VARIABLES {
        command.env_remove(name);
    }
    command
        .envs(task.variables.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(stdout.try_clone().map_err(failed)?)
        .stderr(stderr.try_clone().map_err(failed)?)
        .process_group(leader.group());
    let child = spawn(&mut command).map_err(failed)?;
    let mut group = Group { child, leader: Some(leader), is_clear: false };
    let is_flooded = |file: &File| file.metadata().is_ok_and(|file| file.len() > task.most_output);
    let floods = || is_flooded(&stdout) || is_flooded(&stderr);
    let ended = group.wait(limits, task.bounds.map(|bounds| bounds.allowance), &floods).map_err(failed)?;
    let flooded = floods();
    group.is_clear &= !task.sweeps;
    drop(group);
    let text = |file: &mut File| end_of(file, task.most_output).map_err(failed);
    let (stdout, stderr) = (text(&mut stdout)?, text(&mut stderr)?);
    let group::Ended { status, stopped, overrun } = ended;
    Ok(Finished { stopped, overrun, flooded, status, stdout, stderr, elapsed: began.elapsed() })
}

/// Creates a file for a child's output.
fn unnamed() -> std::io::Result<File> {
    let place = system_folder();
    let of_place = |why: std::io::Error| {
        let what = format!("its output needs a temporary file, which cannot be made in `{}`: {why}", place.display());
        std::io::Error::new(why.kind(), what)
    };
    tempfile::tempfile_in(&place).map_err(of_place)
}

/// Starts a command. A program just written may be busy for a moment, held open by a child that another thread starts.
fn spawn(command: &mut Command) -> std::io::Result<Child> {
    let began = Instant::now();
    loop {
        match command.spawn() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy && began.elapsed() < GRACE => {
                thread::sleep(Duration::from_millis(1));
            }
            result => return result,
        }
    }
}

/// The last bytes of a file as text, at most `most`.
fn end_of(file: &mut File, most: u64) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
    // The program may have left others behind that write on.
    file.take(most).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::limits::Allowance;

    fn shell(script: &str) -> Task {
        Task::new(Path::new("/bin/sh"), ["-c", script], Path::new("/"))
    }

    #[test]
    fn both_outputs_and_the_status_come_back() {
        let outcome = run(&shell("echo out; echo err >&2; exit 3"), &Limits::default()).unwrap();
        assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("out\n", "err\n"));
        assert_eq!((outcome.status_in_words().as_str(), outcome.stopped), ("ended with exit status 3", None));
    }

    #[test]
    fn a_deadline_ends_the_whole_group_although_it_ignores_sigint() {
        let limits = Limits { deadline: Some(Instant::now() + Duration::from_millis(50)), ..Limits::default() };
        let folder = tempfile::tempdir().unwrap();
        let marker = folder.path().join("alive");
        let script = format!("trap '' INT; (sleep 3; touch {}) & sleep 30", marker.display());
        let outcome = run(&shell(&script), &limits).unwrap();
        assert_eq!(outcome.stopped, Some(Stop::Time));
        assert!(outcome.elapsed < Duration::from_secs(20));
        thread::sleep(Duration::from_millis(1500));
        assert!(!marker.exists(), "a child of the stopped program lived on");
    }

    #[test]
    fn a_child_that_leaves_its_group_is_stopped_too() {
        let limits = Limits { deadline: Some(Instant::now() + Duration::from_millis(50)), ..Limits::default() };
        let task = Task::new(Path::new("setsid"), ["sleep", "30"], Path::new("/"));
        let outcome = run(&task, &limits).unwrap();
        assert_eq!(outcome.stopped, Some(Stop::Time));
        assert!(outcome.elapsed < Duration::from_secs(20));
    }

    #[test]
    fn what_a_swept_task_leaves_behind_is_killed() {
        let folder = tempfile::tempdir().unwrap();
        let marker = folder.path().join("alive");
        let task = Task { sweeps: true, ..shell(&format!("(sleep 1; touch {}) &", marker.display())) };
        assert!(run(&task, &Limits::default()).unwrap().status.success());
        thread::sleep(Duration::from_millis(1500));
        assert!(!marker.exists(), "a process was left behind");
    }

    #[test]
    fn a_child_that_kills_its_group_harms_no_other() {
        let outcome = run(&shell("kill -KILL 0"), &Limits::default()).unwrap();
        assert_eq!((outcome.status_in_words().as_str(), outcome.stopped), ("was killed by signal 9", None));
        assert_eq!(run(&shell("echo next"), &Limits::default()).unwrap().stdout, "next\n");
    }

    #[test]
    fn an_endless_output_is_stopped_and_its_end_is_read() {
        let task = Task { most_output: 1 << 16, ..shell("exec yes") };
        let outcome = run(&task, &Limits::default()).unwrap();
        assert!(outcome.flooded && outcome.stopped.is_some());
        assert_eq!(outcome.stdout.len(), 1 << 16);
    }

    fn allowance(milliseconds: u64) -> Allowance {
        Allowance { processor: Duration::from_millis(milliseconds) }
    }

    fn allowed(milliseconds: u64, script: &str) -> Finished {
        let bounds = Some(Bounds { memory: 1 << 30, file: 1 << 20, allowance: allowance(milliseconds) });
        run(&Task { bounds, ..shell(script) }, &Limits::default()).unwrap()
    }

    /// The processor time of what a program starts is the program's. On a busy machine the wall clock may go further than
    /// three times the processor's: then the program is run again, for a minute at most.
    #[test]
    fn a_program_is_stopped_when_its_processes_have_taken_their_processor_time() {
        let limit = Duration::from_millis(300);
        for script in ["while :; do :; done", "(while :; do :; done) & wait"] {
            let outcomes = std::iter::repeat_with(|| allowed(300, script)).take(60);
            let is_by_processor = |outcome: &Finished| outcome.overrun == Some(Overrun::Processor(limit));
            let outcome = outcomes.into_iter().find(is_by_processor);
            assert_eq!(outcome.map(|outcome| outcome.stopped), Some(None), "{script}");
        }
        assert_eq!(allowed(300, "exit 3").overrun, None);
    }

    #[test]
    fn a_program_that_stands_still_is_stopped_after_three_times_as_long() {
        let outcome = allowed(200, "kill -STOP $$");
        assert_eq!((outcome.overrun, outcome.stopped), (Some(Overrun::Wall(Duration::from_millis(600))), None));
        assert!(outcome.elapsed >= Duration::from_millis(600), "{:?}", outcome.elapsed);
    }

    #[test]
    fn an_interrupt_reaches_the_child() {
        let limits = Limits::default();
        let interrupt = limits.interrupt.clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_millis(500));
            interrupt.raise();
        });
        let outcome = run(&shell("trap 'echo summary; exit 0' INT; sleep 30 & wait"), &limits).unwrap();
        assert_eq!((outcome.stopped, outcome.stdout.contains("summary")), (Some(Stop::Interrupt), true));
    }

    #[test]
    fn a_child_that_somebody_interrupts_is_no_failure() {
        let outcome = run(&shell("kill -INT $$"), &Limits::default()).unwrap();
        assert_eq!(outcome.stopped, Some(Stop::Interrupt));
    }

    #[test]
    fn a_missing_program_is_named() {
        let error =
            run(&Task::new(Path::new("/nowhere/spin"), ["-V"], Path::new("/")), &Limits::default()).unwrap_err();
        assert_eq!(error.to_string(), "cannot run `/nowhere/spin`");
    }

    #[test]
    fn bounds_hold_and_the_environment_is_bare() {
        let bounds = Some(Bounds { memory: 1 << 30, allowance: allowance(7_000), file: 1 << 20 });
        let folder = tempfile::tempdir().unwrap();
        let asked = "ulimit -v; ulimit -t; ulimit -f; ulimit -c; env | cut -d= -f1 | sort | tr '\\n' ' '";
        let task = Task { bounds, folder: folder.path().to_owned(), ..shell(asked) };
        let outcome = run(&task, &Limits::default()).unwrap();
        assert_eq!(outcome.stdout, "1048576\n17\n2048\n0\nLANG LC_ALL PATH PWD TMPDIR ", "{}", outcome.stderr);
        let task = Task { arguments: vec!["-c".to_owned(), "head -c 2000000 /dev/zero >file".to_owned()], ..task };
        assert!(!run(&task, &Limits::default()).unwrap().status.success());
        assert_eq!(std::fs::metadata(folder.path().join("file")).unwrap().len(), 1 << 20);
    }

    #[test]
    fn a_command_line_can_be_pasted_into_a_shell() {
        let mut task = Task::new(Path::new("./pan"), ["-m100", "it's"], Path::new("/"));
        task.variables.push(("AUTOTUNE_MT".to_owned(), "7".to_owned()));
        task.variables.push(("FLAGS".to_owned(), "-DA=1 -DB=2".to_owned()));
        assert_eq!(task.command_line(), r"AUTOTUNE_MT=7 FLAGS='-DA=1 -DB=2' ./pan -m100 'it'\''s'");
    }
}
