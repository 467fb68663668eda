//! The runs of each configuration: which are measured again, which are given up, and which is the best.

use indexmap::IndexMap;

use autotune_lowering::spec::Configuration;
use autotune_machine::correction::median;

/// The number of best configurations that are measured again.
const CONFIRMED: usize = 3;
/// The most configurations that are measured again after the last suggested one. Of many lucky runs, each would bring
/// the next one to the front.
const MOST_CONFIRMED: usize = 6;
/// The least number of runs that a best configuration has.
pub const LEAST_RUNS: usize = 3;

/// The end of a run, as far as it says something of its configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RunEnd {
    /// A success, with its time.
    Took(f64),
    /// A failure, by the configuration's fault or the device's.
    Failed,
    /// The configuration does not compile: the device has no part in that.
    Unbuildable,
}

/// The runs of each configuration, in the order of their first runs.
#[derive(Debug, Clone, Default)]
pub struct RepeatedRuns {
    by_configuration: IndexMap<Configuration, Runs>,
    /// The number of configurations that were measured again since the last suggested one.
    confirmed: usize,
    /// The number of runs of all configurations that succeeded.
    succeeded: usize,
}

#[derive(Debug, Clone, Default)]
struct Runs {
    times: Vec<f64>,
    failed: usize,
    /// The number of runs that had succeeded when its last run failed; `None` if its last run succeeded.
    failed_at: Option<usize>,
    is_given_up: bool,
    is_confirmed: bool,
}

/// The configuration with the best runs.
#[derive(Debug, Clone, PartialEq)]
pub struct BestRuns {
    /// The configuration.
    pub configuration: Configuration,
    /// The median of the times of its runs.
    pub time: f64,
    /// The number of its runs that succeeded.
    pub runs: usize,
    /// The number of its runs that failed.
    pub failed: usize,
    /// True if it was measured again, as all that seem better were, and has [`LEAST_RUNS`].
    pub confirmed: bool,
}

impl Runs {
    fn is_enough(&self) -> bool {
        self.is_confirmed && self.times.len() >= LEAST_RUNS
    }
}

impl RepeatedRuns {
    /// Adds a run. `confirms` is true if the configuration is measured again.
    pub fn tell(&mut self, configuration: &Configuration, end: RunEnd, confirms: bool) {
        let succeeded = self.succeeded;
        let runs = self.by_configuration.entry(configuration.clone()).or_default();
        match end {
            RunEnd::Took(time) => {
                runs.times.push(time);
                runs.failed_at = None;
                self.succeeded += 1;
            }
            RunEnd::Failed => {
                runs.failed += 1;
                // The device was there between the two failures.
                runs.is_given_up |= runs.failed_at.replace(succeeded).is_some_and(|before| succeeded > before);
            }
            RunEnd::Unbuildable => {
                runs.failed += 1;
                runs.is_given_up = true;
            }
        }
        if confirms && end != RunEnd::Failed && !std::mem::replace(&mut runs.is_confirmed, true) {
            self.confirmed += 1;
        }
    }

    /// Begins to count anew how many are measured again: another configuration was suggested.
    pub fn suggested(&mut self) {
        self.confirmed = 0;
    }

    /// The best configurations that were not measured again, the best first.
    #[must_use]
    pub fn to_confirm(&self) -> Vec<Configuration> {
        let ranked = self.ranked().into_iter().filter(|(_, runs, _)| !runs.is_given_up);
        let best = ranked.take(CONFIRMED).filter(|(_, runs, _)| !runs.is_confirmed);
        let left = MOST_CONFIRMED.saturating_sub(self.confirmed);
        best.take(left).map(|(configuration, ..)| configuration.clone()).collect()
    }

    /// The configuration with the least median of [`LEAST_RUNS`] at least. If no configuration has them, the one
    /// with the least median. `None` if no run succeeded.
    #[must_use]
    pub fn best(&self) -> Option<BestRuns> {
        let ranked = self.ranked();
        let enough = ranked.iter().position(|(_, runs, _)| runs.is_enough());
        let is_confirmed = enough.is_some() && self.to_confirm().is_empty();
        Some(best_runs(ranked.get(enough.unwrap_or(0))?, is_confirmed))
    }

    /// The fastest configuration, if it is faster than the best one and some of its runs failed: it cannot be confirmed.
    #[must_use]
    pub fn faster_with_failed_runs(&self) -> Option<BestRuns> {
        let ranked = self.ranked();
        let enough = ranked.iter().position(|(_, runs, _)| runs.is_enough())?;
        ranked[..enough].iter().find(|(_, runs, _)| runs.failed > 0).map(|one| best_runs(one, false))
    }

    /// The configurations that failed, never ran, and are not given up: another device may run them.
    pub fn to_repeat(&self) -> impl Iterator<Item = &Configuration> {
        let is_open = |runs: &Runs| runs.times.is_empty() && runs.failed > 0 && !runs.is_given_up;
        self.by_configuration.iter().filter(move |(_, runs)| is_open(runs)).map(|(configuration, _)| configuration)
    }

    /// The configuration that tells a device that fails from a configuration that does: the fastest one that never failed, and
    /// is not the one of the failure, if there is such a one. `None` if no run succeeded.
    #[must_use]
    pub fn probe(&self, failed: &Configuration) -> Option<&Configuration> {
        let doubt = |(configuration, runs, _): &(&Configuration, &Runs, f64)| (runs.failed, *configuration == failed);
        // Of equals, the first is the fastest.
        self.ranked().into_iter().min_by_key(doubt).map(|(configuration, ..)| configuration)
    }

    /// True if a run of the configuration succeeded.
    #[must_use]
    pub fn has_run(&self, configuration: &Configuration) -> bool {
        self.by_configuration.get(configuration).is_some_and(|runs| !runs.times.is_empty())
    }

    /// True if the configuration does not compile, or failed twice, one after the other, while the device was there.
    #[must_use]
    pub fn is_given_up(&self, configuration: &Configuration) -> bool {
        self.by_configuration.get(configuration).is_some_and(|runs| runs.is_given_up)
    }

    /// The median of the runs of a configuration; `None` if none succeeded.
    #[must_use]
    pub fn median(&self, configuration: &Configuration) -> Option<f64> {
        median(self.by_configuration.get(configuration)?.times.iter().copied())
    }

    /// The configurations that ran with their medians, the least first. The sort is stable: of equal medians the first one
    /// is the better one.
    fn ranked(&self) -> Vec<(&Configuration, &Runs, f64)> {
        let timed = |(configuration, runs)| {
            let runs: &Runs = runs;
            Some((configuration, runs, median(runs.times.iter().copied())?))
        };
        let mut ranked: Vec<_> = self.by_configuration.iter().filter_map(timed).collect();
        ranked.sort_by(|(_, _, one), (_, _, other)| one.total_cmp(other));
        ranked
    }
}

fn best_runs((configuration, runs, time): &(&Configuration, &Runs, f64), confirmed: bool) -> BestRuns {
    let (count, failed) = (runs.times.len(), runs.failed);
    BestRuns { configuration: (*configuration).clone(), time: *time, runs: count, failed, confirmed }
}

#[cfg(test)]
mod tests;
