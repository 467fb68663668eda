//! One model under SPIN: generated and compiled once, searched with any bound, its trails replayed.

mod build;
mod trails;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fs_err as fs;
use nix::sys::statvfs::statvfs;
use thiserror::Error;
use tracing::info;

use super::pan_output::{self, Cut, End, ModelFault, NotUnderstood, PanOutput, PanVerdict, Searched, Statistics};
use super::record::{Record, SearchKey, SearchResult};
use super::toolchain::Toolchain;
use crate::files::cache::Cache;
use crate::limits::{Limits, Stop};
use crate::model::Model;
use crate::process;
use crate::process::{Finished, ProcessError, Task};
use build::Built;
pub use trails::WITNESSES;
use trails::only_end;

/// The tools and limits of a search.
#[derive(Debug, Clone)]
pub struct Settings {
    /// SPIN and the compiler.
    pub toolchain: Toolchain,
    /// The limits at which a search stops.
    pub limits: Limits,
    /// The memory of one search, in MiB.
    pub memory_mib: u64,
    /// The cache of compiled searches; `None` if they are not kept.
    pub cache: Option<Cache>,
    /// The record of earlier searches; `None` if they are not remembered.
    pub record: Option<Arc<dyn Record>>,
}

/// A model in a folder of its own, ready to be searched.
#[derive(Debug)]
pub struct ModelChecker {
    model: Model,
    folder: PathBuf,
    settings: Settings,
    built: Option<Built>,
    searches: usize,
    /// The time and memory that this model has cost until now.
    pub cost: Cost,
}

/// The time of each step, and the memory of the greatest search.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cost {
    /// The time of `spin -a`.
    pub spin: Duration,
    /// The time of the C compiler.
    pub compiler: Duration,
    /// The time of pan's searches.
    pub search: Duration,
    /// The time of replays by pan and simulations by SPIN.
    pub replay: Duration,
    /// The total memory of the greatest search, in MiB.
    pub memory_mib: f64,
    /// The memory of the deepest search stack, in MiB.
    pub stack_mib: f64,
}

impl Cost {
    /// Adds another cost: times are summed, of memory the maximum is kept.
    pub fn add(&mut self, other: &Self) {
        self.spin += other.spin;
        self.compiler += other.compiler;
        self.search += other.search;
        self.replay += other.replay;
        self.memory_mib = self.memory_mib.max(other.memory_mib);
        self.stack_mib = self.stack_mib.max(other.stack_mib);
    }
}

/// The result of a search for runs that end before a bound.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// The runs found, by their replayed trails: one, or all of them if all were asked for.
    Witnesses(Vec<End>),
    /// The search was exhaustive, and no run ends before the bound.
    None,
}

/// A reason for which SPIN gave no answer.
#[derive(Debug, Error)]
pub enum SpinError {
    /// The time limit or an interrupt stopped the work.
    #[error("{0}")]
    Stopped(Stop),
    /// The search did not fit into the memory, or was not exhaustive.
    #[error("{0}")]
    Cut(Cut),
    /// The model is wrong: a bug of this program.
    #[error("{fault}, in the search of {}", folder.display())]
    Fault {
        /// The fault of the model.
        fault: ModelFault,
        /// The folder of the model and the trail.
        folder: PathBuf,
    },
    /// A program could not be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A full disk: the tool could not write its output.
    #[error("`{command}` {status}: there is no room left in `{}`", folder.display())]
    NoRoom {
        /// The command line.
        command: String,
        /// The exit status, in words.
        status: String,
        /// The folder to which the tool writes.
        folder: PathBuf,
    },
    /// A tool refused its input.
    #[error("`{command}` {status}\n{output}")]
    Refused {
        /// The command line.
        command: String,
        /// The exit status, in words.
        status: String,
        /// The last lines of the tool's output.
        output: String,
    },
    /// The output of a tool that is not understood.
    #[error("the output of `{command}`, which {status}, is not understood: {reason}")]
    NotUnderstood {
        /// The command line.
        command: String,
        /// The exit status, in words.
        status: String,
        /// The part that is not understood.
        reason: NotUnderstood,
    },
    /// A file of the working folder that cannot be written or read.
    #[error(transparent)]
    File(#[from] std::io::Error),
}

/// The purpose of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Binary {
    /// A search for violations of the claim.
    Property,
    /// A search for invalid end states that shows the model's prints.
    Ends,
    /// A search like `Ends`, by the same pan, with a bound that falls.
    Descent,
}

