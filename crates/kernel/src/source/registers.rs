//! Registers of a work item: as a back end assigns them, or estimated from what is live.

mod amd;
mod estimate;
mod factors;
mod live;
mod plain;
mod ptx;
mod ptxas;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use amd::amd_registers;
pub use estimate::estimated_registers;
pub use plain::is_plain;
pub use ptx::ptx_registers;
pub use ptxas::{Ptxas, PtxasError};

/// The registers of a work item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registers {
    /// The number of registers of 32 bits.
    pub value: u32,
    /// The origin of the number.
    pub source: RegisterSource,
    /// The bytes that a work item spills to private memory; `None` if they are not known.
    pub spilled_bytes: Option<u64>,
    /// The instructions that store and load spilled words; `None` if they are not known.
    pub spill_accesses: Option<u64>,
    /// The bytes of local memory that the kernel declares; `None` if they are not known.
    pub local_bytes: Option<u64>,
}

impl Registers {
    /// An estimate, which says nothing of what spills.
    fn estimated(value: u64) -> Self {
        Self {
            value: u32::try_from(value).unwrap_or(u32::MAX),
            source: RegisterSource::Estimate,
            spilled_bytes: None,
            spill_accesses: None,
            local_bytes: None,
        }
    }
}

/// The origin of a number of registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RegisterSource {
    /// An estimate from what is live.
    Estimate,
    /// NVIDIA's assembler.
    Ptxas,
    /// The compiler's back end for AMD.
    Amd,
}

impl fmt::Display for Registers {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, .. } = self;
        match self.source {
            RegisterSource::Estimate => write!(formatter, "about {value} registers (estimate)"),
            RegisterSource::Ptxas => write!(formatter, "{value} registers (ptxas)"),
            RegisterSource::Amd => write!(formatter, "{value} registers (clang for AMD)"),
        }
    }
}
