//! Findings in words, as results hold them.

use serde::{Deserialize, Serialize};

/// A warning and its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Hash)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Warning {
    /// The subject of the warning.
    pub kind: WarningKind,
    /// The message in one line.
    pub message: String,
    /// The name of the file in messages, or the option of a command line with its value.
    pub file: String,
    /// The line of the file, counted from 1.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub line: u32,
    /// The column in characters, counted from 1.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub column: u32,
    /// Advice that corrects the description or declares it as intended.
    pub help: String,
}

/// The subject of a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Hash)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WarningKind {
    /// The amount of stores or operations depends on the configuration.
    WorkVaries,
    /// A stated footprint is not that of the subscripts.
    FootprintContradicts,
    /// A parameter with several values is not used.
    UnusedParameter,
    /// Nothing waits for what is started in a queue.
    NobodyWaits,
    /// A branch or an address in the kernel's source depends on data.
    DependsOnData,
    /// An assumption is about a line of the kernel's source where nothing of its kind stands.
    UnusedAssumption,
    /// Not all work items reach a barrier in the kernel's source.
    UndefinedBarrier,
    /// Work items may touch the same bytes at once.
    Race,
    /// The cost of a line of the kernel's source is not known well.
    ApproximateCost,
    /// A private array in the kernel's source stays in memory.
    PrivateArray,
    /// A group at the edge of the launch touches more than the middle one, which stands for all.
    EdgeGroup,
    /// The ids of the group decide what it executes: the work is the mean over many groups.
    MeanOfGroups,
    /// A value of the profile is outside the range of all known GPUs.
    ImplausibleProfile,
}

/// A warning about the execution of one configuration, and its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct InspectionWarning {
    /// The kind.
    pub kind: InspectionWarningKind,
    /// The name of the file in messages.
    pub file: String,
    /// The line of the file, counted from 1.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub line: u32,
    /// The message in one line.
    pub message: String,
    /// Advice that corrects the description, or says more.
    pub help: String,
}

/// The kind of a warning about an execution, finer than [`WarningKind`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum InspectionWarningKind {
    /// A branch depends on data.
    BranchOnData,
    /// The number of iterations of a loop depends on data.
    TripsOnData,
    /// The address of an access depends on data.
    AddressOnData,
    /// Some work items have returned before a barrier.
    ReturnedBeforeBarrier,
    /// Work items that may touch the same bytes at once.
    Race,
    /// A print, which counts nothing.
    Print,
    /// Inline assembly, whose effect is not known.
    Assembly,
    /// A function that is not known.
    UnknownFunction,
    /// An atomic operation, whose cost is approximate.
    Atomic,
    /// An exchange between lanes, whose cost is approximate.
    Shuffle,
    /// A private array that stays in memory.
    PrivateArray,
    /// A first or last group that touches more sectors than the middle one.
    EdgeGroup,
    /// Groups that execute different instructions: the work is the mean over many.
    MeanOfGroups,
}
