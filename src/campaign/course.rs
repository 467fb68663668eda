//! The loop of a measurement: choose, build, verify, run, and choose again.

use std::path::{Path, PathBuf};
use std::thread;

use super::device::Device;
use super::error::MeasureError;
use super::journal::MeasureJournal;
use super::pick::Pick;
use super::request::MeasureRequest;
use super::runner::{Benchmark, CommandEnd, FailedCommand, PrintedTime, Runner, keep};
use super::state::MeasureState;
use crate::measuring::{CorrectedSpace, MeasuringError};
use crate::result::{MeasureEnd, MeasuredRunReport, RunPurpose, RunStatus, values};
use crate::session::{Inputs, SessionError};
use autotune_base::limits::Interrupt;
use autotune_engine::compare::measured::MeasuredRun;
use autotune_lowering::spec::Configuration;

/// A display of a measurement.
pub trait MeasureWatcher: Sync {
    /// A step begins: some configurations are built, or one is checked or run.
    fn step(&self, step: &str, configurations: &[&Configuration]);

    /// A run has ended.
    fn ended(&self, run: &MeasuredRunReport, state: &MeasureState);

    /// The first run whose time is above the wall-clock time of its command: its number, and both times in
    /// milliseconds.
    fn doubtful(&self, run: usize, time: f64, wall: f64);
}

/// A measurement: the configurations of a space, suggested and run by the user's commands.
pub struct Campaign<'a> {
    /// The space, corrected by all runs.
    pub space: CorrectedSpace<'a>,
    /// The progress.
    pub state: MeasureState,
    inputs: &'a Inputs,
    request: &'a MeasureRequest,
    benchmark: Box<dyn Benchmark + Sync + 'a>,
    interrupt: Interrupt,
    journal: MeasureJournal,
    folder: PathBuf,
    watcher: &'a dyn MeasureWatcher,
    /// The bytes of a torn last line of the journal that were cut off.
    pub torn: u64,
    /// True after a time above the wall-clock time of its command.
    is_doubtful: bool,
}

impl<'a> Campaign<'a> {
    /// Starts a measurement in a folder, or continues the one of its journal if `resume` is true.
    ///
    /// # Errors
    /// If the space has nothing to measure, or the journal cannot be used.
    pub fn open(
        inputs: &'a Inputs,
        request: &'a MeasureRequest,
        (folder, resume): (&Path, bool),
        interrupt: Interrupt,
        watcher: &'a dyn MeasureWatcher,
    ) -> Result<Self, MeasureError> {
        let here = std::env::current_dir().map_err(|why| MeasureError::Output { path: PathBuf::from("."), why })?;
        let runner = Runner { spec: &inputs.spec, request, folder: here, interrupt: interrupt.clone() };
        Self::with(inputs, request, (folder, resume), (Box::new(runner), interrupt), watcher)
    }

