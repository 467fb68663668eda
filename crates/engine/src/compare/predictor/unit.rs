//! The units of costs.

use serde::Serialize;

/// The unit of a predictor's costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Ticks of the abstract machine: on a real GPU each is a 16th of a core cycle.
    Ticks,
    /// Microseconds.
    #[serde(rename = "us")]
    Microseconds,
    /// A number without a unit.
    None,
}

impl Unit {
    /// The unit's name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ticks => "ticks",
            Self::Microseconds => "us",
            Self::None => "none",
        }
    }
}
