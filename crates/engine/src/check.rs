//! Findings: what is doubtful in a description, and what is wrong in it. The tool tunes the description that it is given,
//! and an optimiser finds every hole in it.
//!
//! ```text
//! parameters, profile ────────────┐
//! sample ─▶ work, footprints ─────┼─▶ CheckFinding: a matter and its place ─▶ Warning, InspectionWarning
//! execution of a kernel's source ─┘
//! ```

mod assumptions;
mod description;
mod diagnosis;
mod execution;
mod finding;
mod fits;
mod footprints;
mod matter;
mod problem;
mod queues;
mod safety;
mod sample;
mod space;
mod warning;
mod work;

pub use description::findings;
pub use diagnosis::Diagnosis;
pub use execution::of_configuration;
pub use finding::CheckFinding;
pub use fits::{Fits, FitsError, GpuFit, ObserveShare};
pub use problem::SpecProblem;
pub use safety::{PartlyLookedAt, SpaceSafety, UnsafeConfiguration};
pub use space::{Removed, SpaceSummary};
pub use warning::{InspectionWarning, InspectionWarningKind, Warning, WarningKind};

#[cfg(test)]
mod tests;
