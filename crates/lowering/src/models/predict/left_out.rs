//! The terms of the formula that a profile lacks.

use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, de};

use super::device::Device;
use crate::lowering::GroupWork;

/// A term that is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeftOut {
    /// The launch.
    Launch,
    /// The time that each group adds to the launch.
    LaunchOfGroups,
    /// The time until the result of a single-precision operation can be used.
    ArithmeticLatency,
    /// The time until the result of another operation can be used.
    OtherLatency,
    /// The bandwidth of L2.
    L2Bandwidth,
    /// The latency of accesses that are not coalesced.
    UncoalescedLatency,
    /// The bandwidth of accesses that are not coalesced.
    UncoalescedBandwidth,
    /// The time of barriers.
    Barriers,
}

impl LeftOut {
    const ALL: [Self; 8] = [
        Self::Launch,
        Self::LaunchOfGroups,
        Self::ArithmeticLatency,
        Self::OtherLatency,
        Self::L2Bandwidth,
        Self::UncoalescedLatency,
        Self::UncoalescedBandwidth,
        Self::Barriers,
    ];

    /// Returns the name of the term in results.
    #[must_use]
    pub fn term(self) -> &'static str {
        match self {
            Self::Launch => "launch",
            Self::LaunchOfGroups => "launch_of_groups",
            Self::ArithmeticLatency => "arithmetic_latency",
            Self::OtherLatency => "other_latency",
            Self::L2Bandwidth => "l2_bandwidth",
            Self::UncoalescedLatency => "uncoalesced_latency",
            Self::UncoalescedBandwidth => "uncoalesced_bandwidth",
            Self::Barriers => "barriers",
        }
    }

    /// Returns the key that the profile lacks and the assumption that replaces the term.
    #[must_use]
    pub fn why(self) -> &'static str {
        match self {
            Self::Launch => "neither launch_regression nor kernel_launch_overhead_us: a launch takes no time",
            Self::LaunchOfGroups => {
                "no launch_regression for groups of this size: a launch takes kernel_launch_overhead_us"
            }
            Self::ArithmeticLatency => "no latency_fp32_fma_cycles: single-precision results can be used at once",
            Self::OtherLatency => "no latency of operations other than fp32: their results can be used at once",
            Self::L2Bandwidth => "no l2_bandwidth_bytes_per_cycle: L2 is never too slow",
            Self::UncoalescedLatency => {
                "no latency_uncoalesced_extra_cycles: accesses that are not coalesced count by the sectors that they touch"
            }
            Self::UncoalescedBandwidth => {
                "no uncoalesced_bandwidth_bytes_per_cycle: accesses that are not coalesced count as bytes of L1, L2 and DRAM"
            }
            Self::Barriers => "no latency_uncoalesced_extra_cycles: barriers take no time",
        }
    }
}

#[cfg(feature = "schemas")]
impl schemars::JsonSchema for LeftOut {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "LeftOut".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A term of the formula that is left out, and what the profile lacks.",
            "type": "object",
            "additionalProperties": false,
            "required": ["term", "why"],
            "properties": { "term": { "enum": Self::ALL.map(Self::term) }, "why": { "type": "string" } }
        })
    }
}

impl Serialize for LeftOut {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("LeftOut", 2)?;
        object.serialize_field("term", self.term())?;
        object.serialize_field("why", self.why())?;
        object.end()
    }
}

impl<'de> Deserialize<'de> for LeftOut {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// The term alone: the rest follows from it.
        #[derive(Deserialize)]
        struct Named {
            term: String,
        }
        let Named { term } = Named::deserialize(deserializer)?;
        let unknown = || de::Error::custom(format!("`{term}` is not a term of the wave model"));
        Self::ALL.into_iter().find(|known| known.term() == term).ok_or_else(unknown)
    }
}

/// The terms that a kernel needs and the GPU's profile lacks, except for the launch.
pub(super) fn lacking_terms(device: &Device, work: &GroupWork) -> impl Iterator<Item = LeftOut> {
    let issued = &work.issued;
    let uncoalesced = work.loaded.uncoalesced + work.stored.uncoalesced > 0.0;
    let knows_latency = device.latency.uncoalesced.is_some();
    let moves_by_l2 = work.loaded.beyond_l1 + work.stored.beyond_l1 > 0.0;
    let lacking = [
        (LeftOut::ArithmeticLatency, issued.fp32 > 0.0 && !device.knows_arithmetic),
        (LeftOut::OtherLatency, issued.int32 + issued.fp64 + issued.fp16 + issued.special > 0.0),
        (LeftOut::L2Bandwidth, moves_by_l2 && device.bandwidth.l2.is_none()),
        (LeftOut::UncoalescedLatency, uncoalesced && !knows_latency),
        (LeftOut::UncoalescedBandwidth, uncoalesced && device.bandwidth.uncoalesced.is_none()),
        (LeftOut::Barriers, work.barriers > 0.0 && !knows_latency),
    ];
    lacking.into_iter().filter_map(|(term, lacks)| lacks.then_some(term))
}
