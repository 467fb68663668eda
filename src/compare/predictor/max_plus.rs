//! The max-plus models: the longest path through a kernel's graph.

use super::cost::{PredictedCost, Prediction};
use crate::models::maxplus::{Kernel, Variant};
use crate::space::Case;

/// The time of a configuration by one of the models, in ticks.
pub(super) fn ticks(case: &Case, model: Variant) -> Prediction {
    let kernel = Kernel::new(case.spec, case.profile, case.scope, &case.lowered.program)?;
    Ok(PredictedCost::Ticks(kernel.time(model)?))
}
