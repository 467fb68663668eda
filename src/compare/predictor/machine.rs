//! The abstract machine as a predictor: the native evaluator's time of the lowered program.

use super::super::Prediction;
use crate::machine::evaluate;
use crate::space::Case;

/// The events of one program beyond which its time is not computed.
pub(in crate::compare) const MOST_EVENTS: u64 = 100_000_000;

/// The time of a configuration, in ticks.
pub(super) fn ticks(case: &Case) -> Prediction {
    let program = &case.lowered.program;
    program.check_length()?;
    // Times up to 2^53 ticks, some hundred hours, are exact; above, neighbours may become ties.
    #[expect(clippy::cast_precision_loss, reason = "costs are compared, not counted")]
    Ok(evaluate(program, MOST_EVENTS)?.ticks as f64)
}
