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

use super::pan_output::{self, Cut, End, ModelFault, NotUnderstood, PanOutput, Searched, Statistics, Verdict};
use super::record::{Record, SearchKey, SearchResult};
use super::toolchain::Toolchain;
use crate::files::cache::Cache;
use crate::limits::{Limits, Stop};
use crate::model::Model;
use crate::process;
use crate::process::{Outcome, ProcessError, Task};
use build::Built;
pub use trails::WITNESSES;
use trails::only_end;

/// How a search may be run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// SPIN and the compiler.
    pub toolchain: Toolchain,
    /// When to stop.
    pub limits: Limits,
    /// Memory of one search, in MiB.
    pub memory_mib: u64,
    /// Where compiled searches are kept for other questions, if they are.
    pub cache: Option<Cache>,
    /// Searches that have been made before, where they are remembered.
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
    /// Time and memory that this model has cost until now.
    pub cost: Cost,
}

/// Where time went, and the greatest memory of a search.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cost {
    /// `spin -a`.
    pub spin: Duration,
    /// The C compiler.
    pub compiler: Duration,
    /// pan, searching.
    pub search: Duration,
    /// pan or SPIN, replaying and simulating.
    pub replay: Duration,
    /// MiB of the greatest search, all in all.
    pub memory_mib: f64,
    /// MiB of its stack.
    pub stack_mib: f64,
}

impl Cost {
    /// Adds what something else has cost.
    pub fn add(&mut self, other: &Self) {
        self.spin += other.spin;
        self.compiler += other.compiler;
        self.search += other.search;
        self.replay += other.replay;
        self.memory_mib = self.memory_mib.max(other.memory_mib);
        self.stack_mib = self.stack_mib.max(other.stack_mib);
    }
}

/// What a search for runs that end before a bound shows.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// Such runs, by their replayed trails: one, or all if all were asked for.
    Witnesses(Vec<End>),
    /// There is none.
    None,
}

/// Why SPIN gave no answer.
#[derive(Debug, Error)]
pub enum SpinError {
    /// The limits of the user were exceeded.
    #[error("{0}")]
    Stopped(Stop),
    /// A search cannot be finished within the memory allowed, or is not exhaustive.
    #[error("{0}")]
    Cut(Cut),
    /// The model is wrong: a bug of this program.
    #[error("{fault}, in the search of {}", folder.display())]
    Fault {
        /// What is wrong.
        fault: ModelFault,
        /// Where model and trail are.
        folder: PathBuf,
    },
    /// A program could not be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A tool had nowhere to write to.
    #[error("`{command}` {status}: there is no room left in `{}`", folder.display())]
    NoRoom {
        /// What was run.
        command: String,
        /// How it ended.
        status: String,
        /// Where it was to write.
        folder: PathBuf,
    },
    /// A tool refuses what it was given.
    #[error("`{command}` {status}\n{output}")]
    Refused {
        /// What was run.
        command: String,
        /// How it ended.
        status: String,
        /// The end of what it printed.
        output: String,
    },
    /// The output of a tool is not understood.
    #[error("the output of `{command}`, which {status}, is not understood: {reason}")]
    NotUnderstood {
        /// What was run.
        command: String,
        /// How it ended.
        status: String,
        /// What is not understood.
        reason: NotUnderstood,
    },
    /// A file of the working folder cannot be written or read.
    #[error(transparent)]
    File(#[from] std::io::Error),
}

/// What a search is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Binary {
    /// The claim.
    Property,
    /// Invalid end states, with the model's prints.
    Ends,
    /// The same by the same pan, with a bound that falls.
    Descent,
}

/// pan warns of a claim without `-a`, which a claim that is an assertion does not need.
const EXPECTED_WARNING: &str = "warning: never claim + accept labels requires -a flag to fully verify";
/// The file of a model's tables, where they are not in its text.
pub const TABLES: &str = "tables.txt";
/// Where fewer bytes are left, a tool fails for want of room.
const ROOM: u64 = 1 << 16;
/// A search that needs a deeper stack than this has no end.
const DEEPEST: u64 = 1 << 40;

