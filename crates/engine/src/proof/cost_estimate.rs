//! The expected cost of a search, estimated before it begins and compared with the real cost afterwards.

use serde::Serialize;

use crate::model::{Form, Model};

/// The number of searches that go through all runs: for the property at T, for the ends and for the ties at T + 1.
const SEARCHES: f64 = 3.0;
/// The seconds for starting and ending a search, including the short search at T + 1 and its replay.
const START: f64 = 0.015;
/// The seconds for an event in the form of roles, not optimised and optimised. `benches/` compares the estimates with
/// measurements.
const ROLES: [f64; 2] = [8.0e-6, 3.0e-6];
/// The seconds for an event in the form of waves, not optimised and optimised.
const WAVE: [f64; 2] = [7.0e-7, 2.5e-7];
/// The memory of a search before its first state, in MiB.
const FLOOR: f64 = 1.2;
/// The bytes that SPIN reserves for a step of its stack.
const STEP_BYTES: f64 = 54.0;
/// The share of a state's reserved bytes that the state takes.
const STATE_SHARE: f64 = 0.4;

/// The expected cost of a job's searches.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "PlannedCost", deny_unknown_fields))]
pub struct CostEstimate {
    /// The number of stored states of the greatest search.
    pub states: usize,
    /// The number of events that one search steps through, in all models.
    pub events: u64,
    /// The memory of the greatest search, in MiB.
    pub memory_mib: f64,
    /// The time of all searches in seconds, without translation and compilation.
    #[serde(rename = "search_seconds")]
    pub seconds: f64,
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
impl CostEstimate {
    /// The cost of two proofs, one after the other.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            states: self.states.max(other.states),
            events: self.events.saturating_add(other.events),
            memory_mib: self.memory_mib.max(other.memory_mib),
            seconds: self.seconds + other.seconds,
        }
    }

    /// The cost of these models, whose runs take `events` events together.
    pub(super) fn new(models: &[Model], events: u64) -> Self {
        let optimised = usize::from(models.iter().any(Model::is_worth_optimising));
        let per_event = match models.first().map(|model| model.form) {
            Some(Form::Roles) => ROLES[optimised],
            Some(Form::Wave) | None => WAVE[optimised],
        };
        let bytes = |model: &Model| {
            let states = model.candidates.len() as f64 * model.vector_bytes as f64 * STATE_SHARE;
            states + model.depth as f64 * STEP_BYTES
        };
        // One state for each configuration, and one where SPIN chooses.
        let states = models.iter().map(|model| model.candidates.len() + 1).max().unwrap_or(0);
        Self {
            states,
            events,
            memory_mib: FLOOR + models.iter().map(bytes).fold(0.0, f64::max) / f64::from(1 << 20),
            seconds: SEARCHES * (models.len() as f64 * START + events as f64 * per_event),
        }
    }

    /// The least time in seconds that the searches of one model of this form are expected to take, if its runs take
    /// `events` events together.
    pub(super) fn least_seconds(form: Form, events: u64) -> f64 {
        let [_, optimised] = match form {
            Form::Roles => ROLES,
            Form::Wave => WAVE,
        };
        SEARCHES * (START + events as f64 * optimised)
    }
}
