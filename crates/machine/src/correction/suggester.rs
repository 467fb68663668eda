//! The next configurations to measure.

use std::collections::BTreeMap;

use super::gain::CorrectedTime;
use super::positions::Positions;
use super::process::Process;
use super::repeats::{LEAST_NOISE, median, noise};
use super::shortlist::Ranking;

/// The number of best predictions that the next configurations are chosen among.
pub const CANDIDATES: usize = 5000;
/// The number of runs that correct predictions. Later ones are only known to be measured: the work grows with the
/// square of the runs.
pub const CORRECTING_RUNS: usize = 2000;
/// Scores that differ by less are ties.
const TIE: f64 = 1e-9;

/// A ranking by predictions, corrected by each observed run. Rows are numbered as the predictions are.
#[derive(Debug)]
pub struct Suggester {
    /// The logarithm of each row's prediction; `None` if the row is not predicted.
    priors: Vec<Option<f64>>,
    /// The logarithm of the time that each row is expected to take before a run is known; `None` if the row is not predicted.
    expected: Vec<Option<f64>>,
    positions: Positions,
    /// The rows that may be proposed, the best prediction first.
    candidates: Vec<usize>,
    /// The row to begin with; `None` for the best prediction.
    start: Option<usize>,
    /// True for each row that was observed, or is believed while a batch is chosen.
    taken: Vec<bool>,
    runs: Vec<CorrectingRun>,
    /// The times of each observed row; empty if all its runs failed.
    times: BTreeMap<usize, Vec<f64>>,
    process: Process,
}

/// A run of a predicted row.
#[derive(Debug, Clone, Copy)]
struct CorrectingRun {
    row: usize,
    expected: f64,
    /// The logarithm of the time; `None` if the run failed.
    log: Option<f64>,
}

/// A row to measure next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proposal {
    /// The row.
    pub row: usize,
    /// The reason for the proposal.
    pub reason: ProposalReason,
}

/// The reason for a suggestion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schemas", schemars(rename = "SuggestionReason"))]
pub enum ProposalReason {
    /// No other configuration has a lower corrected time.
    BestCorrected,
    /// Others have lower corrected times, but this one may be faster: less is known of it.
    Uncertain,
    /// Its prediction is the best, and no run is known.
    First,
    /// Neither the machine nor the wave model finds it slow, and no run is known.
    Recommended,
    /// Its prediction is good, it differs from those before it, and no run is known.
    Different,
}

impl Suggester {
    /// A ranking by these predictions. A row whose prediction is not a number above 0 is never proposed.
    ///
    /// # Panics
    /// If the numbers of predictions and positions differ.
    #[must_use]
    pub fn new(predictions: &[f64], positions: Positions) -> Self {
        assert_eq!(predictions.len(), positions.len(), "each row has a prediction and a position");
        let prior = |time: &f64| (time.is_finite() && *time > 0.0).then(|| time.ln());
        let priors: Vec<Option<f64>> = predictions.iter().map(prior).collect();
        let mut candidates: Vec<usize> = (0..priors.len()).filter(|&row| priors[row].is_some()).collect();
        // The sort is stable: of equal predictions the first row is the better one.
        candidates.sort_by(|&one, &other| predictions[one].total_cmp(&predictions[other]));
        candidates.truncate(CANDIDATES);
        let process = Process::new(positions.select(&candidates), LEAST_NOISE);
        let taken = vec![false; priors.len()];
        let (expected, runs, times) = (priors.clone(), Vec::new(), BTreeMap::new());
        Self { priors, expected, positions, candidates, start: None, taken, runs, times, process }
    }

    /// Corrects these times, in the unit of the predictions, in place of the predictions. A row without a prediction has no
    /// use for its time.
    ///
    /// # Panics
    /// If the numbers of times and predictions differ.
    #[must_use]
    pub fn expecting(self, times: &[f64]) -> Self {
        assert_eq!(times.len(), self.priors.len(), "each row is expected to take a time");
        let expected = self.priors.iter().zip(times).map(|(prior, time)| prior.map(|_| time.ln())).collect();
        Self { expected, ..self }
    }

    /// Begins with a row, if it is a candidate, in place of the best prediction.
    #[must_use]
    pub fn starting_at(self, row: Option<usize>) -> Self {
        let start = row.filter(|row| self.candidates.contains(row));
        Self { start, ..self }
    }

    /// The first `count` rows to measure where no run is known: they differ from each other.
    #[must_use]
    pub fn shortlist(&self, count: usize) -> Vec<usize> {
        let Self { positions, candidates, priors, start, .. } = self;
        Ranking { positions, rows: candidates, logs: priors }.shortlist(*start, count)
    }

    /// The rows that may be proposed, the best prediction first.
    #[must_use]
    pub fn candidates(&self) -> &[usize] {
        &self.candidates
    }

    /// The number of rows that were observed.
    #[must_use]
    pub fn observed(&self) -> usize {
        self.times.len()
    }

    /// Gives a row without a prediction one, and the time that it is expected to take, so that its runs correct others. The
    /// row is never proposed.
    pub fn predict(&mut self, row: usize, prediction: f64, expected: f64) {
        if self.priors[row].is_none() && prediction.is_finite() && prediction > 0.0 {
            (self.priors[row], self.expected[row]) = (Some(prediction.ln()), Some(expected.ln()));
        }
    }

    /// Adds a run of a row: its time, or `None` if it failed. A time that is not a number above 0 is a failure. A row
    /// without a prediction corrects nothing.
    pub fn tell(&mut self, row: usize, time: Option<f64>) {
        let Some(expected) = self.expected[row] else { return };
        let time = time.filter(|time| time.is_finite() && *time > 0.0);
        self.taken[row] = true;
        self.times.entry(row).or_default().extend(time);
        if self.runs.len() < CORRECTING_RUNS {
            self.runs.push(CorrectingRun { row, expected, log: time.map(f64::ln) });
        }
    }

