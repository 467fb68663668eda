//! The machines that Triton compiles for.

use super::error::TritonError;
use crate::source::compile::Target;

/// The oldest compute capability that Triton compiles for.
const OLDEST: u32 = 70;

/// A machine as Triton names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TritonTarget {
    /// A GPU of NVIDIA of a compute capability, such as 80.
    Nvidia(u32),
    /// A GPU of AMD, such as `gfx942`, and the work items of a warp.
    Amd(String, u32),
}

impl TritonTarget {
    /// Triton's name of a target with warps of this size.
    ///
    /// # Errors
    /// If Triton does not compile for the target.
    pub fn new(target: &Target, warp_size: u32) -> Result<Self, TritonError> {
        match target {
            Target::Nvidia(capability) if *capability >= OLDEST => Ok(Self::Nvidia(*capability)),
            Target::Amd(architecture) => Ok(Self::Amd(architecture.to_string(), warp_size)),
            Target::Nvidia(_) | Target::Portable => Err(TritonError::Target),
        }
    }

    /// Backend, architecture and warp size, as the helper takes them.
    pub(super) fn words(&self) -> serde_json::Value {
        match self {
            Self::Nvidia(capability) => serde_json::json!(["cuda", capability, 32]),
            Self::Amd(architecture, warp_size) => serde_json::json!(["hip", architecture, warp_size]),
        }
    }
}
