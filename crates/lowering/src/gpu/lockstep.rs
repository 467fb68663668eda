//! The abstract processor of the model-checking paper.

use serde::{Deserialize, Deserializer};

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
    /// t: ticks of one load of a work item; `None` if it takes GMT.
    #[serde(default, deserialize_with = "ticks")]
    read_ticks: Option<u32>,
    /// T: ticks of one store of a work item; `None` if it takes GMT.
    #[serde(default, deserialize_with = "ticks")]
    write_ticks: Option<u32>,
    /// tau: ticks of one operation of a work item; `None` if it takes one.
    #[serde(default, deserialize_with = "ticks")]
    operation_ticks: Option<u32>,
    /// dt: ticks from one load of the executors that share memory to the next; `None` if they do not wait for each
    /// other.
    #[serde(default, deserialize_with = "ticks")]
    read_delay_ticks: Option<u32>,
    /// dT: the same for stores.
    #[serde(default, deserialize_with = "ticks")]
    write_delay_ticks: Option<u32>,
    /// Ticks of one launch before its first work group starts.
    #[serde(default, deserialize_with = "integer::<_, 0, 1_000_000_000>")]
    pub launch_ticks: u64,
    /// Ticks of one message between the parts of the processor, from its sending to its arrival.
    #[serde(default, deserialize_with = "integer::<_, 0, 1_000_000>")]
    pub message_ticks: u64,
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

/// Reads the ticks of a statement; `unknown` is `None`.
fn ticks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let ticks = optional::<D, 0, 1_000_000>(deserializer)?;
    Ok(ticks.and_then(|ticks| u32::try_from(ticks).ok()))
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

    /// t: ticks of one load of a work item.
    #[must_use]
    pub fn load_ticks(&self) -> u64 {
        self.read_ticks.map_or(self.global_memory_ticks, u64::from)
    }

    /// T: ticks of one store of a work item.
    #[must_use]
    pub fn store_ticks(&self) -> u64 {
        self.write_ticks.map_or(self.global_memory_ticks, u64::from)
    }

    /// tau: ticks of one operation of a work item.
    #[must_use]
    pub fn compute_ticks(&self) -> u64 {
        self.operation_ticks.map_or(1, u64::from)
    }

    /// dt: ticks from one load of the executors that share memory to the next. The max-plus model alone has it: on the
    /// machine nothing contends.
    #[must_use]
    pub fn load_delay(&self) -> u64 {
        self.read_delay_ticks.map_or(0, u64::from)
    }

    /// dT: ticks from one store of the executors that share memory to the next, for the max-plus model alone.
    #[must_use]
    pub fn store_delay(&self) -> u64 {
        self.write_delay_ticks.map_or(0, u64::from)
    }

    /// True if executors wait for each other's accesses in the max-plus model.
    #[must_use]
    pub fn has_delays(&self) -> bool {
        self.load_delay() > 0 || self.store_delay() > 0
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