impl ModelChecker {
    /// Writes the model into `folder`. It is translated and compiled before its first search.
    ///
    /// # Errors
    /// The folder cannot be written.
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

    /// Looks for a run that ends before `bound`.
    ///
    /// # Errors
    /// SPIN gave no answer.
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

    /// Looks for all runs that end before `bound`.
    ///
    /// # Errors
    /// SPIN gave no answer.
    pub fn find_all(&mut self, bound: u64) -> Result<(Found, Statistics), SpinError> {
        self.find_with(bound, &["-c0", "-e"])
    }

    /// Searches for runs that end neither in DONE nor in CUT, and returns all ends.
    ///
    /// # Errors
    /// SPIN gave no answer, or a run gets stuck.
    pub fn ends(&mut self, bound: u64) -> Result<(Vec<End>, Statistics), SpinError> {
        self.all_ends(Binary::Ends, Some(bound))
    }

    /// Runs all configurations to their ends, without a bound, and returns these.
    ///
    /// # Errors
    /// SPIN gave no answer, or a run gets stuck.
    pub fn uncut_ends(&mut self) -> Result<(Vec<End>, Statistics), SpinError> {
        self.all_ends(Binary::Ends, None)
    }

    fn all_ends(&mut self, binary: Binary, bound: Option<u64>) -> Result<(Vec<End>, Statistics), SpinError> {
        let output = self.search(binary, bound, &[])?;
        match output.verdict {
            Verdict::Exhausted => Ok((output.ends, output.statistics)),
            verdict => Err(self.no_answer(verdict)),
        }
    }

    /// Runs all configurations, with a bound that each run before it lowers to its time, and returns all ends.
    ///
    /// # Errors
    /// SPIN gave no answer, or a run gets stuck.
    pub fn descend(&mut self, bound: u64) -> Result<(Vec<End>, Statistics), SpinError> {
        self.all_ends(Binary::Descent, Some(bound))
    }

