//! Values that a profile may leave out: their defaults by the family of GPUs.

use super::{Pipelined, Rate};

/// The least width in bits of a memory interface of HBM.
pub(crate) const HBM_BITS: u64 = 1024;

/// A default that stands for a value that the profile does not state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FamilyDefault {
    /// The key of the profile.
    pub key: &'static str,
    /// The value.
    pub value: Rate,
    /// The reason, in words.
    pub why: String,
}

impl Pipelined {
    /// The fraction of its nominal bandwidth that DRAM reaches: 0.92 of GDDR6 and GDDR6X (0.86 to 0.95 measured), else 0.85.
    #[must_use]
    pub fn dram_efficiency(&self) -> Rate {
        self.dram_efficiency.unwrap_or_else(|| if self.has_gddr6() { Rate::new(23, 25) } else { Rate::new(17, 20) })
    }

    /// Slots of L2 for a sector that a warp writes in part, where a full sector takes one: 2 on Kepler, 3 on Fermi, 8 on
    /// Turing, else 4 (2.0 to 9.6 measured on twelve GPUs).
    #[must_use]
    pub fn part_written_slots(&self) -> Rate {
        let of_family = match self.family() {
            "Kepler" => 2,
            "Fermi" => 3,
            "Turing" => 8,
            _ => 4,
        };
        self.part_written_slots.unwrap_or_else(|| of_family.into())
    }

    /// The defaults by family that stand for values, in the order of their keys.
    #[must_use]
    pub fn defaults(&self) -> Vec<FamilyDefault> {
        let of = if self.family().is_empty() { "a GPU of no stated family" } else { self.family() };
        let all = [
            ("dram_efficiency", self.dram_efficiency, self.dram_efficiency()),
            ("part_written_slots", self.part_written_slots, self.part_written_slots()),
        ];
        let unstated = all.into_iter().filter(|(_, stated, _)| stated.is_none());
        let default = |(key, _, value)| FamilyDefault { key, value, why: format!("not stated: the default of {of}") };
        unstated.map(default).collect()
    }

    fn family(&self) -> &str {
        self.architecture.as_deref().unwrap_or_default()
    }

    fn has_gddr6(&self) -> bool {
        matches!(self.family(), "Turing" | "Ampere" | "Ada" | "RDNA") && self.memory_bus_bits < HBM_BITS
    }
}
