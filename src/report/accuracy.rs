//! The accuracy of rankings, as a result states it.

use crate::gpu::Profile;
use crate::result::AccuracyReport;
use crate::validation::{Accuracy, accuracy};

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

