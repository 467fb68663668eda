//! The traits of a space that make it resemble others.

use serde::{Deserialize, Serialize};

/// The addend that keeps the logarithm of a spread finite.
const LEAST_SPREAD: f64 = 0.02;

/// The traits of a space and of its first pick.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Traits {
    /// The number of feasible configurations.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub configurations: u64,
    /// The number of work groups that the first pick launches.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub groups: u64,
    /// The standard deviation of the natural logarithm of the configurations' times by the wave model, to 4 digits. Null if
    /// the wave model lacks a term for one of them.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub spread: Option<f64>,
}

impl Traits {
    /// The traits of a space whose configurations take these times by the wave model (`None`: it lacks a term).
    #[must_use]
    pub fn new(waves: &[Option<f64>], groups: u64) -> Self {
        Self { configurations: waves.len() as u64, groups, spread: spread(waves) }
    }

    /// The logarithms of configurations, spread and groups.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub(super) fn logs(&self) -> [Option<f64>; 3] {
        let Self { configurations, groups, spread } = self;
        let spread = spread.map(|spread| libm::log(LEAST_SPREAD + spread));
        [Some(libm::log((*configurations).max(1) as f64)), spread, Some(libm::log((*groups).max(1) as f64))]
    }
}

/// The standard deviation of the logarithms; `None` if one is missing, or without any.
fn spread(times: &[Option<f64>]) -> Option<f64> {
    let logs: Vec<f64> = times.iter().map(|time| Some(libm::log((*time)?))).collect::<Option<_>>()?;
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    let count = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / count;
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / count;
    Some((variance.sqrt() * 1e4).round() / 1e4).filter(|spread| spread.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_the_deviation_of_logarithms() {
        let e = std::f64::consts::E;
        let traits = Traits::new(&[Some(1.0), Some(e * e), Some(1.0), Some(e * e)], 7);
        assert_eq!(traits, Traits { configurations: 4, groups: 7, spread: Some(1.0) });
        assert_eq!(Traits::new(&[Some(5.0), Some(5.0)], 1).spread, Some(0.0));
        assert_eq!(Traits::new(&[Some(5.0), None], 1).spread, None);
        assert_eq!(Traits::new(&[], 1).spread, None);
    }
}
