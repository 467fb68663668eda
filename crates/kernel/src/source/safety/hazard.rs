//! An error of a work group: two places, and a work item at each.

use std::fmt;
use std::sync::Arc;

use super::super::ir::SourcePlace;
use super::super::refusal::RefusalRule;
use super::super::trace::AccessKind;
use super::super::value::item_name;

/// An error of a work group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hazard {
    /// The kind.
    pub kind: HazardKind,
    /// The array, as the source names it.
    pub array: Arc<str>,
    /// The byte of the array.
    pub byte: i64,
    /// The work item that stores.
    pub first: Party,
    /// The work item that touches the same bytes.
    pub second: Party,
}

/// The kinds of hazards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum HazardKind {
    /// Work items of different warps touch the same bytes between two barriers, and one stores.
    Race,
    /// A work item loads what its own asynchronous copy may not have stored yet.
    EarlyRead,
    /// The same within a warp, by different instructions without a barrier of the warp between.
    WithinWarp,
    /// A lane is named that does not arrive at the operation.
    AbsentLane,
    /// A lane that arrives is not named by all that arrive.
    UnnamedLane,
    /// A lane that takes no part is read.
    InactiveLane,
    /// Work items store to the same bytes what may be the same value.
    SameStore,
    /// Work items of two groups touch the same bytes of global memory in one launch, and one stores.
    BetweenGroups {
        /// The distance of the second group's ids from the first one's along x, y and z.
        distance: [i64; 3],
    },
    /// A work item touches bytes beyond an array of global memory whose size is stated.
    BeyondArray {
        /// The bytes of the array.
        bytes: u64,
        /// The ids of the work item's group along x, y and z.
        group: [u64; 3],
    },
}

/// A work item and what it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Party {
    /// The access.
    pub kind: AccessKind,
    /// The place of the work item in the group.
    pub item: [i64; 3],
    /// The place in a file of the user; `None` if it has none.
    pub place: Option<SourcePlace>,
}

impl HazardKind {
    /// True if the configuration is refused.
    #[must_use]
    pub fn refuses(self) -> bool {
        self.rule().is_some()
    }

    /// The rule that refuses the configuration; `None` if the hazard is a warning.
    pub(in crate::source) fn rule(self) -> Option<RefusalRule> {
        match self {
            Self::Race | Self::EarlyRead => Some(RefusalRule::Race),
            Self::AbsentLane | Self::UnnamedLane | Self::InactiveLane => Some(RefusalRule::Mask),
            Self::BeyondArray { .. } => Some(RefusalRule::GlobalArray),
            Self::WithinWarp | Self::SameStore | Self::BetweenGroups { .. } => None,
        }
    }

    /// Advice on how to mend the kernel.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Self::Race => "put a barrier between the two, which all work items of the group reach",
            Self::EarlyRead => "wait for the copy before what it stores is read",
            Self::WithinWarp => {
                "put `__syncwarp()` or `sub_group_barrier` between the two: the lanes of a warp need not go together"
            }
            Self::AbsentLane => {
                "let all lanes that the mask names reach the operation, or name those that do: `__ballot_sync` before the \
                 branch"
            }
            Self::UnnamedLane => "let each lane that executes the operation name all that do, itself included",
            Self::InactiveLane => "read lanes that take part: a group of whole warps, or a `width`",
            Self::SameStore => "let one work item store, or make sure that all store the same value",
            Self::BeyondArray { .. } => {
                "keep the access inside the array, or state its size as the program allocates it"
            }
            Self::BetweenGroups { .. } => {
                "let each group store to bytes of its own, use atomic operations, or split the kernel into two launches"
            }
        }
    }
}

impl Hazard {
    /// True if the two parties stand at these places, in either order.
    pub(super) fn is_at(&self, [one, two]: [Option<&SourcePlace>; 2]) -> bool {
        let own = [self.first.place.as_ref(), self.second.place.as_ref()];
        own == [one, two] || own == [two, one]
    }

