//! How accurate rankings on a family of GPUs have been (`accuracy` in `schemas/result.json`).

use serde::{Deserialize, Serialize};

use super::terminal::printable;
use crate::compare::validation::{Accuracy, accuracy};
use crate::gpu::Profile;

/// How good first picks were on measured spaces of a GPU's family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AccuracyReport {
    /// The family; none of an abstract processor, and where a profile does not say it.
    pub architecture: Option<String>,
    /// Measured spaces of GPUs of the family.
    pub spaces: usize,
    /// What the first pick reached of the best, the geometric mean; none without a space.
    pub first: Option<f64>,
    /// The same of a pick at random.
    pub random: Option<f64>,
}

impl AccuracyReport {
    /// Of a GPU's family.
    #[must_use]
    pub fn new(profile: &Profile) -> Self {
        let found = profile.architecture().and_then(accuracy);
        Self {
            architecture: profile.architecture().map(str::to_owned),
            spaces: found.map_or(0, |Accuracy { spaces, .. }| spaces),
            first: found.map(|Accuracy { first, .. }| first),
            random: found.map(|Accuracy { random, .. }| random),
        }
    }

    /// The same as a sentence without its full stop.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Self { architecture, spaces, first, random } = self;
        let Some(architecture) = architecture.as_deref().map(printable) else {
            return "nothing: this GPU is of no family on which spaces were measured".to_owned();
        };
        let (Some(first), Some(random)) = (first, random) else {
            return format!("nothing: no space was measured on a GPU of the family {architecture}");
        };
        let plural = if *spaces == 1 { "" } else { "s" };
        format!(
            "on {spaces} measured space{plural} of {architecture} GPUs the first pick reached {first:.2} of the best, a random \
             one {random:.2}"
        )
    }
}
