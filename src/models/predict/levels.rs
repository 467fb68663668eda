//! The levels of memory, and a value of each.

use serde::Serialize;

/// Where the bytes of an access come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    L1,
    L2,
    Dram,
    Uncoalesced,
}

impl Level {
    /// In the order in which their bandwidths are looked at.
    pub(super) const ALL: [Self; 4] = [Self::L1, Self::L2, Self::Dram, Self::Uncoalesced];
}

/// A value of each level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Levels<T> {
    /// The cache of a multiprocessor.
    pub l1: T,
    /// The cache of the GPU.
    pub l2: T,
    /// The GPU's memory.
    pub dram: T,
    /// Memory, where the lanes of a warp ask for more sectors than neighbours side by side would.
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

    /// The same, but for one level.
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

/// A count as a number to compute with.
#[expect(clippy::cast_precision_loss, reason = "an estimate: 53 bits are plenty")]
pub(super) fn real(count: u64) -> f64 {
    count as f64
}
