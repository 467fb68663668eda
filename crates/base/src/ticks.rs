//! A time or bound of the abstract machine, in ticks.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A time or bound of the abstract machine, in ticks. It is a type of its own so that it cannot stand for a number of
/// events, states or configurations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ticks(u64);

impl Ticks {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// A time that no program reaches.
    pub const MAX: Self = Self(u64::MAX);

    /// Returns a time of this many ticks.
    #[must_use]
    pub const fn new(ticks: u64) -> Self {
        Self(ticks)
    }

    /// Returns the number of ticks.
    #[must_use]
    pub fn get(self) -> u64 {
        self.0
    }

    /// Returns the time as a number of 53 bits, for figures that people read.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "figures for people; what decides is exact")]
    pub fn to_f64(self) -> f64 {
        self.0 as f64
    }

    /// Returns the bound before which a run of this time ends: T + 1. [`Ticks::MAX`] stays.
    #[must_use]
    pub fn after(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl From<u64> for Ticks {
    fn from(ticks: u64) -> Self {
        Self(ticks)
    }
}

impl From<Ticks> for u64 {
    fn from(ticks: Ticks) -> Self {
        ticks.0
    }
}

impl From<Ticks> for u128 {
    fn from(ticks: Ticks) -> Self {
        ticks.0.into()
    }
}

impl fmt::Display for Ticks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The schema of a number, wherever a time stands.
#[cfg(feature = "schemas")]
impl schemars::JsonSchema for Ticks {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        <u64 as schemars::JsonSchema>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        <u64 as schemars::JsonSchema>::json_schema(generator)
    }
}
