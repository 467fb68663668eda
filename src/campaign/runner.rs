//! One configuration: its build, its check and its runs, each with the user's command.

use std::fmt::Write;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::command::UserCommand;
use super::error::MeasureError;
use super::request::MeasureRequest;
use crate::result::RunStatus;
use autotune_base::limits::{Interrupt, Limits};
use autotune_base::process::{self, Finished, Task};
use autotune_lowering::spec::{Configuration, Spec};

/// The most bytes of each output that are kept.
const KEPT: usize = 64 << 10;
/// The most characters of a line of an output in the reason of a failure.
const LONGEST_LINE: usize = 160;

/// A failure of a configuration's command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FailedCommand {
    pub(super) status: RunStatus,
    pub(super) reason: String,
    /// The command and its outputs.
    pub(super) output: String,
}

/// The end of a command.
#[derive(Debug)]
pub(super) enum CommandEnd<T> {
    Ended(T),
    Failed(FailedCommand),
    /// The measurement is to stop: the command says nothing of the configuration.
    Interrupted,
}

/// A time that a command printed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PrintedTime {
    pub(super) milliseconds: f64,
    /// The wall-clock time of the command in milliseconds; the printed time should be a part of it.
    pub(super) wall: f64,
}

/// A benchmark of configurations: it builds, checks and times them.
pub(super) trait Benchmark {
    /// Builds a configuration; there may be nothing to build.
    fn build(&self, configuration: &Configuration) -> Result<CommandEnd<()>, MeasureError>;

    /// Checks a configuration; there may be nothing to check.
    fn verify(&self, configuration: &Configuration) -> Result<CommandEnd<()>, MeasureError>;

    /// The time of a run of a configuration.
    fn time(&self, configuration: &Configuration) -> Result<CommandEnd<PrintedTime>, MeasureError>;
}

/// The commands of all configurations, in the folder where the user is.
#[derive(Debug)]
pub(super) struct Runner<'a> {
    pub(super) spec: &'a Spec,
    pub(super) request: &'a MeasureRequest,
    pub(super) folder: PathBuf,
    pub(super) interrupt: Interrupt,
}

impl Benchmark for Runner<'_> {
    fn build(&self, configuration: &Configuration) -> Result<CommandEnd<()>, MeasureError> {
        self.succeeds(self.request.commands.build.as_ref(), configuration, RunStatus::BuildFailed)
    }

    fn verify(&self, configuration: &Configuration) -> Result<CommandEnd<()>, MeasureError> {
        self.succeeds(self.request.commands.verify.as_ref(), configuration, RunStatus::Wrong)
    }

    fn time(&self, configuration: &Configuration) -> Result<CommandEnd<PrintedTime>, MeasureError> {
        let command = &self.request.commands.run;
        Ok(match self.finished(command, configuration, RunStatus::RunFailed)? {
            CommandEnd::Ended(finished) => match self.printed(&finished) {
                Ok(time) => CommandEnd::Ended(time),
                Err(reason) => {
                    let task = command.task(self.spec, configuration, &self.folder);
                    let output = shown(&task, &reason, Some(&finished));
                    CommandEnd::Failed(FailedCommand { status: RunStatus::NoTime, reason, output })
                }
            },
            CommandEnd::Failed(failed) => CommandEnd::Failed(failed),
            CommandEnd::Interrupted => CommandEnd::Interrupted,
        })
    }
}

impl Runner<'_> {
    /// The time that a command has printed, or the reason why it has printed none. A command that took longer than
    /// the limit would have been stopped.
    fn printed(&self, finished: &Finished) -> Result<PrintedTime, String> {
        let milliseconds = self.request.reader.milliseconds(&finished.stdout)?;
        let limit = self.request.limits.run_limit;
        if milliseconds > limit.as_secs_f64() * 1e3 {
            return Err(format!("its time of {milliseconds:e} ms is above the `--run-limit` of {}", seconds(limit)));
        }
        Ok(PrintedTime { milliseconds, wall: finished.elapsed.as_secs_f64() * 1e3 })
    }

    fn succeeds(
        &self,
        command: Option<&UserCommand>,
        configuration: &Configuration,
        failure: RunStatus,
    ) -> Result<CommandEnd<()>, MeasureError> {
        let Some(command) = command else { return Ok(CommandEnd::Ended(())) };
        Ok(match self.finished(command, configuration, failure)? {
            CommandEnd::Ended(_) => CommandEnd::Ended(()),
            CommandEnd::Failed(failed) => CommandEnd::Failed(failed),
            CommandEnd::Interrupted => CommandEnd::Interrupted,
        })
    }

    /// Runs a command to its end.
    fn finished(
        &self,
        command: &UserCommand,
        configuration: &Configuration,
        failure: RunStatus,
    ) -> Result<CommandEnd<Finished>, MeasureError> {
        let task = command.task(self.spec, configuration, &self.folder);
        run(&task, self.request.limits.run_limit, &self.interrupt, failure)
    }
}

