//! The runs of each configuration: which are measured again, and which is the best.

use indexmap::IndexMap;

use crate::correction::median;
use crate::spec::Configuration;

/// The number of best configurations that are measured again.
const CONFIRMED: usize = 3;
/// The most configurations that are measured again after the last suggested one. Of many lucky runs, each would bring
/// the next one to the front.
const MOST_CONFIRMED: usize = 6;
/// The least number of runs that a best configuration has.
pub const LEAST_RUNS: usize = 3;

/// The runs of each configuration, in the order of their first runs.
#[derive(Debug, Clone, Default)]
pub struct RepeatedRuns {
    by_configuration: IndexMap<Configuration, Runs>,
    /// The number of configurations that were measured again since the last suggested one.
    confirmed: usize,
}

#[derive(Debug, Clone, Default)]
struct Runs {
    times: Vec<f64>,
    has_failed: bool,
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
    /// True if it was measured again, as all that seem better were, and has [`LEAST_RUNS`].
    pub confirmed: bool,
}

impl RepeatedRuns {
    /// Adds a run: its time, or `None` if it failed. `confirms` is true if the configuration is measured again.
    pub fn tell(&mut self, configuration: &Configuration, time: Option<f64>, confirms: bool) {
        let runs = self.by_configuration.entry(configuration.clone()).or_default();
        runs.times.extend(time);
        runs.has_failed |= time.is_none();
        if !confirms {
            self.confirmed = 0;
        } else if !runs.is_confirmed {
            runs.is_confirmed = true;
            self.confirmed += 1;
        }
    }

    /// The best configurations that were not measured again, the best first.
    #[must_use]
    pub fn to_confirm(&self) -> Vec<Configuration> {
        let best = self.ranked().into_iter().take(CONFIRMED).filter(|(_, runs, _)| !runs.is_confirmed);
        let left = MOST_CONFIRMED.saturating_sub(self.confirmed);
        best.take(left).map(|(configuration, ..)| configuration.clone()).collect()
    }

    /// The configuration with the least median of [`LEAST_RUNS`] at least. If no configuration has them, the one
    /// with the least median. `None` if no run succeeded.
    #[must_use]
    pub fn best(&self) -> Option<BestRuns> {
        let ranked = self.ranked();
        let has_enough = |(_, runs, _): &&(_, &Runs, _)| runs.is_confirmed && runs.times.len() >= LEAST_RUNS;
        let enough = ranked.iter().find(has_enough);
        let (configuration, runs, time) = enough.or(ranked.first())?;
        let confirmed = enough.is_some() && self.to_confirm().is_empty();
        Some(BestRuns { configuration: (*configuration).clone(), time: *time, runs: runs.times.len(), confirmed })
    }

    /// The median of the runs of a configuration; `None` if none succeeded.
    #[must_use]
    pub fn median(&self, configuration: &Configuration) -> Option<f64> {
        median(self.by_configuration.get(configuration)?.times.iter().copied())
    }

    /// The configurations with their medians, the least first: those that never failed, or all if each failed once. The
    /// sort is stable: of equal medians the first one is the better one.
    fn ranked(&self) -> Vec<(&Configuration, &Runs, f64)> {
        let timed = |(configuration, runs)| {
            let runs: &Runs = runs;
            Some((configuration, runs, median(runs.times.iter().copied())?))
        };
        let mut ranked: Vec<_> = self.by_configuration.iter().filter_map(timed).collect();
        if ranked.iter().any(|(_, runs, _)| !runs.has_failed) {
            ranked.retain(|(_, runs, _)| !runs.has_failed);
        }
        ranked.sort_by(|(_, _, one), (_, _, other)| one.total_cmp(other));
        ranked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: i64) -> Configuration {
        Configuration(vec![value])
    }

    fn told(runs: &[(i64, Option<f64>, bool)]) -> RepeatedRuns {
        let mut told = RepeatedRuns::default();
        for (value, time, confirms) in runs {
            told.tell(&of(*value), *time, *confirms);
        }
        told
    }

    #[test]
    fn the_best_three_are_measured_again_and_a_lucky_run_is_none() {
        let mut runs = told(&[(1, Some(5.0), false), (2, Some(1.0), false), (3, Some(4.0), false), (4, None, false)]);
        runs.tell(&of(5), Some(6.0), false);
        assert_eq!(runs.to_confirm(), [of(2), of(3), of(1)]);
        assert!(!runs.best().unwrap().confirmed);
        for (value, time) in [(2, 9.0), (3, 4.5), (1, 4.0)] {
            runs.tell(&of(value), Some(time), true);
            runs.tell(&of(value), Some(time), true);
        }
        // The lucky one is slow, so that another is among the best three.
        assert_eq!(runs.to_confirm(), [of(5)]);
        runs.tell(&of(5), Some(7.0), true);
        runs.tell(&of(5), Some(8.0), true);
        let best = runs.best().unwrap();
        assert_eq!((best.configuration, best.time, best.runs, best.confirmed), (of(1), 4.0, 3, true));
    }

    #[test]
    fn what_failed_once_is_the_best_only_if_all_failed() {
        let runs = told(&[(1, Some(1.0), false), (1, None, false), (2, Some(2.0), false)]);
        assert_eq!((runs.best().unwrap().configuration, runs.to_confirm()), (of(2), vec![of(2)]));
        assert_eq!(told(&[(1, Some(1.0), false), (1, None, true)]).best().unwrap().configuration, of(1));
        assert_eq!(told(&[(1, None, false)]).best(), None);
    }

    #[test]
    fn the_chase_of_lucky_runs_ends() {
        let mut runs = RepeatedRuns::default();
        (0..100_i32).for_each(|value| runs.tell(&of(value.into()), Some(f64::from(value) + 1.0), false));
        let mut chased = 0;
        while let Some(next) = runs.to_confirm().first().cloned() {
            (0..2).for_each(|_| runs.tell(&next, Some(1000.0), true));
            chased += 1;
        }
        assert_eq!(chased, MOST_CONFIRMED);
        assert!(runs.best().unwrap().confirmed);
    }
}
