//! The wave model as a predictor.

use super::cost::{PredictedCost, Prediction};
use crate::models::predict::predict;
use crate::space::Case;

/// The predicted time of a configuration, in microseconds.
pub(super) fn microseconds(case: &Case) -> Prediction {
    Ok(PredictedCost::Real(predict(case.profile, case.lowered)?.microseconds))
}
