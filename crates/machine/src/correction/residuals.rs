//! The residuals of runs by the values of their parameters: where predictions are wrong.

use std::collections::BTreeMap;

use super::repeats::median;

/// The statements of runs on the predictions.
#[derive(Debug, Clone, PartialEq)]
pub struct Residuals {
    /// The median of measured divided by predicted time.
    pub scale: f64,
    /// The values of each parameter that has several in the runs, the greatest deviation from the scale first.
    pub by_value: Vec<ValueResidual>,
}

/// The residual of the runs that have one value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueResidual {
    /// The number of the parameter in the spec's order, from 0.
    pub parameter: usize,
    /// The value.
    pub value: i64,
    /// The median of measured divided by predicted time, in proportion to the scale: above 1 if these runs are slower
    /// than predicted.
    pub factor: f64,
    /// The number of runs that have the value and succeeded.
    pub runs: usize,
}

impl Residuals {
    /// The residuals of runs: the values of the parameters, and the logarithm of measured divided by predicted time.
    /// `None` without runs.
    #[must_use]
    pub fn of(runs: &[(&[i64], f64)]) -> Option<Self> {
        let scale = median(runs.iter().map(|(_, residual)| *residual))?;
        let parameters = runs.first().map_or(0, |(values, _)| values.len());
        let mut by_value: Vec<ValueResidual> =
            (0..parameters).flat_map(|parameter| of_parameter(runs, parameter, scale)).collect();
        // The sort is stable: equal deviations stay in the order of the spec.
        by_value.sort_by(|one, other| other.deviation().total_cmp(&one.deviation()));
        Some(Self { scale: scale.exp(), by_value })
    }
}

impl ValueResidual {
    /// The deviation from the scale, in both directions: 0 if there is none.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        self.factor.ln().abs()
    }
}

/// The residuals of a parameter's values; empty if the runs have a single value of it.
fn of_parameter(runs: &[(&[i64], f64)], parameter: usize, scale: f64) -> Vec<ValueResidual> {
    let mut by_value: BTreeMap<i64, Vec<f64>> = BTreeMap::new();
    for (values, residual) in runs {
        by_value.entry(values[parameter]).or_default().push(residual - scale);
    }
    if by_value.len() < 2 {
        return Vec::new();
    }
    let of_value = |(value, residuals): (i64, Vec<f64>)| {
        let runs = residuals.len();
        let factor = median(residuals).unwrap_or_default().exp();
        ValueResidual { parameter, value, factor, runs }
    };
    by_value.into_iter().map(of_value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_that_is_slower_than_predicted_comes_first() {
        // The second parameter's 1 makes runs four times slower than predicted; the third has one value.
        let runs: [(&[i64], f64); 5] = [
            (&[32, 0, 7], 2_f64.ln()),
            (&[64, 0, 7], 2_f64.ln()),
            (&[64, 0, 7], 2_f64.ln()),
            (&[32, 1, 7], 8_f64.ln()),
            (&[64, 1, 7], 8_f64.ln()),
        ];
        let residuals = Residuals::of(&runs).unwrap();
        assert!((residuals.scale - 2.0).abs() < 1e-12);
        let told: Vec<_> = residuals.by_value.iter().map(|one| (one.parameter, one.value, one.runs)).collect();
        assert_eq!(told, [(1, 1, 2), (0, 32, 2), (0, 64, 3), (1, 0, 3)]);
        let factors: Vec<f64> = residuals.by_value.iter().map(|one| one.factor).collect();
        assert!((factors[0] - 4.0).abs() < 1e-12 && (factors[1] - 2.0).abs() < 1e-12, "{factors:?}");
        assert!((factors[2] - 1.0).abs() < 1e-12 && (factors[3] - 1.0).abs() < 1e-12, "{factors:?}");
    }

    #[test]
    fn without_runs_there_are_no_residuals() {
        assert_eq!(Residuals::of(&[]), None);
    }
}
