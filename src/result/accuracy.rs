//! The accuracy of rankings on a family of GPUs (`accuracy` in `schemas/result.json`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compare::validation::{self, Accuracy};
use crate::gpu::Profile;
use crate::text::words::printable;

/// The accuracy of the machine's first pick on measured spaces of GPUs of this family.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct AccuracyReport {
    /// The family of the GPU; null on a lockstep GPU, and if the profile does not state it.
    pub architecture: Option<String>,
    /// The number of measured spaces.
    pub spaces: usize,
    /// The best measured time divided by that of the first pick, as the geometric mean over the spaces; null without a
    /// measured space.
    #[schemars(range(min = 0, max = 1))]
    pub first: Option<f64>,
    /// This quotient for a pick at random, as the geometric mean over the spaces; null without a measured space.
    #[schemars(range(min = 0, max = 1))]
    pub random: Option<f64>,
}

impl AccuracyReport {
    /// The accuracy of rankings on GPUs of the profile's family. Its fractions are `None` if no space of the family was
    /// measured.
    #[must_use]
    pub fn new(profile: &Profile) -> Self {
        let found = profile.architecture().and_then(validation::accuracy);
        Self {
            architecture: profile.architecture().map(str::to_owned),
            spaces: found.map_or(0, |Accuracy { spaces, .. }| spaces),
            first: found.map(|Accuracy { first, .. }| first),
            random: found.map(|Accuracy { random, .. }| random),
        }
    }

    /// The accuracy as a sentence without its full stop.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Self { architecture, spaces, first, random } = self;
        let Some(architecture) = architecture.as_deref().map(printable) else {
            return "nothing: this GPU does not belong to a family with measured spaces".to_owned();
        };
        let (Some(first), Some(random)) = (first, random) else {
            return format!("nothing: no space was measured on a GPU of the family {architecture}");
        };
        let plural = if *spaces == 1 { "" } else { "s" };
        format!(
            "on {spaces} measured space{plural} of {architecture} GPUs, with specs by hand, the first pick reached {first:.2} \
             of the best, a random one {random:.2}"
        )
    }
}
