//! Configurations that were chosen to be measured.

use serde::{Deserialize, Serialize};

use crate::result::RunPurpose;
use autotune_lowering::spec::Configuration;

/// A configuration that was chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pick {
    /// The values of its parameters, in the spec's order.
    pub(super) values: Vec<i64>,
    /// The predicted time, in milliseconds, or in ticks on a GPU without a clock.
    pub(super) predicted: f64,
    /// The purpose of its runs.
    pub(super) purpose: RunPurpose,
    /// The number of its runs that are to succeed.
    pub(super) runs: usize,
}

impl Pick {
    pub(super) fn configuration(&self) -> Configuration {
        Configuration(self.values.clone())
    }
}
