//! The max-plus models: the longest path through a kernel's graph.

use super::super::Prediction;
use crate::models::maxplus::{Kernel, Variant};
use crate::space::Case;

/// The time of a configuration by one of the models, in ticks.
pub(super) fn ticks(case: &Case, model: Variant) -> Prediction {
    let kernel = Kernel::new(case.spec, case.profile, case.scope, &case.lowered.program)?;
    // Times up to 2^53 ticks, some hundred hours, are exact; above, neighbours may become ties.
    #[expect(clippy::cast_precision_loss, reason = "costs are compared, not counted")]
    Ok(kernel.time(model)? as f64)
}
