//! The rules that refuse a configuration for what its kernel does.

use serde::Serialize;

/// A rule that refuses a configuration for what its kernel does. Another configuration of the same source may pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RefusalRule {
    /// The compiler or the assembler refuses the source.
    Compilation,
    /// A barrier that not all work items of the group reach.
    Barrier,
    /// A work group that the kernel is not compiled for.
    LaunchBounds,
    /// Two work items that touch the same bytes at once, while one stores.
    Race,
    /// An operation of a warp whose mask names other lanes than those that arrive.
    Mask,
    /// An access beyond the end of a local array.
    LocalArray,
    /// An access beyond an array of global memory whose size is stated.
    GlobalArray,
    /// An instruction or a call that the machine or the GPU does not have.
    Instruction,
    /// A loop without an end.
    EndlessLoop,
    /// A time of 2^60 ticks or more.
    Time,
    /// A barrier of all groups in a launch of more groups than run at the same time.
    ResidentGroups,
    /// A number beyond those of a program of the abstract machine.
    Range,
}

impl RefusalRule {
    /// All rules.
    pub const ALL: [Self; 12] = [
        Self::Compilation,
        Self::Barrier,
        Self::LaunchBounds,
        Self::Race,
        Self::Mask,
        Self::LocalArray,
        Self::GlobalArray,
        Self::Instruction,
        Self::EndlessLoop,
        Self::Time,
        Self::ResidentGroups,
        Self::Range,
    ];

    /// True for a rule about what the kernel's program does wrong, whatever the machine.
    #[must_use]
    pub fn is_unsafe(self) -> bool {
        matches!(self, Self::Barrier | Self::Race | Self::Mask | Self::LocalArray | Self::GlobalArray)
    }

    /// Returns the name of the rule in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Compilation => "compilation",
            Self::Barrier => "barrier",
            Self::LaunchBounds => "launch_bounds",
            Self::Race => "race",
            Self::Mask => "mask",
            Self::LocalArray => "local_array",
            Self::GlobalArray => "global_array",
            Self::Instruction => "instruction",
            Self::EndlessLoop => "endless_loop",
            Self::Time => "time",
            Self::ResidentGroups => "resident_groups",
            Self::Range => "range",
        }
    }
}
