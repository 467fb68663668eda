//! The scope of a barrier, and its fields in JSON, where a group's barrier states its cost alone, and in packed programs, which
//! have no names.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The warps that wait for each other at a barrier.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum BarrierScope {
    /// The warps of a group.
    #[default]
    Group,
    /// All warps of the launch: a program with such a barrier needs all of its groups at the same time.
    Grid,
}

/// The greatest number of ticks that a program may contain.
pub const LONGEST: u64 = (1 << 60) - 1;

/// The fields of a barrier in JSON.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct Fields {
    /// Ticks from the last arrival until all warps go on.
    #[cfg_attr(feature = "schemas", schemars(range(max = LONGEST)))]
    cost: u64,
    /// The warps that wait for each other; the group's if it is left out.
    #[serde(default, skip_serializing_if = "is_group")]
    scope: BarrierScope,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a field by reference")]
fn is_group(scope: &BarrierScope) -> bool {
    *scope == BarrierScope::Group
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
pub(super) fn serialize<S: Serializer>(cost: &u64, scope: &BarrierScope, serializer: S) -> Result<S::Ok, S::Error> {
    let (cost, scope) = (*cost, *scope);
    if serializer.is_human_readable() {
        Fields { cost, scope }.serialize(serializer)
    } else {
        (cost, scope).serialize(serializer)
    }
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(u64, BarrierScope), D::Error> {
    if deserializer.is_human_readable() {
        Fields::deserialize(deserializer).map(|Fields { cost, scope }| (cost, scope))
    } else {
        <(u64, BarrierScope)>::deserialize(deserializer)
    }
}
