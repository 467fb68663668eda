//! One model under SPIN: generated and compiled once, searched with any bound, its trails replayed.

mod build;
mod level;
mod outcome;
mod state;
mod trails;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fs_err as fs;
use tracing::info;

use super::pan_output::{self, Claim, Cut, End, NotUnderstood, PanOutput, PanVerdict, Searched, Statistics};
use super::record::{SearchKey, SearchResult};
use crate::model::Model;
use crate::spin::checker::outcome::{Binary, not_understood};
use autotune_base::process;
use autotune_base::process::{Finished, Task};
use trails::only_end;

pub use outcome::{Found, Settings, SpinCost, SpinError};
pub use state::ModelChecker;
pub use trails::WITNESSES;

/// A warning of pan about a claim without `-a`; a claim that is an assertion does not need `-a`.
const EXPECTED_WARNING: &str = "warning: never claim + accept labels requires -a flag to fully verify";
/// The name of the file with a model's tables, if they are not in its text.
pub const TABLES: &str = "tables.txt";
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
        Ok(Self { model, folder, settings, built: None, searches: 0, cost: SpinCost::default() })
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
        let Some(record) = self.settings.record.clone() else {
            return self.find_with(Claim::Optimum, bound, &[], true);
        };
        let (model, tables) = self.model.sha256();
        let key = SearchKey { model, tables, bound };
        if let Some(SearchResult { witnesses, statistics }) = record.recall(&key) {
            return Ok((witnesses.map_or(Found::None, Found::Witnesses), statistics));
        }
        let (found, statistics) = self.find_with(Claim::Optimum, bound, &[], true)?;
        let witnesses = if let Found::Witnesses(ends) = &found { Some(ends.clone()) } else { None };
        record.keep(&key, &SearchResult { witnesses, statistics })?;
        Ok((found, statistics))
    }

    /// Looks for a behaviour that violates one of the two properties of a model of every order, at `bound` ticks.
    ///
    /// # Errors
    /// If SPIN gives no answer.
    pub fn find_extreme(&mut self, claim: Claim, bound: u64) -> Result<(Found, Statistics), SpinError> {
        self.find_with(claim, bound, &["-N", claim.name()], true)
    }

    /// Looks for all runs that end before `bound`, in ticks.
    ///
    /// # Errors
    /// If SPIN gives no answer.
    pub fn find_all(&mut self, bound: u64) -> Result<(Found, Statistics), SpinError> {
        if self.settings.replays_all {
            self.find_with(Claim::Optimum, bound, &["-c0", "-e"], true)
        } else {
            self.find_with(Claim::Optimum, bound, &["-c0"], false)
        }
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

    /// Looks for runs that violate a property at `bound`. They are those of the trails, if these are replayed, or else those
    /// that the search shows; one run may violate the property several times.
    fn find_with(
        &mut self,
        claim: Claim,
        bound: u64,
        options: &[&str],
        replays: bool,
    ) -> Result<(Found, Statistics), SpinError> {
        let output = self.search(Binary::Property(claim), Some(bound), options)?;
        let found = match output.verdict {
            PanVerdict::Exhausted => Found::None,
            PanVerdict::ClaimViolated { .. } if replays => {
                let shown = (!self.settings.replays_all).then_some(output.ends.as_slice());
                Found::Witnesses(self.witnesses(claim, bound, shown)?)
            }
            PanVerdict::ClaimViolated { .. } => {
                let runs: BTreeSet<End> = violating(claim, bound, &output.ends).collect();
                Found::Witnesses(runs.into_iter().collect())
            }
            verdict => return Err(self.no_answer(verdict)),
        };
        Ok((found, output.statistics))
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
        let search = self.search_task(Binary::Property(Claim::Optimum), Some(ticks), &[]).arguments.join(" ");
        self.note(&format!("ticks={ticks}\n"), &search)
    }

    /// Writes the options of the searches of a model of every order, and the extremes that they show, to `search.sh`.
    ///
    /// # Errors
    /// If the folder cannot be written.
    pub fn note_extremes(&self, extremes: &[(Claim, u64)]) -> Result<(), SpinError> {
        let search = self.search_task(Binary::Ends, None, &[]).arguments.join(" ");
        let times: Vec<String> = extremes.iter().map(|(claim, ticks)| format!("{}={ticks}\n", claim.name())).collect();
        self.note(&times.concat(), &search)
    }

    /// Writes lines with times, and the options of the compiler and of a search.
    fn note(&self, times: &str, search: &str) -> Result<(), SpinError> {
        let level = self.built.as_ref().map_or_else(|| self.level(), |built| built.level);
        let compile = self.common_options(level).join(" ");
        Ok(fs::write(self.folder.join("search.sh"), format!("{times}compile='{compile}'\nsearch='{search}'\n"))?)
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
                    self.check_answer(&task, &outcome, binary.claim().zip(bound), &output)?;
                    self.cost.memory_mib = self.cost.memory_mib.max(output.statistics.memory_mib);
                    self.cost.stack_mib = self.cost.stack_mib.max(output.statistics.stack_mib);
                    return Ok(output);
                }
            }
        }
    }

    /// Checks pan's answer: it must have exited well, taken a step, and, if it searched everything, seen each
    /// configuration. `property` is the one that was searched, with its bound.
    fn check_answer(
        &self,
        task: &Task,
        outcome: &Finished,
        property: Option<(Claim, u64)>,
        output: &PanOutput,
    ) -> Result<(), SpinError> {
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
        } else if !self.shows_runs(property, output) {
            NotUnderstood::Contradiction("the runs that it shows are not those of its errors")
        } else {
            return Ok(());
        };
        Err(not_understood(task, outcome, doubt))
    }

    /// True unless a search of a property shows the ends of its runs, and they do not fit its errors: each run on the wrong
    /// side of the bound violates the property, some of them several times.
    fn shows_runs(&self, property: Option<(Claim, u64)>, output: &PanOutput) -> bool {
        let Some((claim, bound)) = property.filter(|_| !self.settings.replays_all) else { return true };
        let shown = violating(claim, bound, &output.ends).count() as u64;
        match output.verdict {
            PanVerdict::ClaimViolated { errors } => (1..=errors).contains(&shown),
            PanVerdict::Exhausted => shown == 0,
            _ => true,
        }
    }

    /// The depth limit of searches with or without a bound.
    fn depth(&mut self, bound: Option<u64>) -> &mut u64 {
        if bound.is_some() { &mut self.model.depth } else { &mut self.model.uncut.depth }
    }

    fn search_task(&self, binary: Binary, bound: Option<u64>, options: &[&str]) -> Task {
        // 4 slots for each state that a search is expected to store, and at least 2^16.
        let slots = (self.model.states * 4).next_power_of_two().ilog2().max(16);
        let depth = if bound.is_some() { self.model.depth } else { self.model.uncut.depth };
        let own = ["-n".to_owned(), format!("-w{slots}"), format!("-m{depth}")];
        let arguments = own.into_iter().chain(options.iter().map(ToString::to_string));
        let mut task = Task::new(&self.folder.join(binary.file()), arguments, &self.folder);
        task.variables = self.variables(bound);
        if binary == Binary::Descent {
            task.variables.push(("AUTOTUNE_DESCEND".to_owned(), "1".to_owned()));
        }
        task
    }

    fn variables(&self, bound: Option<u64>) -> Vec<(String, String)> {
        let tables = self.model.tables.is_some().then(|| ("AUTOTUNE_TABLES".to_owned(), TABLES.to_owned()));
        tables.into_iter().chain(bound.map(|bound| ("AUTOTUNE_MT".to_owned(), bound.to_string()))).collect()
    }

    fn keep_output(&mut self, binary: Binary, bound: Option<u64>, outcome: &Finished) -> Result<(), SpinError> {
        self.searches += 1;
        let what = binary.word();
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
        let mut task = Task { program, ..task.clone() };
        // The words of a program that is several tools.
        let words = &self.settings.toolchain.compiler.words;
        if !words.is_empty() && task.arguments.starts_with(words) {
            task.arguments.drain(..words.len());
        }
        Ok(writeln!(file, "{}", task.command_line())?)
    }
}

/// The ends that violate a property at a bound, in ticks.
fn violating(claim: Claim, bound: u64, ends: &[End]) -> impl Iterator<Item = End> {
    ends.iter().copied().filter(move |end| claim.is_violated_by(end, bound))
}

/// The bound as it appears in file names and messages.
fn name_of(bound: Option<u64>) -> String {
    bound.map_or("none".to_owned(), |bound| bound.to_string())
}

/// Reads the result of a search; an error unless everything that it printed is understood.
fn read(task: &Task, outcome: &Finished, binary: Binary) -> Result<PanOutput, SpinError> {
    let not_understood = |reason| not_understood(task, outcome, reason);
    if let Some(line) = outcome.stderr.lines().find(|line| !line.is_empty() && *line != EXPECTED_WARNING) {
        return Err(not_understood(NotUnderstood::Line(line.to_owned())));
    }
    let wanted = binary.claim().map_or(Searched::EndStates, Searched::Claim);
    pan_output::read(&outcome.stdout, wanted).map_err(not_understood)
}
