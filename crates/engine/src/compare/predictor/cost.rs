//! The cost of a configuration.

use autotune_base::ticks::Ticks;

use std::cmp::Ordering;
use std::error::Error;
use std::fmt;

use num_traits::ToPrimitive;
use serde::Serialize;

/// A predictor's cost of a configuration, or the reason why it does not have one.
pub type Prediction = Result<PredictedCost, Box<dyn Error + Send + Sync>>;

/// A predictor's cost of a configuration. A lower cost is better, and a higher efficiency.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(untagged)]
#[cfg_attr(feature = "schemas", schemars(rename = "Cost"))]
pub enum PredictedCost {
    /// Whole ticks.
    Ticks(u128),
    /// Microseconds.
    Real(f64),
    /// An efficiency, above 0 and at most 1.
    Efficiency(f64),
}

impl PredictedCost {
    /// The cost as a number of floating point, for statistics: less is better. Ticks are exact up to 2^53, and an
    /// efficiency is its inverse.
    #[must_use]
    pub fn value(self) -> f64 {
        match self {
            Self::Ticks(ticks) => ticks.to_f64().unwrap_or(f64::INFINITY),
            Self::Real(value) => value,
            Self::Efficiency(efficiency) => 1.0 / efficiency,
        }
    }

    /// A number that orders and ties the costs of one predictor as [`PredictedCost::total_cmp`] does; an inverse could tie
    /// efficiencies that differ.
    #[must_use]
    pub fn rank(self) -> f64 {
        match self {
            Self::Efficiency(efficiency) => -efficiency,
            Self::Ticks(_) | Self::Real(_) => self.value(),
        }
    }

    /// The ticks; `None` if the cost is not in ticks, or has more than 64 bits.
    #[must_use]
    pub fn ticks(self) -> Option<Ticks> {
        match self {
            Self::Ticks(ticks) => ticks.to_u64().map(Ticks::new),
            Self::Real(_) | Self::Efficiency(_) => None,
        }
    }

    /// The order of two costs of one predictor, the better one first.
    #[must_use]
    pub fn total_cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Ticks(one), Self::Ticks(other)) => one.cmp(other),
            (one, other) => one.rank().total_cmp(&other.rank()),
        }
    }
}

impl fmt::Display for PredictedCost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ticks(ticks) => ticks.fmt(formatter),
            Self::Real(value) | Self::Efficiency(value) => value.fmt(formatter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_larger_efficiency_is_better_and_neighbours_are_not_tied() {
        let efficiency = PredictedCost::Efficiency;
        assert!(efficiency(0.5).total_cmp(&efficiency(0.25)).is_lt());
        assert!(efficiency(0.5).value() < efficiency(0.25).value());
        // Two neighbours with one inverse.
        let (one, next) = (0.900_000_000_000_000_2, 0.900_000_000_000_000_4);
        assert_eq!(efficiency(one).value().to_bits(), efficiency(next).value().to_bits());
        assert!(
            efficiency(next).total_cmp(&efficiency(one)).is_lt() && efficiency(next).rank() < efficiency(one).rank()
        );
        assert_eq!(serde_json::to_string(&efficiency(0.5)).unwrap(), "0.5");
        assert_eq!((efficiency(0.5).ticks(), efficiency(0.5).to_string()), (None, "0.5".to_owned()));
    }
}
