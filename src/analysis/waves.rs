//! The wave model: predicted microseconds.

use super::{Case, Prediction};
use crate::predict::predict;

/// The predicted time of a configuration, in microseconds.
pub(super) fn microseconds(case: &Case) -> Prediction {
    Ok(predict(case.profile, case.lowered)?.microseconds)
}
