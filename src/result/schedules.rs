//! The time of a configuration in every order of simultaneous events.

use serde::Serialize;

use autotune_base::ticks::Ticks;
use autotune_lowering::space::Orders;

/// The least and the greatest time of a configuration over all orders of simultaneous events, or bounds of them.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct SchedulesReport {
    /// The least time in ticks; with `open`, a lower bound.
    pub least: Ticks,
    /// The greatest time in ticks; with `open`, an upper bound.
    pub greatest: Ticks,
    /// The number of explored states; absent with `open`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// The reason why the exploration did not end; absent if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<String>,
}

impl SchedulesReport {
    /// The report of a configuration's extremes, or of their bounds.
    #[must_use]
    pub fn new(orders: &Orders) -> Self {
        Self {
            least: orders.least.into(),
            greatest: orders.greatest.into(),
            states: orders.states.as_ref().ok().copied(),
            open: orders.states.as_ref().err().map(ToString::to_string),
        }
    }
}
