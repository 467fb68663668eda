//! The expected time of the changes of a profile, and the part of a proof's time that they may take.

use crate::model::Form;
use crate::proof::{Question, least_seconds};
use autotune_lowering::space::{Estimates, Survey};

/// The part of a proof's expected time that the changes may take.
const PART: f64 = 0.1;

/// The seconds of a proof beside its searches: the translation and the compilation of its model.
const TOOLS: f64 = 4.0e-2;

/// The seconds for lowering a configuration of a spec with a body, on two processors.
const BODY: f64 = 2.0e-5;

/// The seconds for lowering a configuration from its source, which is executed.
const SOURCE: f64 = 1.0e-2;

/// The seconds for the lower bounds of a program.
const BOUNDS: f64 = 8.0e-6;

/// The seconds for an event of the native evaluator, on two processors.
const EVENT: f64 = 3.0e-8;

/// The most events of one program under a changed profile; the time of a longer one is not computed.
pub(super) const MOST_EVENTS_OF_ONE: u64 = 4_000_000;

/// The seconds that the changes may still take, by an estimate that depends on the question alone.
pub(super) struct Allowance {
    left: f64,
    /// The seconds for lowering and evaluating a configuration.
    each: f64,
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
impl Allowance {
    pub(super) fn new(question: &Question, survey: &Survey, estimates: &Estimates, form: Form) -> Self {
        let lowering = if question.spec.kernel_source.is_some() { SOURCE } else { BODY };
        let (programs, events) = estimates
            .evaluations
            .iter()
            .flatten()
            .fold((0, 0_u64), |(programs, events), each| (programs + 1, events.saturating_add(each.stepped)));
        let mean = events as f64 / f64::from(programs.max(1));
        let searches = least_seconds(question, survey, estimates, form);
        let proof = TOOLS + searches + survey.runnable().count() as f64 * lowering;
        Self { left: PART * proof, each: lowering + mean * EVENT }
    }

    #[cfg(test)]
    pub(super) fn unlimited() -> Self {
        Self { left: f64::INFINITY, each: 0.0 }
    }

    /// Spends the time of lowering and evaluating this many configurations; `None` if so much is not left.
    pub(super) fn spend_on_lowerings(&mut self, configurations: usize) -> Option<()> {
        self.spend(configurations as f64 * self.each)
    }

    /// Spends the time of bounding this many programs; `None` if so much is not left.
    pub(super) fn spend_on_bounds(&mut self, programs: usize) -> Option<()> {
        self.spend(programs as f64 * BOUNDS)
    }

    fn spend(&mut self, seconds: f64) -> Option<()> {
        self.left -= seconds;
        (self.left >= 0.0).then_some(())
    }
}