/// A warning of pan about a claim without `-a`; a claim that is an assertion does not need `-a`.
const EXPECTED_WARNING: &str = "warning: never claim + accept labels requires -a flag to fully verify";
/// The name of the file with a model's tables, if they are not in its text.
pub const TABLES: &str = "tables.txt";
/// The number of free bytes on a disk below which a tool's failure is taken for want of room.
const ROOM: u64 = 1 << 16;
/// The greatest stack depth that is tried: a search that needs more will not end.
const DEEPEST: u64 = 1 << 40;

impl ModelChecker {
    /// Writes the model into `folder`. The model is translated and compiled before its first search.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn new(model: Model, folder: PathBuf, settings: Settings) -> Result<Self, SpinError> {
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("model.pml"), &model.text)?;
        if let Some(tables) = &model.tables {
            fs::write(folder.join(TABLES), tables)?;
        }
        Ok(Self { model, folder, settings, built: None, searches: 0, cost: Cost::default() })
    }

    /// The model that is checked.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Looks for a run that ends before `bound`, in ticks.
    ///
    /// # Errors
    /// If SPIN gives no answer.
    pub fn find(&mut self, bound: u64) -> Result<(Found, Statistics), SpinError> {
        let Some(record) = self.settings.record.clone() else { return self.find_with(bound, &[]) };
        let (model, tables) = self.model.sha256();
        let key = SearchKey { model, tables, bound };
        if let Some(SearchResult { witnesses, statistics }) = record.recall(&key) {
            return Ok((witnesses.map_or(Found::None, Found::Witnesses), statistics));
        }
        let (found, statistics) = self.find_with(bound, &[])?;
        let witnesses = if let Found::Witnesses(ends) = &found { Some(ends.clone()) } else { None };
        record.keep(&key, &SearchResult { witnesses, statistics })?;
        Ok((found, statistics))
    }

    /// Looks for all runs that end before `bound`, in ticks.
    ///
    /// # Errors
    /// If SPIN gives no answer.
    pub fn find_all(&mut self, bound: u64) -> Result<(Found, Statistics), SpinError> {
        self.find_with(bound, &["-c0", "-e"])
    }

    /// Checks that every run ends in DONE or in CUT at `bound`, and returns all ends.
    ///
    /// # Errors
    /// If SPIN gives no answer, or a run gets stuck.
    pub fn ends(&mut self, bound: u64) -> Result<(Vec<End>, Statistics), SpinError> {
        self.all_ends(Binary::Ends, Some(bound))
    }

    /// Runs all configurations to their ends, without a bound, and returns the ends.
    ///
    /// # Errors
    /// If SPIN gives no answer, or a run gets stuck.
    pub fn uncut_ends(&mut self) -> Result<(Vec<End>, Statistics), SpinError> {
        self.all_ends(Binary::Ends, None)
    }

    fn all_ends(&mut self, binary: Binary, bound: Option<u64>) -> Result<(Vec<End>, Statistics), SpinError> {
        let output = self.search(binary, bound, &[])?;
        match output.verdict {
            PanVerdict::Exhausted => Ok((output.ends, output.statistics)),
            verdict => Err(self.no_answer(verdict)),
        }
    }

    /// Runs all configurations with a falling bound: each run that ends before it lowers it to its time. Returns all
    /// ends.
    ///
    /// # Errors
    /// If SPIN gives no answer, or a run gets stuck.
    pub fn descend(&mut self, bound: u64) -> Result<(Vec<End>, Statistics), SpinError> {
        self.all_ends(Binary::Descent, Some(bound))
    }

    /// Runs a self-contained model once under plain SPIN, which chooses the configuration.
    ///
    /// # Errors
    /// If SPIN gives no answer.
    pub fn simulate(&mut self) -> Result<End, SpinError> {
        let spin = self.settings.toolchain.spin.path.clone();
        let task = Task::new(&spin, ["-n1", "-T", "-B", "model.pml"], &self.folder);
        let outcome = self.run(&task)?;
        self.cost.replay += outcome.elapsed;
        only_end(&task, &outcome)
    }

    fn find_with(&mut self, bound: u64, options: &[&str]) -> Result<(Found, Statistics), SpinError> {
        let output = self.search(Binary::Property, Some(bound), options)?;
        match output.verdict {
            PanVerdict::Exhausted => Ok((Found::None, output.statistics)),
            PanVerdict::ClaimViolated { .. } => Ok((Found::Witnesses(self.witnesses(bound)?), output.statistics)),
            verdict => Err(self.no_answer(verdict)),
        }
    }

    fn no_answer(&self, verdict: PanVerdict) -> SpinError {
        match verdict {
            PanVerdict::Inconclusive(cut) => SpinError::Cut(cut),
            PanVerdict::ModelError(fault) => SpinError::Fault { fault, folder: self.folder.clone() },
            PanVerdict::Exhausted | PanVerdict::ClaimViolated { .. } => unreachable!("these are answers"),
        }
    }

    /// Writes the options of the searches at the optimum of `ticks` ticks to `search.sh`, for `sh`.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn note_searches(&self, ticks: u64) -> Result<(), SpinError> {
        let search = self.search_task(Binary::Property, Some(ticks), &[]).arguments.join(" ");
        let compile = self.common_options().join(" ");
        let text = format!("ticks={ticks}\ncompile='{compile}'\nsearch='{search}'\n");
        Ok(fs::write(self.folder.join("search.sh"), text)?)
    }

    /// Runs one search, and repeats it with a deeper stack or a larger state vector whenever pan asks for that.
    fn search(&mut self, binary: Binary, bound: Option<u64>, options: &[&str]) -> Result<PanOutput, SpinError> {
        loop {
            self.build()?;
            self.remove_trails()?;
            let task = self.search_task(binary, bound, options);
            info!(target: "checker.search", "searching with pan for {} at {}", binary.looks_for(), name_of(bound));
            let outcome = self.run(&task)?;
            self.cost.search += outcome.elapsed;
            self.keep_output(binary, bound, &outcome)?;
            let output = read(&task, &outcome, binary)?;
            match output.verdict {
                PanVerdict::Inconclusive(Cut::Depth) if *self.depth(bound) < DEEPEST => *self.depth(bound) *= 2,
                PanVerdict::Inconclusive(Cut::VectorSize) if self.model.vector_bytes < 1 << 24 => {
                    self.model.vector_bytes *= 2;
                    self.built = None;
                }
                _ => {
                    self.check_answer(&task, &outcome, &output)?;
                    self.cost.memory_mib = self.cost.memory_mib.max(output.statistics.memory_mib);
                    self.cost.stack_mib = self.cost.stack_mib.max(output.statistics.stack_mib);
                    return Ok(output);
                }
            }
        }
    }

    /// Checks pan's answer: it must have exited well, taken a step, and, if it searched everything, seen each
    /// configuration.
    fn check_answer(&self, task: &Task, outcome: &Finished, output: &PanOutput) -> Result<(), SpinError> {
        let is_all = output.verdict == PanVerdict::Exhausted;
        if !is_all && !matches!(output.verdict, PanVerdict::ClaimViolated { .. }) {
            return Ok(());
        }
        let least = if is_all { self.model.candidates.len() as u64 } else { 1 };
        let Statistics { states, steps, .. } = output.statistics;
        let doubt = if !outcome.status.success() {
            NotUnderstood::Contradiction("it failed after its summary")
        } else if steps == 0 {
            NotUnderstood::Contradiction("it reached no depth")
        } else if states < least {
            NotUnderstood::TooFewStates { states, configurations: least }
        } else {
            return Ok(());
        };
        Err(not_understood(task, outcome, doubt))
    }

    /// The depth limit of searches with or without a bound.
    fn depth(&mut self, bound: Option<u64>) -> &mut u64 {
        if bound.is_some() { &mut self.model.depth } else { &mut self.model.uncut.depth }
    }

    fn search_task(&self, binary: Binary, bound: Option<u64>, options: &[&str]) -> Task {
        // A search stores a few states more than it has configurations: 4 slots for each, and at least 2^16.
        let slots = (self.model.candidates.len() as u64 * 4).next_power_of_two().ilog2().max(16);
        let depth = if bound.is_some() { self.model.depth } else { self.model.uncut.depth };
        let own = ["-n".to_owned(), format!("-w{slots}"), format!("-m{depth}")];
        let arguments = own.into_iter().chain(options.iter().map(ToString::to_string));
        let mut task = Task::new(&self.folder.join(binary.file()), arguments, &self.folder);
        task.variables = self.variables(bound);
        if binary == Binary::Descent {
            task.variables.push(("AUTOTUNE_DESCEND", "1".to_owned()));
        }
        task
    }

    fn variables(&self, bound: Option<u64>) -> Vec<(&'static str, String)> {
        let tables = self.model.tables.is_some().then(|| ("AUTOTUNE_TABLES", TABLES.to_owned()));
        tables.into_iter().chain(bound.map(|bound| ("AUTOTUNE_MT", bound.to_string()))).collect()
    }

    fn keep_output(&mut self, binary: Binary, bound: Option<u64>, outcome: &Finished) -> Result<(), SpinError> {
        self.searches += 1;
        let what = if binary == Binary::Descent { "descent" } else { binary.file() };
        let name = format!("{:02}-{what}-{}.txt", self.searches, name_of(bound));
        Ok(fs::write(self.folder.join(name), &outcome.stdout)?)
    }

    fn run(&self, task: &Task) -> Result<Finished, SpinError> {
        self.log(task)?;
        let outcome = process::run(task, &self.settings.limits)?;
        outcome.stopped.map_or(Ok(outcome), |stop| Err(SpinError::Stopped(stop)))
    }

    /// Appends the task to `commands.sh`, so that each step can be repeated by hand.
    fn log(&self, task: &Task) -> Result<(), SpinError> {
        use std::io::Write;
        let mut file = fs::OpenOptions::new().create(true).append(true).open(self.folder.join("commands.sh"))?;
        let program = match task.program.strip_prefix(&self.folder) {
            Ok(own) => Path::new(".").join(own),
            // Tools have other paths on the reader's machine, so only their usual names are written.
            Err(_) if task.program == self.settings.toolchain.spin.path => "spin".into(),
            Err(_) => "cc".into(),
        };
        let task = Task { program, ..task.clone() };
        Ok(writeln!(file, "{}", task.command_line())?)
    }
}

