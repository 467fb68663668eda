//! The progress of a measurement, as its journal states it.

use std::collections::HashSet;

use serde_json::Value;

use super::device::Device;
use super::pick::Pick;
use crate::measuring::{LEAST_RUNS, RepeatedRuns, RunEnd};
use crate::result::{MeasureEnd, MeasuredRunReport, RunPurpose, RunStatus};
use autotune_base::text::words::label;
use autotune_lowering::spec::Configuration;

/// The failed runs of a pick after which it ends.
const MOST_FAILED: usize = 3;

/// The ended runs of a pick.
#[derive(Debug, Clone, Copy, Default)]
struct Progress {
    succeeded: usize,
    failed: usize,
    has_ended: bool,
}

/// The progress of a measurement.
#[derive(Debug, Clone, Default)]
pub struct MeasureState {
    /// The configurations that were chosen.
    pub(super) picks: Vec<Pick>,
    /// The picks whose check has succeeded.
    pub(super) verified: HashSet<usize>,
    /// The reason why the measurement stopped; `None` while it goes on.
    pub(super) stopped: Option<MeasureEnd>,
    progress: Vec<Progress>,
    runs: Vec<(usize, MeasuredRunReport)>,
    repeated: RepeatedRuns,
    /// The runs that failed since one succeeded or the measurement stopped. Builds say nothing of the device.
    failed_in_a_row: usize,
}

impl MeasureState {
    /// Sentences, one for each claim of a pick's run that the run or the pick contradicts; empty if none does.
    pub(super) fn contradictions(&self, pick: usize, run: &MeasuredRunReport) -> Vec<String> {
        let (number, chosen) = (run.number, &self.picks[pick]);
        let mut wrong = contradictions(run);
        if !run.parameters.values().map(Value::as_i64).eq(chosen.values.iter().copied().map(Some)) {
            let told = label(&run.parameters);
            wrong.push(format!("run {number} is of {told}, but {:?} was chosen", chosen.values));
        }
        if run.purpose != chosen.purpose || run.predicted_ms.or(run.predicted_ticks) != Some(chosen.predicted) {
            wrong.push(format!("run {number} has another purpose or prediction than what was chosen"));
        }
        if self.has_ended(pick) {
            wrong.push(format!("run {number} follows the last run of what was chosen"));
        }
        wrong
    }

    /// Adds picks: the measurement goes on.
    pub(super) fn choose(&mut self, picks: Vec<Pick>) {
        self.picks.extend(picks);
        self.progress.resize(self.picks.len(), Progress::default());
        self.stopped = None;
    }

    /// Adds the end of a run.
    pub(super) fn add(&mut self, pick: usize, run: MeasuredRunReport) {
        let Pick { purpose, runs, .. } = self.picks[pick];
        let configuration = self.picks[pick].configuration();
        let end = match run.status {
            RunStatus::Ok => run.time_ms.map_or(RunEnd::Failed, RunEnd::Took),
            RunStatus::BuildFailed => RunEnd::Unbuildable,
            RunStatus::Wrong | RunStatus::RunFailed | RunStatus::TimedOut | RunStatus::NoTime => RunEnd::Failed,
        };
        if purpose == RunPurpose::Suggested {
            self.repeated.suggested();
        }
        self.repeated.tell(&configuration, end, purpose == RunPurpose::Confirmed);
        let may_run = self.may_run(&configuration);
        let progress = &mut self.progress[pick];
        match end {
            RunEnd::Took(_) => {
                progress.succeeded += 1;
                progress.has_ended |= progress.succeeded >= runs;
                self.failed_in_a_row = 0;
            }
            RunEnd::Failed | RunEnd::Unbuildable => {
                progress.failed += 1;
                progress.has_ended |= purpose == RunPurpose::Probe || !may_run || progress.failed >= MOST_FAILED;
                self.failed_in_a_row += usize::from(end == RunEnd::Failed);
            }
        }
        self.runs.push((pick, run));
    }

    /// Notes why the measurement stops. What failed before says nothing of the device that it goes on with.
    pub(super) fn stop(&mut self, why: MeasureEnd) {
        self.stopped = Some(why);
        self.failed_in_a_row = 0;
    }

    /// True if the configuration ran, and is not given up.
    fn may_run(&self, configuration: &Configuration) -> bool {
        self.repeated.has_run(configuration) && !self.repeated.is_given_up(configuration)
    }

    /// The verdict of the last runs on the device.
    pub(super) fn device(&self) -> Device {
        let Some((pick, run)) = self.runs.last().filter(|_| self.open_probe().is_none()) else { return Device::Fine };
        if matches!(run.status, RunStatus::Ok | RunStatus::BuildFailed) || self.stopped.is_some() {
            return Device::Fine;
        }
        if run.purpose == RunPurpose::Probe {
            return Device::Gone;
        }
        let configuration = self.picks[*pick].configuration();
        Device::after_failure(self.may_run(&configuration), self.failed_in_a_row, self.probe(&configuration))
    }

