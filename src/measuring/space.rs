//! A space that learns from runs, and suggests what to measure next.

use std::collections::HashMap;

use super::error::MeasuringError;
use super::notes::ModelNotes;
use super::rows::{self, Row, Together};
use super::worth::worthwhile_runs;
use autotune_engine::compare::measured::MeasuredRun;
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::space::{Space, SpaceError};
use autotune_lowering::spec::{Configuration, Spec};
use autotune_machine::correction::{CorrectedTime, Positions, Proposal, ProposalReason, Suggester};

/// The number of runs that are to gain what is worth another run.
const TEN_RUNS: f64 = 10.0;

/// A kernel's feasible configurations, ranked by the machine and corrected by runs. Times are in milliseconds; on a GPU
/// without a clock, predicted times are in ticks, and measured ones are taken as ticks.
#[derive(Debug)]
pub struct CorrectedSpace<'a> {
    spec: &'a Spec,
    profile: &'a Profile,
    reader: &'a SourceReader,
    rows: Vec<Row>,
    numbers: HashMap<Configuration, usize>,
    /// The opinion of both models; `None` where the wave model lacks a term.
    together: Option<Together>,
    suggester: Suggester,
    /// The rows that ran, each with a time.
    succeeded: Vec<(usize, f64)>,
    failed: usize,
    /// The best time after each run; infinite before one succeeded.
    best_times: Vec<f64>,
}

/// A configuration to measure next.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// The configuration.
    pub configuration: Configuration,
    /// The number of work items of a group.
    pub work_group: u64,
    /// The predicted time.
    pub predicted: f64,
    /// The time that predictions and runs together have.
    pub corrected: CorrectedTime,
    /// The reason for the suggestion.
    pub reason: ProposalReason,
}

/// The best measured configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct BestMeasured {
    /// The configuration.
    pub configuration: Configuration,
    /// The median of the times of its runs.
    pub time: f64,
}

/// The advice of a space: what to measure next, and how good the best is.
#[derive(Debug, Clone, PartialEq)]
pub struct SpaceAdvice {
    /// The number of added runs that count, the failed ones among them.
    pub runs: usize,
    /// The number of runs that failed.
    pub failed: usize,
    /// The best measured configuration; `None` if no run succeeded.
    pub best: Option<BestMeasured>,
    /// The configurations to measure next, the most promising first; empty if `stop` is true.
    pub next: Vec<Suggestion>,
    /// The expected gain of the most promising configuration over the best measured time, from 0 to 1; 1 before a run
    /// succeeded.
    pub expected_gain: f64,
    /// True if no configuration that was not measured has the wanted expected gain.
    pub stop: bool,
    /// The number of further runs that are expected to be worth their time: ten of them are to gain `until`. At most 20, and 0
    /// if `stop` is true.
    pub worthwhile_runs: usize,
    /// The statements of the runs on the model.
    pub notes: ModelNotes,
}

/// The standing of a space after its runs.
#[derive(Debug, Clone, PartialEq)]
pub struct SpaceStanding {
    /// The number of feasible configurations.
    pub feasible: usize,
    /// The greatest expected gain over the best measured time of a configuration that was not measured, from 0 to 1; 1
    /// before a run succeeded.
    pub expected_gain: f64,
    /// The statements of the runs on the model.
    pub notes: ModelNotes,
}

/// A run that corrects nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedRun {
    /// The configuration.
    pub configuration: Configuration,
    /// The rule that the configuration breaks, or the reason why it has no predicted time.
    pub reason: String,
}

