//! A warning and its place.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::source::SourcePlace;
use crate::text::{Place, Source};

/// A warning and its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Warning {
    /// The subject of the warning.
    pub kind: WarningKind,
    /// The message in one line.
    pub message: String,
    /// The name of the file in messages, or the option of a command line with its value.
    pub file: String,
    /// The line of the file, counted from 1.
    #[schemars(range(min = 1))]
    pub line: u32,
    /// The column in characters, counted from 1.
    #[schemars(range(min = 1))]
    pub column: u32,
    /// Advice that corrects the description or declares it as intended.
    pub help: String,
}

/// The subject of a warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WarningKind {
    /// The amount of stores or operations depends on the configuration.
    WorkVaries,
    /// A stated footprint is not that of the subscripts.
    FootprintContradicts,
    /// A parameter with several values is not used.
    UnusedParameter,
    /// A branch or an address in the kernel's source depends on data.
    DependsOnData,
    /// An assumption is about a line of the kernel's source at which nothing of its kind stands.
    UnusedAssumption,
    /// Not all work items reach a barrier in the kernel's source.
    UndefinedBarrier,
    /// The cost of a line of the kernel's source is not known well.
    ApproximateCost,
    /// A private array in the kernel's source stays in memory.
    PrivateArray,
    /// A group at the edge of the launch touches more than the middle one, by which all are counted.
    EdgeGroup,
    /// The ids of the group decide what it executes: the work is the mean over many groups.
    MeanOfGroups,
    /// A value of the profile is outside the range of all known GPUs.
    ImplausibleProfile,
}

impl Warning {
    pub(super) fn new(kind: WarningKind, source: &Source, place: Place, message: String, help: &str) -> Self {
        let (file, Place { line, column, .. }) = source.whereabouts(place.offset as usize);
        Self { kind, message, file, line, column, help: help.to_owned() }
    }

    /// A warning about a place in a kernel's source.
    pub(super) fn in_source(kind: WarningKind, place: &SourcePlace, message: String, help: &str) -> Self {
        let (line, column) = (place.line.max(1), place.column.max(1));
        Self { kind, message, file: place.file.to_string(), line, column, help: help.to_owned() }
    }
}
