//! The cost of a configuration.

use crate::ticks::Ticks;

use std::cmp::Ordering;
use std::error::Error;
use std::fmt;

use num_traits::ToPrimitive;
use serde::Serialize;

/// A predictor's cost of a configuration, or the reason why it does not have one.
pub type Prediction = Result<PredictedCost, Box<dyn Error + Send + Sync>>;

/// A predictor's cost of a configuration: less is better.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
#[cfg_attr(test, schemars(rename = "Cost"))]
pub enum PredictedCost {
    /// Whole ticks.
    Ticks(u128),
    /// Microseconds, or the inverse of an efficiency.
    Real(f64),
}

impl PredictedCost {
    /// The cost as a number of floating point, for statistics. Ticks are exact up to 2^53.
    #[must_use]
    pub fn value(self) -> f64 {
        match self {
            Self::Ticks(ticks) => ticks.to_f64().unwrap_or(f64::INFINITY),
            Self::Real(value) => value,
        }
    }

    /// The ticks; `None` if the cost is not in ticks, or has more than 64 bits.
    #[must_use]
    pub fn ticks(self) -> Option<Ticks> {
        match self {
            Self::Ticks(ticks) => ticks.to_u64().map(Ticks::new),
            Self::Real(_) => None,
        }
    }

    /// The order of two costs of one predictor.
    #[must_use]
    pub fn total_cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Ticks(one), Self::Ticks(other)) => one.cmp(other),
            (one, other) => one.value().total_cmp(&other.value()),
        }
    }
}

impl fmt::Display for PredictedCost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ticks(ticks) => ticks.fmt(formatter),
            Self::Real(value) => value.fmt(formatter),
        }
    }
}
