//! The abstract machine as a predictor: the native evaluator's time of the lowered program.

use super::cost::{PredictedCost, Prediction};
use crate::machine::evaluate;
use crate::space::{Case, MOST_EVENTS};

/// The time of a configuration, in ticks.
pub(super) fn ticks(case: &Case) -> Prediction {
    let program = &case.lowered.program;
    program.check_length()?;
    Ok(PredictedCost::Ticks(evaluate(program, MOST_EVENTS)?.ticks.into()))
}