/// The bound as it appears in file names and messages.
fn name_of(bound: Option<u64>) -> String {
    bound.map_or("none".to_owned(), |bound| bound.to_string())
}

impl Binary {
    fn looks_for(self) -> &'static str {
        match self {
            Self::Property => "a faster run",
            Self::Ends => "stuck runs",
            Self::Descent => "ever faster runs",
        }
    }

    fn file(self) -> &'static str {
        match self {
            Self::Property => "pan",
            Self::Ends | Self::Descent => "pan_ends",
        }
    }
}

/// Reads the result of a search; an error unless everything that it printed is understood.
fn read(task: &Task, outcome: &Finished, binary: Binary) -> Result<PanOutput, SpinError> {
    let not_understood = |reason| not_understood(task, outcome, reason);
    if let Some(line) = outcome.stderr.lines().find(|line| !line.is_empty() && *line != EXPECTED_WARNING) {
        return Err(not_understood(NotUnderstood::Line(line.to_owned())));
    }
    let wanted = if binary == Binary::Property { Searched::Claim } else { Searched::EndStates };
    pan_output::read(&outcome.stdout, wanted).map_err(not_understood)
}

/// Returns the error for a full disk if the task's disk is full: then the tool's output does not show the reason.
fn no_room(task: &Task, outcome: &Finished) -> Option<SpinError> {
    let disk = statvfs(&task.folder).ok()?;
    let is_full = disk.blocks_available() * disk.fragment_size() < ROOM;
    let (command, status) = (task.command_line(), outcome.status_in_words());
    is_full.then(|| SpinError::NoRoom { command, status, folder: task.folder.clone() })
}

fn not_understood(task: &Task, outcome: &Finished, reason: NotUnderstood) -> SpinError {
    if let Some(full) = no_room(task, outcome) {
        return full;
    }
    SpinError::NotUnderstood { command: task.command_line(), status: outcome.status_in_words(), reason }
}

fn refused(task: &Task, outcome: &Finished) -> SpinError {
    if let Some(full) = no_room(task, outcome) {
        return full;
    }
    let all = format!("{}{}", outcome.stdout, outcome.stderr);
    let lines: Vec<&str> = all.lines().collect();
    let output = lines[lines.len().saturating_sub(12)..].join("\n");
    SpinError::Refused { command: task.command_line(), status: outcome.status_in_words(), output }
}