    fn with(
        inputs: &'a Inputs,
        request: &'a MeasureRequest,
        (folder, resume): (&Path, bool),
        (benchmark, interrupt): (Box<dyn Benchmark + Sync + 'a>, Interrupt),
        watcher: &'a dyn MeasureWatcher,
    ) -> Result<Self, MeasureError> {
        let among = inputs.only.as_ref().map(std::slice::from_ref);
        let space = CorrectedSpace::of(&inputs.spec, &inputs.profile, &inputs.reader, among)?;
        let (journal, state, torn) = MeasureJournal::open(folder, request, resume)?;
        let mut campaign = Self {
            space,
            state,
            inputs,
            request,
            benchmark,
            interrupt,
            journal,
            folder: folder.to_owned(),
            watcher,
            torn,
            is_doubtful: false,
        };
        let known: Vec<MeasuredRun> = campaign.state.runs().map(|(one, run)| measured(one, run)).collect();
        campaign.tell(&known)?;
        Ok(campaign)
    }

    /// Measures until a limit ends it, and measures the best again. Returns the reason for the end.
    ///
    /// # Errors
    /// If the journal cannot be written, or the system fails. A run that fails is not an error.
    pub fn run(&mut self) -> Result<MeasureEnd, MeasureError> {
        let builds = self.builds();
        if self.state.stopped.is_some() {
            let repeated = self.state.to_repeat(self.request.limits.repeat);
            self.choose(repeated)?;
        }
        loop {
            if self.interrupt.is_raised() {
                return Ok(MeasureEnd::Interrupt);
            }
            match self.state.device() {
                Device::Gone => return self.stop(MeasureEnd::Device),
                Device::Doubtful(probe) => self.choose(vec![probe])?,
                Device::Fine => {}
            }
            let open = self.state.open(builds);
            if !open.is_empty() {
                self.measure(&open)?;
                continue;
            }
            let end = match self.suggested() {
                Ok(picks) => {
                    self.choose(picks)?;
                    continue;
                }
                Err(end) => end,
            };
            let again = self.state.to_confirm(self.request.limits.repeat);
            if again.is_empty() {
                return self.stop(end);
            }
            self.choose(again)?;
        }
    }

    /// Records why nothing more is measured, unless nothing was since that was recorded.
    fn stop(&mut self, why: MeasureEnd) -> Result<MeasureEnd, MeasureError> {
        if self.state.stopped.is_none() {
            self.journal.stopped(why).map_err(lost)?;
            self.state.stop(why);
        }
        Ok(why)
    }

    /// The number of builds at a time. Without a build, one suggestion follows the other.
    fn builds(&self) -> usize {
        if self.request.commands.build.is_some() { self.request.limits.builds } else { 1 }
    }

    /// The next suggestions, or the reason why there are none.
    fn suggested(&mut self) -> Result<Vec<Pick>, MeasureEnd> {
        let limits = &self.request.limits;
        let left = limits.configurations.saturating_sub(self.state.suggested());
        if left == 0 {
            return Err(MeasureEnd::Runs);
        }
        let next = self.space.next(left.min(self.builds()));
        if next.is_empty() {
            return Err(MeasureEnd::Space);
        }
        if self.space.greatest_expected_gain() < limits.until {
            return Err(MeasureEnd::Until);
        }
        let pick = |one: crate::measuring::Suggestion| Pick {
            values: one.configuration.0,
            predicted: one.predicted,
            purpose: RunPurpose::Suggested,
            runs: limits.repeat,
        };
        Ok(next.into_iter().map(pick).collect())
    }

    fn choose(&mut self, picks: Vec<Pick>) -> Result<(), MeasureError> {
        if !picks.is_empty() {
            self.journal.chosen(&picks).map_err(lost)?;
            self.state.choose(picks);
        }
        Ok(())
    }

    /// Builds some picks at a time, then runs one after the other.
    fn measure(&mut self, picks: &[usize]) -> Result<(), MeasureError> {
        let configurations: Vec<Configuration> =
            picks.iter().map(|pick| self.state.picks[*pick].configuration()).collect();
        if self.request.commands.build.is_some() {
            self.watcher.step("building", &configurations.iter().collect::<Vec<_>>());
        }
        let benchmark = &self.benchmark;
        let built: Vec<Result<CommandEnd<()>, MeasureError>> = thread::scope(|scope| {
            let builds: Vec<_> =
                configurations.iter().map(|configuration| scope.spawn(|| benchmark.build(configuration))).collect();
            let joined = |build: thread::ScopedJoinHandle<'_, _>| match build.join() {
                Ok(built) => built,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            builds.into_iter().map(joined).collect()
        });
        for ((pick, configuration), built) in picks.iter().zip(&configurations).zip(built) {
            match built? {
                CommandEnd::Interrupted => return Ok(()),
                CommandEnd::Failed(failed) => self.ended(*pick, Err(failed))?,
                CommandEnd::Ended(()) => {
                    if !self.verify_and_run(*pick, configuration)? {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// Checks a pick, unless it was, and runs it to its end. Returns false if it is to stop.
    fn verify_and_run(&mut self, pick: usize, configuration: &Configuration) -> Result<bool, MeasureError> {
        if self.request.commands.verify.is_some() && self.state.is_unchecked(pick) {
            self.watcher.step("checking", &[configuration]);
            match self.benchmark.verify(configuration)? {
                CommandEnd::Interrupted => return Ok(false),
                CommandEnd::Failed(failed) => return self.failed(pick, failed),
                CommandEnd::Ended(()) => {
                    self.journal.verified(pick).map_err(lost)?;
                    self.state.verified.insert(pick);
                }
            }
        }
        while !self.state.has_ended(pick) {
            self.watcher.step("running", &[configuration]);
            match self.benchmark.time(configuration)? {
                CommandEnd::Interrupted => return Ok(false),
                CommandEnd::Failed(failed) => {
                    if !self.failed(pick, failed)? {
                        return Ok(false);
                    }
                }
                CommandEnd::Ended(time) => {
                    self.ended(pick, Ok(time.milliseconds))?;
                    self.doubt(time);
                }
            }
        }
        Ok(true)
    }

    /// Records a failed run. Returns false if the device is to be looked at before anything else.
    fn failed(&mut self, pick: usize, failed: FailedCommand) -> Result<bool, MeasureError> {
        self.ended(pick, Err(failed))?;
        Ok(self.state.device() == Device::Fine)
    }

    /// Warns of the first time that cannot be a part of its command's, which is that of the last run.
    fn doubt(&mut self, time: PrintedTime) {
        if time.milliseconds > time.wall && !std::mem::replace(&mut self.is_doubtful, true) {
            self.watcher.doubtful(self.state.number(), time.milliseconds, time.wall);
        }
    }

    /// Records the end of a run.
    fn ended(&mut self, pick: usize, end: Result<f64, FailedCommand>) -> Result<(), MeasureError> {
        let number = self.state.number() + 1;
        let Pick { predicted, purpose, .. } = self.state.picks[pick];
        let configuration = self.state.picks[pick].configuration();
        let has_clock = self.inputs.profile.microseconds(1).is_some();
        let (time_ms, status, reason, output) = match end {
            Ok(time) => (Some(time), RunStatus::Ok, None, None),
            Err(failed) => {
                let output = keep(&self.folder, number, &failed.output)?;
                (None, failed.status, Some(failed.reason), Some(output))
            }
        };
        let run = MeasuredRunReport {
            number,
            parameters: values(&self.inputs.spec, &configuration),
            purpose,
            predicted_ms: has_clock.then_some(predicted),
            predicted_ticks: (!has_clock).then_some(predicted),
            status,
            time_ms,
            reason,
            output,
        };
        self.journal.ended(pick, &run).map_err(lost)?;
        self.tell(&[measured(configuration, &run)])?;
        self.state.add(pick, run.clone());
        self.watcher.ended(&run, &self.state);
        Ok(())
    }

    fn tell(&mut self, runs: &[MeasuredRun]) -> Result<(), MeasureError> {
        self.space.tell(runs).map_err(MeasuringError::from)?;
        Ok(())
    }
}

fn measured(configuration: Configuration, run: &MeasuredRunReport) -> MeasuredRun {
    MeasuredRun { configuration, milliseconds: run.time_ms }
}

fn lost(error: SessionError) -> MeasureError {
    MeasureError::Lost(Box::new(error))
}

#[cfg(test)]
mod tests;