/// Runs a task to its end. Only exit status 0 is a success.
pub(super) fn run(
    task: &Task,
    run_limit: Duration,
    interrupt: &Interrupt,
    failure: RunStatus,
) -> Result<CommandEnd<Finished>, MeasureError> {
    if interrupt.is_raised() {
        return Ok(CommandEnd::Interrupted);
    }
    let deadline = Instant::now().checked_add(run_limit);
    let finished = match process::run(task, &Limits { deadline, interrupt: interrupt.clone(), allowance: None }) {
        Ok(finished) => finished,
        // Of each configuration, the program may be another.
        Err(error) if is_of_the_command(&error.source) => {
            let reason = format!("`{}` cannot be run: {}", task.program.display(), error.source);
            let output = shown(task, &reason, None);
            return Ok(CommandEnd::Failed(FailedCommand { status: failure, reason, output }));
        }
        Err(error) => return Err(error.into()),
    };
    if interrupt.is_raised() {
        return Ok(CommandEnd::Interrupted);
    }
    let (status, reason) = if finished.flooded {
        (failure, "its output is too long".to_owned())
    } else if finished.elapsed >= run_limit && finished.stopped.is_some() {
        (RunStatus::TimedOut, format!("it took longer than {}", seconds(run_limit)))
    } else if finished.status.success() {
        return Ok(CommandEnd::Ended(finished));
    } else {
        (failure, format!("it {}{}", finished.status_in_words(), last_line(&finished.stderr)))
    };
    let output = shown(task, &reason, Some(&finished));
    Ok(CommandEnd::Failed(FailedCommand { status, reason, output }))
}

/// The text that is kept of a command that failed.
pub(super) fn shown(task: &Task, reason: &str, finished: Option<&Finished>) -> String {
    let mut text = format!("{}\n{reason}\n", task.command_line());
    if let Some(finished) = finished {
        for (name, output) in [("standard output", &finished.stdout), ("standard error", &finished.stderr)] {
            let _ = write!(text, "\n--- {name} ---\n{}", end_of(output));
        }
    }
    text
}

/// True if a program cannot be run because the command names it, and not because the system is short of something.
fn is_of_the_command(why: &std::io::Error) -> bool {
    const NO_EXECUTABLE: i32 = nix::errno::Errno::ENOEXEC as i32;
    let kinds = [ErrorKind::NotFound, ErrorKind::PermissionDenied, ErrorKind::InvalidInput, ErrorKind::NotADirectory];
    kinds.contains(&why.kind()) || why.raw_os_error() == Some(NO_EXECUTABLE)
}

/// The last line of a command's standard error, to stand behind the reason of its failure; empty if it said nothing.
fn last_line(stderr: &str) -> String {
    let last = stderr.lines().map(str::trim).rfind(|line| !line.is_empty());
    last.map_or(String::new(), |line| format!(": {}", line.chars().take(LONGEST_LINE).collect::<String>()))
}

/// The last bytes of a text, at most [`KEPT`].
fn end_of(text: &str) -> String {
    let from = text.len().saturating_sub(KEPT);
    let from = (from..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    if from == 0 { text.to_owned() } else { format!("[…]{}", &text[from..]) }
}

fn seconds(time: Duration) -> String {
    humantime::format_duration(time).to_string()
}

/// Keeps the output of a run that failed in the folder of the measurement. Returns its name there.
pub(super) fn keep(folder: &Path, number: usize, output: &str) -> Result<String, MeasureError> {
    let name = format!("outputs/{number:04}.txt");
    let path = folder.join(&name);
    let written = fs_err::create_dir_all(folder.join("outputs")).and_then(|()| fs_err::write(&path, output));
    written.map_err(|why| MeasureError::Output { path, why })?;
    Ok(name)
}
