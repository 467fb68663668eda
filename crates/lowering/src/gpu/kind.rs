//! The key that distinguishes the two kinds of profile.

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny};

/// A key whose value the kind of profile says already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Told;

impl<'de> Deserialize<'de> for Told {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}
