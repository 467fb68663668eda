//! The progress of a measurement, as its journal states it.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::measuring::{LEAST_RUNS, RepeatedRuns};
use crate::result::{MeasuredRunReport, RunPurpose, RunStatus};
use crate::spec::Configuration;
use crate::text::words::label;

/// A configuration that was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pick {
    /// The values of its parameters, in the spec's order.
    pub(super) values: Vec<i64>,
    /// The predicted time, in milliseconds, or in ticks on a GPU without a clock.
    pub(super) predicted: f64,
    /// The purpose of its runs.
    pub(super) purpose: RunPurpose,
    /// The number of its runs, unless one fails.
    pub(super) runs: usize,
}

/// The progress of a measurement.
#[derive(Debug, Clone, Default)]
pub struct MeasureState {
    /// The configurations that were chosen.
    pub(super) picks: Vec<Pick>,
    /// The picks whose check has succeeded.
    pub(super) verified: HashSet<usize>,
    /// The number of ended runs of each pick.
    ended: Vec<usize>,
    /// The picks with a failed run.
    failed: HashSet<usize>,
    runs: Vec<(usize, MeasuredRunReport)>,
    repeated: RepeatedRuns,
}

impl Pick {
    pub(super) fn configuration(&self) -> Configuration {
        Configuration(self.values.clone())
    }
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

    /// Adds the end of a run.
    pub(super) fn add(&mut self, pick: usize, run: MeasuredRunReport) {
        self.ended.resize(self.picks.len(), 0);
        self.ended[pick] += 1;
        if run.status != RunStatus::Ok {
            self.failed.insert(pick);
        }
        let confirms = run.purpose == RunPurpose::Confirmed;
        self.repeated.tell(&self.picks[pick].configuration(), run.time_ms, confirms);
        self.runs.push((pick, run));
    }

    /// The first picks that have not ended, at most `count`.
    pub(super) fn open(&self, count: usize) -> Vec<usize> {
        (0..self.picks.len()).filter(|&pick| !self.has_ended(pick)).take(count).collect()
    }

    /// True if a pick has all its runs, or one of them has failed.
    pub(super) fn has_ended(&self, pick: usize) -> bool {
        self.failed.contains(&pick) || self.ended.get(pick).is_some_and(|ended| *ended >= self.picks[pick].runs)
    }

    /// The number of configurations that were suggested.
    #[must_use]
    pub fn suggested(&self) -> usize {
        self.picks.iter().filter(|pick| pick.purpose == RunPurpose::Suggested).count()
    }

    /// The configurations to measure again, each with as many runs as all have, and so often that it has enough.
    pub(super) fn to_confirm(&self, repeat: usize) -> Vec<Pick> {
        let again = |configuration: Configuration| {
            let predicted = self.picks.iter().find(|pick| pick.values == configuration.0)?.predicted;
            let runs = repeat.max(LEAST_RUNS.saturating_sub(repeat));
            Some(Pick { values: configuration.0, predicted, purpose: RunPurpose::Confirmed, runs })
        };
        self.repeated.to_confirm().into_iter().filter_map(again).collect()
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
