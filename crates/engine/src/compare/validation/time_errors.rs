//! The error of predicted times against measured ones.

use serde::Serialize;

use super::assessment::Assessment;
use super::picks::mean;
use crate::compare::measured::MeasuredRun;
use autotune_lowering::gpu::Profile;
use autotune_machine::correction::median;

const MICROSECONDS: f64 = 1e3;

/// The errors of the predicted times of the runs that succeeded and were predicted. The error of a run is |predicted /
/// measured - 1|: 0 if the prediction is exact, 1 if it is twice the measured time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct TimeErrors {
    /// The median error of all runs.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub median: f64,
    /// The mean error of all runs.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub mean: f64,
    /// The median error of the fastest tenth of the runs, as they were measured.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub fastest_median: f64,
    /// The mean error of this tenth.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub fastest_mean: f64,
    /// The median error of the ratio of two runs, over all pairs. The error is the factor between the predicted and the
    /// measured ratio, less 1: it is the same for both orders of the pair. `None` with fewer than two runs.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub ratio: Option<f64>,
}

impl TimeErrors {
    /// The errors of the machine's times; `None` without a run that succeeded and has one.
    pub(super) fn of(profile: &Profile, assessments: &[Assessment], runs: &[MeasuredRun]) -> Option<Self> {
        let times = assessments.iter().zip(runs).filter_map(|(assessment, run)| {
            let Assessment::Predicted { load, .. } = assessment else { return None };
            let predicted = load.microseconds(profile).filter(|time| *time > 0.0)?;
            Some([run.milliseconds? * MICROSECONDS, predicted])
        });
        Self::new(times.collect())
    }

    /// The errors of runs by their measured and predicted times, both in one unit and above 0. The fastest tenth is rounded
    /// up; of equal times the first ones are in it. `None` without a run.
    fn new(mut times: Vec<[f64; 2]>) -> Option<Self> {
        times.sort_by(|[a, _], [b, _]| a.total_cmp(b));
        let errors: Vec<f64> = times.iter().map(|[measured, predicted]| (predicted / measured - 1.0).abs()).collect();
        let fastest = &errors[..errors.len().div_ceil(10)];
        let residuals = times.iter().map(|[measured, predicted]| (predicted / measured).ln()).collect();
        Some(Self {
            median: median(errors.iter().copied())?,
            mean: mean(errors.iter().copied())?,
            fastest_median: median(fastest.iter().copied())?,
            fastest_mean: mean(fastest.iter().copied())?,
            ratio: median_distance(residuals).map(f64::exp_m1),
        })
    }

    /// The means over the problem sizes that have errors; `None` without one.
    pub(super) fn mean(errors: &[Self]) -> Option<Self> {
        let of = |error: fn(&Self) -> f64| mean(errors.iter().map(error));
        Some(Self {
            median: of(|error| error.median)?,
            mean: of(|error| error.mean)?,
            fastest_median: of(|error| error.fastest_median)?,
            fastest_mean: of(|error| error.fastest_mean)?,
            ratio: mean(errors.iter().filter_map(|error| error.ratio)),
        })
    }
}

/// The median of the distances of all pairs, the lower one of both middle ones; `None` without a pair. It bisects the
/// distances by their bits, whose order is theirs, and lists no pairs: their number is the square of that of the values.
fn median_distance(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let pairs = values.len() * values.len().saturating_sub(1) / 2;
    if pairs == 0 {
        return None;
    }
    let (mut least, mut greatest) = (0, (values[values.len() - 1] - values[0]).to_bits());
    while least < greatest {
        let middle = least.midpoint(greatest);
        if pairs_within(&values, f64::from_bits(middle)) >= pairs.div_ceil(2) {
            greatest = middle;
        } else {
            least = middle + 1;
        }
    }
    Some(f64::from_bits(least))
}

/// The number of pairs of ascending values whose distance is at most `limit`.
fn pairs_within(ascending: &[f64], limit: f64) -> usize {
    let (mut first, mut pairs) = (0, 0);
    for (place, value) in ascending.iter().enumerate() {
        while value - ascending[first] > limit {
            first += 1;
        }
        pairs += place - first;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-12, "{value} is not {expected}");
    }

    #[test]
    fn errors_are_of_all_runs_and_of_the_fastest_tenth() {
        // Measured 1 to 11, the slowest first. Predictions are right but for the two fastest runs and the slowest.
        let mut times: Vec<[f64; 2]> = (1..=11).rev().map(|time| [f64::from(time); 2]).collect();
        (times[10][1], times[9][1], times[0][1]) = (1.5, 1.8, 33.0);
        let error = TimeErrors::new(times).unwrap();
        // Errors 0.5, 0.1, 2 and eight of 0; the fastest tenth of eleven runs are two.
        near(error.median, 0.0);
        near(error.mean, 2.6 / 11.0);
        near(error.fastest_median, 0.3);
        near(error.fastest_mean, 0.3);
        // 28 of 55 pairs are of two exact predictions.
        near(error.ratio.unwrap(), 0.0);
    }

    #[test]
    fn the_ratio_of_two_runs_has_the_error_of_neither_order() {
        // Half and twice the measured time: the ratio is wrong by 4 whichever is divided.
        for times in [[[4.0, 2.0], [8.0, 16.0]], [[8.0, 16.0], [4.0, 2.0]]] {
            let error = TimeErrors::new(times.to_vec()).unwrap();
            near(error.ratio.unwrap(), 3.0);
            near(error.median, 0.75);
        }
        // A scale that all predictions share does not touch ratios: factors 2, 2 and 3 make pairs of 1, 1.5 and 1.5.
        let error = TimeErrors::new(vec![[1.0, 2.0], [2.0, 4.0], [3.0, 9.0]]).unwrap();
        near(error.ratio.unwrap(), 0.5);
        near(error.median, 1.0);
    }

    #[test]
    fn one_run_has_no_ratio_and_none_has_no_error() {
        assert_eq!(TimeErrors::new(Vec::new()), None);
        let alone = TimeErrors::new(vec![[2.0, 3.0]]).unwrap();
        assert_eq!(alone, TimeErrors { median: 0.5, mean: 0.5, fastest_median: 0.5, fastest_mean: 0.5, ratio: None });
        let both = TimeErrors::mean(&[alone, TimeErrors { median: 1.0, ratio: Some(0.25), ..alone }]).unwrap();
        assert_eq!(both, TimeErrors { median: 0.75, ratio: Some(0.25), ..alone });
    }

    proptest! {
        #[test]
        fn the_median_distance_is_its_definition(values in proptest::collection::vec(-9..9_i32, 0..40)) {
            let values: Vec<f64> = values.into_iter().map(|value| f64::from(value) / 7.0).collect();
            let mut distances: Vec<f64> = Vec::new();
            for (place, a) in values.iter().enumerate() {
                distances.extend(values[..place].iter().map(|b| (a - b).abs()));
            }
            distances.sort_by(f64::total_cmp);
            let middle = distances.len().saturating_sub(1) / 2;
            prop_assert_eq!(median_distance(values), distances.get(middle).copied());
        }
    }
}
