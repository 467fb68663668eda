//! What a search will cost, told before it begins and compared with the truth afterwards.

use crate::model::{Form, Model};

/// Searches that go through all runs: of the property at T, of the ends and of the ties at T + 1.
const SEARCHES: f64 = 3.0;
/// Seconds that starting and ending a search takes, with the short one at T + 1 and its replay.
const START: f64 = 0.015;
/// Seconds for an event in the form of roles, not optimised and optimised. `benches/` compares the estimates with the truth.
const ROLES: [f64; 2] = [6.0e-6, 2.0e-6];
/// The same in the form of waves.
const WAVE: [f64; 2] = [4.0e-7, 1.0e-7];
/// MiB that a search takes before its first state.
const FLOOR: f64 = 1.2;
/// Bytes that SPIN's stack holds for a step.
const STEP_BYTES: f64 = 64.0;
/// Steps of an event in the form of roles.
const STEPS_OF_AN_EVENT: f64 = 8.0;

/// What a proof is expected to cost. Memory and time depend on the machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Events that one search steps through, in all models.
    pub events: u64,
    /// MiB of the greatest search.
    pub memory_mib: f64,
    /// Seconds of all searches, without translation and compilation.
    pub seconds: f64,
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
impl Effort {
    /// Of these models, the longest run of which takes `longest` events, and all runs `events`.
    pub(super) fn of(models: &[Model], events: u64, longest: u64) -> Self {
        let optimised = usize::from(models.iter().any(Model::is_worth_optimising));
        let form = models.first().map_or(Form::Wave, |model| model.form);
        let (per_event, steps) = match form {
            Form::Roles => (ROLES[optimised], longest as f64 * STEPS_OF_AN_EVENT),
            Form::Wave => (WAVE[optimised], 0.0),
        };
        // A state that is stored holds half of what is reserved for it.
        let states = |model: &Model| model.candidates.len() as f64 * model.vector_bytes as f64 / 2.0;
        let largest = models.iter().map(states).fold(0.0, f64::max);
        Self {
            events,
            memory_mib: FLOOR + (steps * STEP_BYTES + largest) / f64::from(1 << 20),
            seconds: models.len() as f64 * START * SEARCHES + SEARCHES * events as f64 * per_event,
        }
    }
}
