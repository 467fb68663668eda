//! The abstract processor of the model-checking paper.

use serde::Deserialize;

use super::kind::Told;
use super::number::{integer, optional, positive};

/// A GPU whose processing elements take one step together, without contention.
#[derive(Debug, Clone, PartialEq, Deserialize, Eq, Hash)]
#[serde(deny_unknown_fields)]
pub struct Lockstep {
    pub(super) name: String,
    #[serde(default)]
    pub(super) aliases: Vec<String>,
    #[serde(rename = "execution")]
    _execution: Told,
    /// NM: the number of multiprocessors.
    #[serde(deserialize_with = "positive::<_, 65_536>")]
    pub multiprocessors: u64,
    /// PE: processing elements of one multiprocessor.
    #[serde(deserialize_with = "positive::<_, 65_536>")]
    pub processing_elements: u64,
    /// ND: dispatchers of one multiprocessor, a divisor of its processing elements.
    #[serde(deserialize_with = "positive::<_, 65_536>")]
    pub dispatchers: u64,
    /// GMT: ticks of one load or store of a work item.
    #[serde(deserialize_with = "integer::<_, 0, 1_000_000>")]
    pub global_memory_ticks: u64,
    /// LMT: ticks of one local access of a work item.
    #[serde(deserialize_with = "integer::<_, 0, 1_000_000>")]
    pub local_memory_ticks: u64,
    /// Ticks of one launch before its first work group starts.
    #[serde(default, deserialize_with = "integer::<_, 0, 1_000_000_000>")]
    pub launch_ticks: u64,
    /// The most work items of a group; `None` if the profile does not limit them.
    #[serde(default, deserialize_with = "optional::<_, 1, 2_147_483_647>")]
    pub max_work_group: Option<u64>,
    /// The most local memory of a group, in bytes; `None` if the profile does not limit it.
    #[serde(default, deserialize_with = "optional::<_, 0, 2_147_483_647>")]
    pub local_memory: Option<u64>,
    /// The most registers of a work item; `None` if the profile does not limit them.
    #[serde(default, deserialize_with = "optional::<_, 1, 2_147_483_647>")]
    pub register_limit: Option<u64>,
}

impl Lockstep {
    /// Removes the limits of the processor.
    #[must_use]
    pub fn unlimited(self) -> Self {
        Self { max_work_group: None, local_memory: None, register_limit: None, ..self }
    }

    /// Returns WR, the lanes of a warp.
    #[must_use]
    pub fn warp_size(&self) -> u64 {
        self.processing_elements / self.dispatchers
    }

    /// A contradiction between several values: the key and the message.
    pub(super) fn contradiction(&self) -> Option<(&'static str, String)> {
        let Self { processing_elements, dispatchers, .. } = self;
        let unequal = !processing_elements.is_multiple_of(*dispatchers);
        unequal.then(|| {
            (
                "dispatchers",
                format!(
                    "{processing_elements} processing_elements cannot be shared equally by {dispatchers} dispatchers"
                ),
            )
        })
    }
}