impl<'a> CorrectedSpace<'a> {
    /// The space of a kernel on a GPU, or those of its configurations that are `among` a list.
    ///
    /// # Errors
    /// If the space cannot be enumerated, lowered or evaluated, or nothing in it can run.
    pub fn of(
        spec: &'a Spec,
        profile: &'a Profile,
        reader: &'a SourceReader,
        among: Option<&[Configuration]>,
    ) -> Result<Self, MeasuringError> {
        let rows = match among {
            Some(configurations) => rows::among(spec, profile, reader, configurations)?,
            None => rows::of_space(spec, profile, reader)?,
        };
        let space = Space::new(spec, &profile.names(spec.has_dynamic_local_memory())).map_err(SpaceError::from)?;
        let values: Vec<&[i64]> = rows.iter().map(|row| row.configuration.0.as_slice()).collect();
        // What has no time cannot be a candidate.
        let predictions: Vec<f64> = rows.iter().map(|row| row.predicted.unwrap_or(f64::NAN)).collect();
        let suggester = Suggester::new(&predictions, Positions::of(&values, space.domains()));
        let together = Together::of(&rows);
        let suggester = match &together {
            Some(together) => {
                let expected = rows.iter().map(|row| together.expected(row).unwrap_or(f64::NAN)).collect::<Vec<_>>();
                suggester.starting_at(together.recommended).expecting(&expected)
            }
            None => suggester,
        };
        let numbers = rows.iter().enumerate().map(|(number, row)| (row.configuration.clone(), number)).collect();
        Ok(Self {
            spec,
            profile,
            reader,
            rows,
            numbers,
            together,
            suggester,
            succeeded: Vec::new(),
            failed: 0,
            best_times: Vec::new(),
        })
    }

    /// Adds runs, and returns those that correct nothing: configurations that cannot run or are not in the space.
    ///
    /// # Errors
    /// If a configuration cannot be lowered.
    pub fn tell(&mut self, runs: &[MeasuredRun]) -> Result<Vec<RefusedRun>, SpaceError> {
        let reasons = self.predict(runs)?;
        let mut refused = Vec::new();
        for run in runs {
            let configuration = &run.configuration;
            let number = self.numbers.get(configuration).copied();
            if let Some(number) = number.filter(|&number| self.rows[number].predicted.is_some()) {
                self.tell_row(number, run.milliseconds);
            } else {
                let reason = reasons.get(configuration).map_or("its predicted time is not known", String::as_str);
                refused.push(RefusedRun { configuration: configuration.clone(), reason: reason.to_owned() });
            }
        }
        Ok(refused)
    }

    /// The configurations to measure next, at most `count`.
    pub fn next(&mut self, count: usize) -> Vec<Suggestion> {
        let proposals = self.suggester.next(count);
        let suggestion = |proposal: Proposal| {
            let row = &self.rows[proposal.row];
            Some(Suggestion {
                configuration: row.configuration.clone(),
                work_group: row.work_group,
                predicted: row.predicted?,
                corrected: self.suggester.corrected(proposal.row)?,
                reason: proposal.reason,
            })
        };
        proposals.into_iter().filter_map(suggestion).collect()
    }

    /// Advises at most `count` configurations. `until` is the expected gain that is worth another run, from 0 to 1:
    /// below it, the advice is to stop.
    pub fn advise(&mut self, count: usize, until: f64) -> SpaceAdvice {
        let next = self.next(count);
        let best = self.best();
        let best_time = best.as_ref().map_or(f64::INFINITY, |best| best.time);
        let expected_gain = next.first().map_or(0.0, |first| first.corrected.expected_gain(best_time));
        let stop = next.is_empty() || self.greatest_expected_gain() < until;
        let next = if stop { Vec::new() } else { next };
        let worthwhile_runs = if stop { 0 } else { self.worthwhile_runs(until) };
        let (runs, failed, notes) = (self.runs(), self.failed, self.notes());
        SpaceAdvice { runs, failed, best, next, expected_gain, stop, worthwhile_runs, notes }
    }

    /// The number of further runs that are expected to be worth their time, at most the configurations that are left.
    fn worthwhile_runs(&self, until: f64) -> usize {
        let left = self.suggester.candidates().len().saturating_sub(self.suggester.observed());
        worthwhile_runs(&self.best_times, until / TEN_RUNS).min(left)
    }

    /// Returns the standing after the added runs.
    pub fn standing(&mut self) -> SpaceStanding {
        let expected_gain = self.greatest_expected_gain();
        SpaceStanding { feasible: self.feasible(), expected_gain, notes: self.notes() }
    }

