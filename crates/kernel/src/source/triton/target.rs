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

impl serde::Serialize for TritonTarget {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.words().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::source::compile::Architecture;

    #[test]
    fn a_target_has_the_words_of_triton() {
        let gfx942 = Target::Amd(Architecture::new("gfx942").unwrap());
        assert_eq!(TritonTarget::new(&Target::Nvidia(80), 32).unwrap().words(), json!(["cuda", 80, 32]));
        assert_eq!(TritonTarget::new(&Target::Nvidia(70), 32).unwrap().words(), json!(["cuda", 70, 32]));
        assert_eq!(TritonTarget::new(&gfx942, 64).unwrap().words(), json!(["hip", "gfx942", 64]));
    }

    #[test]
    fn older_gpus_and_no_gpu_are_refused() {
        assert_eq!(TritonTarget::new(&Target::Nvidia(61), 32), Err(TritonError::Target));
        assert_eq!(TritonTarget::new(&Target::Portable, 32), Err(TritonError::Target));
    }
}
