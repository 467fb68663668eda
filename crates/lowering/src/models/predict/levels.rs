//! The levels of memory.

use serde::Serialize;

/// A level of memory, the source of an access's bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    L1,
    L2,
    Dram,
    Uncoalesced,
}

impl Level {
    /// The levels in the order of their consideration.
    pub(super) const ALL: [Self; 4] = [Self::L1, Self::L2, Self::Dram, Self::Uncoalesced];
}

/// One value for each level of memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields, rename = "Levels"))]
pub struct Levels<T> {
    /// The cache of a multiprocessor.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub l1: T,
    /// The cache of the GPU.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub l2: T,
    /// The GPU's memory.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub dram: T,
    /// Accesses whose lanes ask for more sectors than accesses of neighbouring elements would.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub uncoalesced: T,
}

impl<T: Copy> Levels<T> {
    pub(super) fn get(&self, level: Level) -> T {
        match level {
            Level::L1 => self.l1,
            Level::L2 => self.l2,
            Level::Dram => self.dram,
            Level::Uncoalesced => self.uncoalesced,
        }
    }

    /// Replaces the value of one level.
    pub(super) fn with(mut self, level: Level, value: T) -> Self {
        *match level {
            Level::L1 => &mut self.l1,
            Level::L2 => &mut self.l2,
            Level::Dram => &mut self.dram,
            Level::Uncoalesced => &mut self.uncoalesced,
        } = value;
        self
    }
}

/// Converts a count to a floating-point number.
#[expect(clippy::cast_precision_loss, reason = "an estimate: 53 bits are plenty")]
pub(super) fn real(count: u64) -> f64 {
    count as f64
}
