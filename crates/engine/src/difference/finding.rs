//! The effects of a change on a kernel, one matter each.

use serde::Serialize;

use super::texts::LinePlace;

/// The judgement of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DifferenceKind {
    /// A count that only costs went up, exactly.
    Worse,
    /// The predicted time is longer by more than the threshold.
    Slower,
    /// Accesses or branches on data differ, so that the counts cannot be compared.
    NotComparable,
    /// Counts differ, and none of them alone is better or worse.
    Different,
    /// A count that only costs went down, or the predicted time is shorter by more than the threshold.
    Better,
}

/// The subject of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ComparedCount {
    /// The kernel can run with the configuration or not.
    Feasibility,
    /// Sectors of 32 bytes of global memory.
    Sectors,
    /// Passes of local memory.
    Passes,
    /// Words of a work item that spill.
    Spilled,
    /// Registers of a work item.
    Registers,
    /// Bytes of a group's local memory.
    LocalMemory,
    /// Groups that a multiprocessor holds.
    ResidentGroups,
    /// Barriers.
    Barriers,
    /// Launches of the kernel.
    Launches,
    /// Work items of a group, or groups of a launch.
    LaunchSizes,
    /// Bytes of a work item's private arrays.
    PrivateBytes,
    /// Instructions.
    Instructions,
    /// The predicted time.
    Time,
    /// Addresses or branches that depend on data.
    Data,
}

/// A difference between two kernels in one matter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct DifferenceFinding {
    /// The judgement.
    pub kind: DifferenceKind,
    /// The subject.
    pub count: ComparedCount,
    /// The line of the new kernel; of what concerns the whole kernel the first changed line. Null if no line is known.
    pub place: Option<LinePlace>,
    /// The line of the old kernel, if it was another one; null if it is the same or not known.
    pub old_place: Option<LinePlace>,
    /// The amount of the old kernel, in the subject's unit: of a warp for instructions, sectors, passes and barriers, and
    /// ticks for a time. Null if there is none.
    pub old: Option<f64>,
    /// The amount of the new kernel; null if there is none.
    pub new: Option<f64>,
    /// The difference in words.
    pub message: String,
}

impl DifferenceKind {
    /// The name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Slower => "slower",
            Self::NotComparable => "not_comparable",
            Self::Different => "different",
            Self::Better => "better",
        }
    }

    /// The judgement in words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Slower => "slower (predicted)",
            Self::NotComparable => "not comparable",
            Self::Different => "different",
            Self::Better => "better",
        }
    }

    /// True if such a finding fails a run; a predicted one does only if the run is strict.
    #[must_use]
    pub fn fails(self, strict: bool) -> bool {
        self == Self::Worse || strict && self == Self::Slower
    }
}

impl ComparedCount {
    /// The name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Feasibility => "feasibility",
            Self::Sectors => "sectors",
            Self::Passes => "passes",
            Self::Spilled => "spilled",
            Self::Registers => "registers",
            Self::LocalMemory => "local_memory",
            Self::ResidentGroups => "resident_groups",
            Self::Barriers => "barriers",
            Self::Launches => "launches",
            Self::LaunchSizes => "launch_sizes",
            Self::PrivateBytes => "private_bytes",
            Self::Instructions => "instructions",
            Self::Time => "time",
            Self::Data => "data",
        }
    }
}
