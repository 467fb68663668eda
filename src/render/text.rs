//! Results as text for people.

pub mod batch;
pub mod cache;
pub mod comparison;
pub mod diagnosis;
pub mod difference;
pub mod doctor;
pub mod efficiency;
pub mod efficiency_fit;
pub mod evaluation;
pub mod explanation;
pub mod extraction;
mod fits;
pub mod fleet;
pub mod gpus;
pub mod graph;
pub mod inspection;
pub mod locality;
pub mod measured_profile;
pub mod measurement;
mod narrow;
mod near;
mod open;
pub mod plan;
pub mod prediction;
mod refused;
pub mod suggestion;
mod table;
pub mod tuning;
pub mod validation;
pub mod verification;
pub mod versions;

/// The advice about the model to use, in every text that names more than one.
const TO_USE: &str =
    "use       the machine: the proof is about it; the formulas are the literature's, for comparison\n";