    /// The candidates with their predicted times, the best first.
    pub fn ranked(&self) -> impl Iterator<Item = (&Configuration, f64)> {
        let row = |&number: &usize| Some((&self.rows[number].configuration, self.rows[number].predicted?));
        self.suggester.candidates().iter().filter_map(row)
    }

    /// The corrected time of a configuration; `None` if it is not in the space, or its predicted time is not known.
    pub fn corrected(&mut self, configuration: &Configuration) -> Option<CorrectedTime> {
        self.suggester.corrected(*self.numbers.get(configuration)?)
    }

    /// The greatest expected gain over the best measured time of a configuration that was not measured, from 0 to 1: 1
    /// before a run succeeded.
    pub fn greatest_expected_gain(&mut self) -> f64 {
        self.suggester.greatest_expected_gain()
    }

    /// The best measured configuration; `None` if no run succeeded.
    #[must_use]
    pub fn best(&self) -> Option<BestMeasured> {
        let (number, time) = self.suggester.best()?;
        Some(BestMeasured { configuration: self.rows[number].configuration.clone(), time })
    }

    /// The number of added runs that count, the failed ones among them.
    #[must_use]
    pub fn runs(&self) -> usize {
        self.succeeded.len() + self.failed
    }

    /// The number of runs that failed.
    #[must_use]
    pub fn failed(&self) -> usize {
        self.failed
    }

    /// The number of feasible configurations.
    #[must_use]
    pub fn feasible(&self) -> usize {
        self.rows.len()
    }

    /// Returns what the runs say of the model.
    #[must_use]
    pub fn notes(&self) -> ModelNotes {
        let run = |&(number, time): &(usize, f64)| {
            let row = &self.rows[number];
            Some((&row.configuration, row.predicted?, time))
        };
        ModelNotes::of(&self.succeeded.iter().filter_map(run).collect::<Vec<_>>())
    }

    /// Predicts those of the runs' configurations that were too slow to be evaluated at first. Returns the reasons of
    /// what cannot be predicted.
    fn predict<'r>(&mut self, runs: &'r [MeasuredRun]) -> Result<HashMap<&'r Configuration, String>, SpaceError> {
        let is_known = |configuration: &Configuration| {
            self.numbers.get(configuration).is_some_and(|&number| self.rows[number].predicted.is_some())
        };
        let unknown: Vec<&Configuration> =
            runs.iter().map(|run| &run.configuration).filter(|configuration| !is_known(configuration)).collect();
        let asked =
            rows::asked(self.spec, self.profile, self.reader, &unknown.iter().copied().cloned().collect::<Vec<_>>())?;
        let mut reasons = HashMap::new();
        for (configuration, answer) in unknown.into_iter().zip(asked) {
            match (answer, self.numbers.get(configuration)) {
                (Err(reason), _) => {
                    reasons.insert(configuration, reason);
                }
                (Ok(_), None) => {
                    reasons.insert(configuration, "it is not among the configurations to choose from".to_owned());
                }
                (Ok(row), Some(&number)) => {
                    if let Some(predicted) = row.predicted {
                        self.rows[number].predicted = Some(predicted);
                        let together = self.together.as_ref();
                        let expected = together.and_then(|together| together.expected(&self.rows[number]));
                        self.suggester.predict(number, predicted, expected.unwrap_or(predicted));
                    }
                }
            }
        }
        Ok(reasons)
    }

    fn tell_row(&mut self, number: usize, time: Option<f64>) {
        let known = self.suggester.observed();
        self.suggester.tell(number, time);
        let best = self.best_times.last().copied().unwrap_or(f64::INFINITY);
        // A further run of a configuration is not a step of the course.
        if self.suggester.observed() == known {
            self.best_times.pop();
        }
        self.best_times.push(time.map_or(best, |time| best.min(time)));
        match time {
            Some(time) => self.succeeded.push((number, time)),
            None => self.failed += 1,
        }
    }
}

#[cfg(test)]
mod tests;
