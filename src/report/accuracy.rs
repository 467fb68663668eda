//! The accuracy of rankings, as part of a result.

use crate::compare::validation::{self, Accuracy};
use crate::gpu::Profile;
use crate::result::AccuracyReport;

/// The accuracy of rankings on GPUs of the profile's family. Its fractions are `None` if no space of the family was
/// measured.
#[must_use]
pub fn accuracy(profile: &Profile) -> AccuracyReport {
    let found = profile.architecture().and_then(validation::accuracy);
    AccuracyReport {
        architecture: profile.architecture().map(str::to_owned),
        spaces: found.map_or(0, |Accuracy { spaces, .. }| spaces),
        first: found.map(|Accuracy { first, .. }| first),
        random: found.map(|Accuracy { random, .. }| random),
    }
}