    /// True if another hazard is the same matter at the same places.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let places = |hazard: &Self| (hazard.first.place.clone(), hazard.second.place.clone());
        let kind = |hazard: &Self| std::mem::discriminant(&hazard.kind);
        kind(self) == kind(other) && self.array == other.array && places(self) == places(other)
    }

    /// The place of the first work item; without one in a file of the user, that of the second. `None` if both have none.
    #[must_use]
    pub fn place(&self) -> Option<&SourcePlace> {
        self.first.place.as_ref().or(self.second.place.as_ref())
    }
}

impl Hazard {
    /// The words of a hazard between lanes.
    fn of_lanes(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = (self.first.name(), self.second.name());
        let at = |place: &SourcePlace| format!(" at {}:{}", place.file, place.line);
        let elsewhere = self.second.place.as_ref().map(at);
        match self.kind {
            HazardKind::AbsentLane => {
                let stands = elsewhere.map_or_else(String::new, |at| format!(": it stands{at}"));
                write!(formatter, "{first} names {second} of its warp in the mask here, which does not arrive{stands}")
            }
            HazardKind::UnnamedLane if first == second => {
                write!(formatter, "{first} executes this, and its mask does not name it")
            }
            HazardKind::UnnamedLane => {
                write!(formatter, "{first} and {second} of its warp arrive here with different masks")
            }
            _ => {
                let stored = elsewhere.map_or_else(String::new, |at| format!(", and what comes of it is stored{at}"));
                write!(formatter, "{first} reads a lane of its warp here that takes no part{stored}")
            }
        }
    }
}

impl Party {
    /// The work item's name: its number in a group along x, else its place.
    fn name(&self) -> String {
        item_name(self.item)
    }

    fn verb(&self) -> &'static str {
        match self.kind {
            AccessKind::Store => "stores",
            AccessKind::Atomic => "changes",
            AccessKind::Copy | AccessKind::LoadTile => "copies",
            _ => "loads",
        }
    }
}

/// The name of a group by its distance from another one.
fn group_at(distance: [i64; 3]) -> String {
    if distance.iter().map(|one| one.unsigned_abs()).sum::<u64>() == 1 {
        return "a group beside it".to_owned();
    }
    let along = distance.iter().zip(["x", "y", "z"]).filter(|(one, _)| **one != 0);
    let along: Vec<String> = along.map(|(one, axis)| format!("{one} along {axis}")).collect();
    format!("the group at a distance of {}", along.join(" and "))
}

impl fmt::Display for Hazard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, array, byte, first, second } = self;
        let place = match &second.place {
            Some(SourcePlace { file, line, .. }) if second.place != first.place => format!(" at {file}:{line}"),
            _ => " here too".to_owned(),
        };
        let why = match kind {
            HazardKind::Race => "no barrier lies between",
            HazardKind::EarlyRead => "no wait for the copy lies between",
            HazardKind::BetweenGroups { .. } => "nothing makes the groups of a launch go one after the other",
            HazardKind::WithinWarp => "nothing makes these lanes of a warp go one after the other",
            HazardKind::SameStore => "the last one wins",
            HazardKind::BeyondArray { bytes, group } => {
                let (one, does, group) = (first.name(), first.verb(), group.map(|id| id.to_string()).join(","));
                return write!(
                    formatter,
                    "{one} of group {group} {does} byte {byte} of `{array}` here, which has {bytes}"
                );
            }
            HazardKind::AbsentLane | HazardKind::UnnamedLane | HazardKind::InactiveLane => {
                return self.of_lanes(formatter);
            }
        };
        let (one, does, other, also) = (first.name(), first.verb(), second.name(), second.verb());
        let other = match kind {
            HazardKind::BetweenGroups { distance } => format!("{other} of {}", group_at(*distance)),
            _ => other,
        };
        write!(formatter, "{one} {does} byte {byte} of `{array}` here, and {other} {also} it{place}: {why}")
    }
}