    /// The pick that asks whether the device is there; `None` if nothing has run.
    fn probe(&self, failed: &Configuration) -> Option<Pick> {
        let configuration = self.repeated.probe(failed)?;
        self.again(configuration, RunPurpose::Probe, 1)
    }

    fn open_probe(&self) -> Option<usize> {
        let last = self.picks.iter().rposition(|pick| pick.purpose == RunPurpose::Probe)?;
        (!self.has_ended(last)).then_some(last)
    }

    /// The first picks that have not ended, at most `count`. The question whether the device is there comes first.
    pub(super) fn open(&self, count: usize) -> Vec<usize> {
        let probe = self.open_probe().map(|probe| vec![probe]);
        probe.unwrap_or_else(|| (0..self.picks.len()).filter(|&pick| !self.has_ended(pick)).take(count).collect())
    }

    /// True if a pick has all its runs, or they cannot be had.
    pub(super) fn has_ended(&self, pick: usize) -> bool {
        self.progress[pick].has_ended || self.repeated.is_given_up(&self.picks[pick].configuration())
    }

    /// The number of configurations that were suggested.
    #[must_use]
    pub fn suggested(&self) -> usize {
        self.picks.iter().filter(|pick| pick.purpose == RunPurpose::Suggested).count()
    }

    /// The configurations to measure again, each with as many runs as all have, and so often that it has enough.
    pub(super) fn to_confirm(&self, repeat: usize) -> Vec<Pick> {
        let runs = repeat.max(LEAST_RUNS.saturating_sub(repeat));
        let again = |configuration: &Configuration| self.again(configuration, RunPurpose::Confirmed, runs);
        self.repeated.to_confirm().iter().filter_map(again).collect()
    }

    /// The next picks of a measurement that stopped: a probe, if the device was gone, and what has failed without being the
    /// configuration's fault as far as is known.
    pub(super) fn to_repeat(&self, repeat: usize) -> Vec<Pick> {
        let last = self.runs.last().filter(|_| self.stopped == Some(MeasureEnd::Device));
        let probe = last.and_then(|(pick, _)| self.probe(&self.picks[*pick].configuration()));
        let is_open = |configuration: &Configuration| {
            let is_of = |pick: usize| self.picks[pick].values == configuration.0 && !self.has_ended(pick);
            (0..self.picks.len()).any(is_of)
        };
        let failed = self.repeated.to_repeat().filter(|configuration| !is_open(configuration));
        let failed = failed.filter_map(|configuration| self.again(configuration, RunPurpose::Repeated, repeat));
        probe.into_iter().chain(failed).collect()
    }

    /// Another pick of a configuration; `None` if it was never chosen.
    fn again(&self, configuration: &Configuration, purpose: RunPurpose, runs: usize) -> Option<Pick> {
        let predicted = self.picks.iter().find(|pick| pick.values == configuration.0)?.predicted;
        Some(Pick { values: configuration.0.clone(), predicted, purpose, runs })
    }

    /// True if a pick is to be checked before it is timed: what was measured before was checked before.
    pub(super) fn is_unchecked(&self, pick: usize) -> bool {
        let is_new = matches!(self.picks[pick].purpose, RunPurpose::Suggested | RunPurpose::Repeated);
        is_new && !self.verified.contains(&pick)
    }

    /// The ended runs, each with the configuration, in their order.
    pub fn runs(&self) -> impl Iterator<Item = (Configuration, &MeasuredRunReport)> {
        self.runs.iter().map(|(pick, run)| (self.picks[*pick].configuration(), run))
    }

    /// The number of ended runs.
    #[must_use]
    pub fn number(&self) -> usize {
        self.runs.len()
    }

    /// The runs of each configuration.
    #[must_use]
    pub fn repeated(&self) -> &RepeatedRuns {
        &self.repeated
    }
}

/// Sentences, one for each claim that another claim of the run contradicts; empty if no claims contradict each other.
fn contradictions(run: &MeasuredRunReport) -> Vec<String> {
    let (number, status) = (run.number, run.status.in_words());
    let is_ok = run.status == RunStatus::Ok;
    let mut wrong = Vec::new();
    if run.time_ms.is_some() != is_ok {
        let time = run.time_ms.map_or("no time".to_owned(), |time| format!("a time of {time} ms"));
        wrong.push(format!("run {number} has the status `{status}` and {time}"));
    }
    if run.time_ms.is_some_and(|time| time <= 0.0) {
        wrong.push(format!("run {number} took no time"));
    }
    if run.reason.is_some() == is_ok || run.output.is_some() == is_ok {
        let reason = run.reason.as_deref().unwrap_or("no reason");
        wrong.push(format!("run {number} has the status `{status}` and {reason}"));
    }
    wrong
}