    /// Runs a self-contained model once under plain SPIN, with SPIN's choice of the configuration.
    ///
    /// # Errors
    /// SPIN gave no answer.
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
            Verdict::Exhausted => Ok((Found::None, output.statistics)),
            Verdict::ClaimViolated { .. } => Ok((Found::Witnesses(self.witnesses(bound)?), output.statistics)),
            verdict => Err(self.no_answer(verdict)),
        }
    }

    fn no_answer(&self, verdict: Verdict) -> SpinError {
        match verdict {
            Verdict::Inconclusive(cut) => SpinError::Cut(cut),
            Verdict::ModelError(fault) => SpinError::Fault { fault, folder: self.folder.clone() },
            Verdict::Exhausted | Verdict::ClaimViolated { .. } => unreachable!("these are answers"),
        }
    }

    /// Notes how the searches at the optimum of so many ticks are made, for `sh`.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn note_searches(&self, ticks: u64) -> Result<(), SpinError> {
        let search = self.search_task(Binary::Property, Some(ticks), &[]).arguments.join(" ");
        let compile = self.common_options().join(" ");
        let text = format!("ticks={ticks}\ncompile='{compile}'\nsearch='{search}'\n");
        Ok(fs::write(self.folder.join("search.sh"), text)?)
    }

    /// Runs one search, with a deeper stack or a larger state vector as often as pan asks for it.
    fn search(&mut self, binary: Binary, bound: Option<u64>, options: &[&str]) -> Result<PanOutput, SpinError> {
        loop {
            self.build()?;
            self.remove_trails()?;
            let task = self.search_task(binary, bound, options);
            info!("searching with pan for {} at {}", binary.looks_for(), name_of(bound));
            let outcome = self.run(&task)?;
            self.cost.search += outcome.elapsed;
            self.keep_output(binary, bound, &outcome)?;
            let output = read(&task, &outcome, binary)?;
            match output.verdict {
                Verdict::Inconclusive(Cut::Depth) if *self.depth(bound) < DEEPEST => *self.depth(bound) *= 2,
                Verdict::Inconclusive(Cut::VectorSize) if self.model.vector_bytes < 1 << 24 => {
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

    /// What pan says counts only if it ended well, took a step, and saw each configuration where it searched all of them.
    fn check_answer(&self, task: &Task, outcome: &Outcome, output: &PanOutput) -> Result<(), SpinError> {
        let is_all = output.verdict == Verdict::Exhausted;
        if !is_all && !matches!(output.verdict, Verdict::ClaimViolated { .. }) {
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

    /// The depth limit of a search.
    fn depth(&mut self, bound: Option<u64>) -> &mut u64 {
        if bound.is_some() { &mut self.model.depth } else { &mut self.model.uncut.depth }
    }

    fn search_task(&self, binary: Binary, bound: Option<u64>, options: &[&str]) -> Task {
        // Stored states are one a configuration and a few: a table of 2^16 slots at least, of four a configuration.
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

    fn keep_output(&mut self, binary: Binary, bound: Option<u64>, outcome: &Outcome) -> Result<(), SpinError> {
        self.searches += 1;
        let what = if binary == Binary::Descent { "descent" } else { binary.file() };
        let name = format!("{:02}-{what}-{}.txt", self.searches, name_of(bound));
        Ok(fs::write(self.folder.join(name), &outcome.stdout)?)
    }

    fn run(&self, task: &Task) -> Result<Outcome, SpinError> {
        self.log(task)?;
        let outcome = process::run(task, &self.settings.limits)?;
        outcome.stopped.map_or(Ok(outcome), |stop| Err(SpinError::Stopped(stop)))
    }

    /// Notes the task in `commands.sh`, so that each step can be repeated by hand.
    fn log(&self, task: &Task) -> Result<(), SpinError> {
        use std::io::Write;
        let mut file = fs::OpenOptions::new().create(true).append(true).open(self.folder.join("commands.sh"))?;
        let program = match task.program.strip_prefix(&self.folder) {
            Ok(own) => Path::new(".").join(own),
            // Who repeats it has tools of other names and places.
            Err(_) if task.program == self.settings.toolchain.spin.path => "spin".into(),
            Err(_) => "cc".into(),
        };
        let task = Task { program, ..task.clone() };
        Ok(writeln!(file, "{}", task.command_line())?)
    }
}

/// A bound in names of files and in messages.
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

/// What a search shows, if all that it printed is understood.
fn read(task: &Task, outcome: &Outcome, binary: Binary) -> Result<PanOutput, SpinError> {
    let not_understood = |reason| not_understood(task, outcome, reason);
    if let Some(line) = outcome.stderr.lines().find(|line| !line.is_empty() && *line != EXPECTED_WARNING) {
        return Err(not_understood(NotUnderstood::Line(line.to_owned())));
    }
    let wanted = if binary == Binary::Property { Searched::Claim } else { Searched::EndStates };
    pan_output::read(&outcome.stdout, wanted).map_err(not_understood)
}

/// That a tool had nowhere to write to, if so: then what it says is not the reason.
fn no_room(task: &Task, outcome: &Outcome) -> Option<SpinError> {
    let disk = statvfs(&task.folder).ok()?;
    let is_full = disk.blocks_available() * disk.fragment_size() < ROOM;
    let (command, status) = (task.command_line(), outcome.status_in_words());
    is_full.then(|| SpinError::NoRoom { command, status, folder: task.folder.clone() })
}

fn not_understood(task: &Task, outcome: &Outcome, reason: NotUnderstood) -> SpinError {
    if let Some(full) = no_room(task, outcome) {
        return full;
    }
    SpinError::NotUnderstood { command: task.command_line(), status: outcome.status_in_words(), reason }
}

fn refused(task: &Task, outcome: &Outcome) -> SpinError {
    if let Some(full) = no_room(task, outcome) {
        return full;
    }
    let all = format!("{}{}", outcome.stdout, outcome.stderr);
    let lines: Vec<&str> = all.lines().collect();
    let output = lines[lines.len().saturating_sub(12)..].join("\n");
    SpinError::Refused { command: task.command_line(), status: outcome.status_in_words(), output }
}
