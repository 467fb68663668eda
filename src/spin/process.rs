//! Runs one external program. Processes are started only here.
//!
//! The child gets a process group of its own. The group ends with the child, and also if this process ends or is
//! killed. To stop the child, its group gets SIGINT first (pan then prints its state), and SIGKILL after a grace
//! period.

mod warden;

use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use thiserror::Error;
use tracing::debug;
use warden::Warden;

use crate::scratch::system_folder;

/// The time for which a child may run on after SIGINT.
const GRACE: Duration = Duration::from_secs(2);

/// The variables that models read: a child gets only those of its task.
const MODELS_VARIABLES: [&str; 3] = ["AUTOTUNE_MT", "AUTOTUNE_TABLES", "AUTOTUNE_DESCEND"];

/// A request to stop, shared with the handler of Ctrl-C. The first request stops in order, the second at once.
#[derive(Debug, Clone, Default)]
pub struct Interrupt(Arc<AtomicU32>);

impl Interrupt {
    /// Requests a stop.
    pub fn raise(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    /// Returns true after the first request.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 0
    }

    /// Returns true after the second request.
    #[must_use]
    pub fn is_urgent(&self) -> bool {
        self.0.load(Ordering::SeqCst) > 1
    }
}

/// The limits at which work stops.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// The moment after which work stops; `None` without a time limit.
    pub deadline: Option<Instant>,
    /// The interrupt after which work stops.
    pub interrupt: Interrupt,
}

impl Limits {
    /// The limit that is exceeded now; `None` if work may go on.
    #[must_use]
    pub fn exceeded(&self) -> Option<Stop> {
        if self.interrupt.is_raised() {
            Some(Stop::Interrupt)
        } else {
            self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(Stop::Time)
        }
    }
}

/// A reason for stopping work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// Ctrl-C, or a request to terminate.
    Interrupt,
    /// The deadline.
    Time,
}

impl fmt::Display for Stop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Interrupt => "it was interrupted",
            Self::Time => "the time limit was reached",
        })
    }
}

/// A program to run, without a shell.
#[derive(Debug, Clone)]
pub struct Task {
    /// The program's path.
    pub program: PathBuf,
    /// The arguments.
    pub arguments: Vec<String>,
    /// The working folder.
    pub folder: PathBuf,
    /// The variables that are added to the environment.
    pub variables: Vec<(&'static str, String)>,
}

impl Task {
    /// A task whose environment has no added variables.
    pub fn new<A: Into<String>>(program: &Path, arguments: impl IntoIterator<Item = A>, folder: &Path) -> Self {
        Self {
            program: program.to_owned(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            folder: folder.to_owned(),
            variables: Vec::new(),
        }
    }

    /// The task as a line of a shell script.
    #[must_use]
    pub fn command_line(&self) -> String {
        let variables = self.variables.iter().map(|(name, value)| format!("{name}={value} "));
        let words = std::iter::once(self.program.display().to_string()).chain(self.arguments.iter().cloned());
        variables.collect::<String>() + &words.map(|word| quoted(&word)).collect::<Vec<_>>().join(" ")
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+,:".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The end of a program.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The reason for which it was stopped, after which its output may be incomplete; `None` if it ended by itself.
    pub stopped: Option<Stop>,
    /// The exit status.
    pub status: ExitStatus,
    /// The complete standard output.
    pub stdout: String,
    /// The complete standard error.
    pub stderr: String,
    /// The wall-clock time.
    pub elapsed: Duration,
}

impl Outcome {
    /// The exit status in words.
    #[must_use]
    pub fn status_in_words(&self) -> String {
        match (self.status.code(), self.status.signal()) {
            (Some(code), _) => format!("ended with exit status {code}"),
            (None, Some(signal)) => format!("was killed by signal {signal}"),
            (None, None) => "ended without an exit status".to_owned(),
        }
    }
}

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
pub fn run(task: &Task, limits: &Limits) -> Result<Outcome, ProcessError> {
    let began = Instant::now();
    let failed = |source| ProcessError { program: task.program.clone(), source };
    // Output goes to unnamed files: a child that writes much never blocks, and a killed group leaves no pipe open.
    let (mut stdout, mut stderr) = (unnamed().map_err(failed)?, unnamed().map_err(failed)?);
    let warden = Warden::engage().map_err(failed)?;
    debug!(command = task.command_line(), "starting");
    let mut command = Command::new(&task.program);
    command.args(&task.arguments).current_dir(&task.folder).env("LC_ALL", "C");
    // Values from the user's environment are not meant for the models.
    for name in MODELS_VARIABLES {
        command.env_remove(name);
    }
    command
        .envs(task.variables.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(stdout.try_clone().map_err(failed)?)
        .stderr(stderr.try_clone().map_err(failed)?)
        .process_group(warden.group());
    let child = spawn(&mut command).map_err(failed)?;
    let mut group = Group { child, warden: Some(warden), ended: false };
    let (status, stopped) = group.wait(limits).map_err(failed)?;
    drop(group);
    let (stdout, stderr) = (text(&mut stdout).map_err(failed)?, text(&mut stderr).map_err(failed)?);
    Ok(Outcome { stopped, status, stdout, stderr, elapsed: began.elapsed() })
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

fn text(file: &mut File) -> std::io::Result<String> {
    use std::io::Seek;
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A child and all processes that it starts; they end before this value does.
struct Group {
    child: Child,
    warden: Option<Warden>,
    /// True if the child ended by itself.
    ended: bool,
}

impl Group {
    fn wait(&mut self, limits: &Limits) -> std::io::Result<(ExitStatus, Option<Stop>)> {
        let mut nap = Duration::from_micros(200);
        let mut stopped: Option<(Stop, Instant)> = None;
        loop {
            if let Some(status) = self.child.try_wait()? {
                self.ended = stopped.is_none();
                // Ctrl-C or a signal to the whole group may reach the child before this program.
                let wishes = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].map(|signal| signal as i32);
                let interrupted = status.signal().filter(|signal| wishes.contains(signal)).map(|_| Stop::Interrupt);
                return Ok((status, stopped.map(|(why, _)| why).or(interrupted)));
            }
            match stopped {
                None => {
                    if let Some(why) = limits.exceeded() {
                        self.signal(Signal::SIGINT);
                        stopped = Some((why, Instant::now()));
                    }
                }
                Some((_, when)) if limits.interrupt.is_urgent() || when.elapsed() > GRACE => {
                    self.signal(Signal::SIGKILL);
                }
                Some(_) => {}
            }
            thread::sleep(nap);
            nap = (nap * 2).min(Duration::from_millis(10));
        }
    }

    fn signal(&self, signal: Signal) {
        if let Some(warden) = &self.warden {
            warden.signal(signal);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        match self.warden.take() {
            Some(warden) if self.ended => warden.release(),
            Some(warden) => warden.dismiss(),
            None => {}
        }
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_command_line_can_be_pasted_into_a_shell() {
        let mut task = Task::new(Path::new("./pan"), ["-m100", "it's"], Path::new("/"));
        task.variables.push(("AUTOTUNE_MT", "7".to_owned()));
        assert_eq!(task.command_line(), r"AUTOTUNE_MT=7 ./pan -m100 'it'\''s'");
    }
}
