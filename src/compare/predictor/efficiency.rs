//! The inverse of the implementation's efficiency, so that less is better.

use super::cost::{PredictedCost, Prediction};
use crate::models::efficiency::{Weights, efficiency};
use crate::space::Case;

/// 1 / R with the profile's weights; at least 1.
pub(super) fn inverse(case: &Case) -> Prediction {
    let weights = Weights::new(case.profile);
    Ok(PredictedCost::Real(1.0 / efficiency(case.spec, case.profile, case.scope, case.lowered, &weights)?.r))
}
