//! What a search will cost, told before it begins and compared with the truth afterwards.

use crate::model::{Form, Model};

/// Searches that go through all runs: of the property at T, of the ends and of the ties at T + 1.
const SEARCHES: f64 = 3.0;
/// Seconds that starting and ending a search takes, with the short one at T + 1 and its replay.
const START: f64 = 0.015;
/// Seconds for an event in the form of roles, not optimised and optimised. `benches/` compares the estimates with the truth.
const ROLES: [f64; 2] = [8.0e-6, 3.0e-6];
/// The same in the form of waves.
const WAVE: [f64; 2] = [7.0e-7, 2.5e-7];
/// MiB that a search takes before its first state.
const FLOOR: f64 = 1.2;
/// Bytes that SPIN reserves for a step of its stack.
const STEP_BYTES: f64 = 54.0;
/// The part of a state's reserved bytes that it takes.
const STATE_SHARE: f64 = 0.4;

/// What a proof is expected to cost. Memory and time depend on the machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Stored states of the greatest search.
    pub states: usize,
    /// Events that one search steps through, in all models.
    pub events: u64,
    /// MiB of the greatest search.
    pub memory_mib: f64,
    /// Seconds of all searches, without translation and compilation.
    pub seconds: f64,
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
impl Effort {
    /// Of these models, whose runs take so many events together.
    pub(super) fn of(models: &[Model], events: u64) -> Self {
        let optimised = usize::from(models.iter().any(Model::is_worth_optimising));
        let per_event = match models.first().map(|model| model.form) {
            Some(Form::Roles) => ROLES[optimised],
            Some(Form::Wave) | None => WAVE[optimised],
        };
        let bytes = |model: &Model| {
            let states = model.candidates.len() as f64 * model.vector_bytes as f64 * STATE_SHARE;
            states + model.depth as f64 * STEP_BYTES
        };
        // One for each configuration, and where SPIN chooses.
        let states = models.iter().map(|model| model.candidates.len() + 1).max().unwrap_or(0);
        Self {
            states,
            events,
            memory_mib: FLOOR + models.iter().map(bytes).fold(0.0, f64::max) / f64::from(1 << 20),
            seconds: SEARCHES * (models.len() as f64 * START + events as f64 * per_event),
        }
    }
}