    /// The best observed row and its time, the median of its runs; `None` if no run succeeded.
    #[must_use]
    pub fn best(&self) -> Option<(usize, f64)> {
        let time = |(row, times): (&usize, &Vec<f64>)| Some((*row, median(times.iter().copied())?));
        self.times.iter().filter_map(time).min_by(|(_, one), (_, other)| one.total_cmp(other))
    }

    /// The rows to measure next, at most `count`, each of them once. Before the first run they differ from each other. Later,
    /// within a batch, each row is believed to take its corrected time.
    pub fn next(&mut self, count: usize) -> Vec<Proposal> {
        if self.runs.is_empty() {
            return self.first(count);
        }
        self.catch_up();
        let known = self.runs.len();
        let mut proposals = Vec::new();
        while proposals.len() < count {
            let Some((proposal, believed)) = self.propose() else { break };
            let Proposal { row, .. } = proposal;
            self.taken[row] = true;
            let expected = self.expected[row].unwrap_or(believed);
            self.runs.push(CorrectingRun { row, expected, log: Some(believed) });
            self.process.observe(self.positions.of_row(row));
            proposals.push(proposal);
        }
        for proposal in &proposals {
            self.taken[proposal.row] = false;
        }
        self.runs.truncate(known);
        self.process.keep_first(known);
        proposals
    }

    /// The corrected time of a row; `None` if the row is not predicted.
    pub fn corrected(&mut self, row: usize) -> Option<CorrectedTime> {
        let expected = self.expected[row]?;
        self.catch_up();
        let (level, residuals) = self.residuals();
        let (mean, deviation) = self.process.at(self.positions.of_row(row), &residuals);
        Some(CorrectedTime { time: (expected + level + mean).exp(), deviation })
    }

    /// The greatest expected gain of an unobserved candidate over the best time, from 0 to 1. It is 1 before a run
    /// succeeded, and 0 if all candidates were observed.
    pub fn greatest_expected_gain(&mut self) -> f64 {
        self.catch_up();
        let best = self.best().map_or(f64::INFINITY, |(_, time)| time);
        let (means, deviations) = self.posterior();
        let open = (0..self.candidates.len()).filter(|&place| !self.taken[self.candidates[place]]);
        let gain =
            |place: usize| CorrectedTime { time: means[place].exp(), deviation: deviations[place] }.expected_gain(best);
        open.map(gain).fold(0.0, f64::max)
    }

    /// The rows to measure before a run is known.
    fn first(&self, count: usize) -> Vec<Proposal> {
        let reason = |row: usize| match row {
            _ if self.candidates.first() == Some(&row) => ProposalReason::First,
            _ if self.start == Some(row) => ProposalReason::Recommended,
            _ => ProposalReason::Different,
        };
        self.shortlist(count).into_iter().map(|row| Proposal { row, reason: reason(row) }).collect()
    }

    /// The best candidate that is not taken and the logarithm of its corrected time; `None` if all are taken.
    fn propose(&self) -> Option<(Proposal, f64)> {
        let open = || (0..self.candidates.len()).filter(|&place| !self.taken[self.candidates[place]]);
        let (means, deviations) = self.posterior();
        let score = |place: usize| means[place] - deviations[place];
        let least = |of: &dyn Fn(usize) -> f64| open().map(of).fold(f64::INFINITY, f64::min);
        let least_score = least(&score);
        let place = open().find(|&place| score(place) <= least_score + TIE)?;
        let is_best = means[place] <= least(&|place| means[place]) + TIE;
        let reason = if is_best { ProposalReason::BestCorrected } else { ProposalReason::Uncertain };
        Some((Proposal { row: self.candidates[place], reason }, means[place]))
    }

    /// The means and deviations of the logarithms of the candidates' times.
    fn posterior(&self) -> (Vec<f64>, Vec<f64>) {
        let (level, residuals) = self.residuals();
        let means = self.process.means(&residuals);
        let expected = |row: &usize| self.expected[*row].unwrap_or(f64::INFINITY);
        let means = self.candidates.iter().zip(means.iter()).map(|(row, mean)| expected(row) + level + mean).collect();
        (means, self.process.deviations())
    }

    /// The level of the residuals, that of the first run that succeeded, and the residual of each run above it.
    fn residuals(&self) -> (f64, Vec<f64>) {
        let Some(first) = self.runs.first() else { return (0.0, Vec::new()) };
        let slowest = self.runs.iter().filter_map(|run| run.log).reduce(f64::max);
        // A run that failed counts as twice the slowest one; where others of its row succeeded, as their median.
        let failed = slowest.unwrap_or(first.expected) + std::f64::consts::LN_2;
        let ran = |run: &CorrectingRun| median(self.times.get(&run.row)?.iter().copied()).map(f64::ln);
        let residual = |run: &CorrectingRun| run.log.or_else(|| ran(run)).unwrap_or(failed) - run.expected;
        let level = residual(self.runs.iter().find(|run| run.log.is_some()).unwrap_or(first));
        (level, self.runs.iter().map(|run| residual(run) - level).collect())
    }

    /// Observes the runs that were added since the last question. Another noise changes what all of them say.
    fn catch_up(&mut self) {
        let noise = noise(self.times.values().map(Vec::as_slice));
        if noise.to_bits() != self.process.noise().to_bits() {
            self.process.restart(noise);
        }
        for run in &self.runs[self.process.observations()..] {
            self.process.observe(self.positions.of_row(run.row));
        }
    }
}

#[cfg(test)]
mod tests;
