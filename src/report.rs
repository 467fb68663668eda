//! Results for people and for programs. JSON comes first; what people read is a function of the same values.

mod accuracy;
mod analysis;
mod batch;
mod build;
mod cache;
mod comparison;
mod consistency;
mod diagnosis;
mod doctor;
mod drawing;
mod efficiency;
mod evaluation;
mod explanation;
pub mod export;
mod gpus;
mod graph;
pub mod html;
mod locality;
mod narrow;
mod near;
mod plan;
pub mod plot;
mod prediction;
mod result;
mod terminal;
mod validation;
mod views;

pub use accuracy::AccuracyReport;
pub use analysis::AnalysisReport;
pub use batch::{BatchReport, JobReport, Progress};
pub use build::Listing;
pub(crate) use build::values;
pub use cache::CacheReport;
pub use comparison::{AgreementReport, ApartReport, ComparedReport, ComparisonReport};
pub use diagnosis::DiagnosisReport;
pub use doctor::{CheckReport, DoctorReport};
pub use drawing::{dot, svg};
pub use efficiency::{EfficiencyReport, Rated};
pub use evaluation::{Evaluated, EvaluationReport, OccupancyReport};
pub use explanation::{
    ChangeReport, ExplanationReport, FastestReport, PathReport, RefusalReport, ServerReport, TimeReport,
};
pub use gpus::GpusReport;
pub use graph::{GraphArc, GraphLoop, GraphNode, GraphReport, GraphSubject};
pub use locality::{AccessReport, ElsewhereReport, LocalityReport, MatricesReport, Saves};
pub use near::{BestReport, Choice, NearReport, NeedReport, ParameterReport, WithinReport};
pub use plan::{PlanReport, PlannedEffort, PlannedJob};
pub use prediction::{Predicted, PredictionReport};
pub use result::{
    BestKnown, ConfigurationReport, Configurations, CostReport, EndsReport, Interval, ModelReport, Optimum,
    ProofReport, Report, RunReport, SearchReport, Status, Top, Verdict,
};
pub(crate) use result::{LISTED, Values};
pub(crate) use terminal::printable;
pub use terminal::{estimate, for_people};
pub use validation::{ScenarioReport, ValidationReport, validation_for_people};
pub use views::{Copies, OptimumRun, Views};

/// Which of several models to use, in every text that names more than one.
const TO_USE: &str =
    "use       the machine: the proof is about it; the formulas are the literature's, for comparison\n";
