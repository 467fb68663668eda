//! The results of all commands: what goes out as JSON, each with the schema that `schemas/` holds for it.
//!
//! A result is data. [`crate::report`] builds results from what was found, [`crate::render`] and [`crate::export`] show them.
//! The methods here are properties of a value: what it chooses, whether it contradicts itself.

mod accuracy;
mod analysis;
mod batch;
mod cache;
mod comparison;
mod consistency;
mod diagnosis;
mod doctor;
mod efficiency;
mod evaluation;
mod explanation;
mod gpus;
mod graph;
mod landscape;
mod locality;
mod near;
mod plan;
mod plot;
mod prediction;
mod restrictions;
mod tuning;
mod validation;

use serde_json::{Map, Value};

pub use accuracy::AccuracyReport;
pub use analysis::{AnalysisReport, WinnerReport};
pub use batch::{BatchReport, JobProgress, JobReport};
pub use cache::CacheReport;
pub use comparison::{AgreementReport, ApartReport, ComparedReport, ComparisonReport, FirstChoiceReport};
pub use diagnosis::DiagnosisReport;
pub use doctor::{CheckReport, DoctorReport};
pub use efficiency::{EfficiencyReport, RatedReport};
pub use evaluation::{EvaluatedReport, EvaluationReport, OccupancyReport};
pub use explanation::{
    ChangeReport, ExplanationReport, FastestReport, PathReport, RefusalReport, ServerReport, TimeReport,
};
pub use gpus::{GpuReport, GpusReport};
pub use graph::{GraphArc, GraphLoop, GraphNode, GraphReport};
pub use landscape::{KnownTime, LandscapeReport, TimedConfiguration};
pub use locality::{AccessReport, ElsewhereReport, LocalityReport, MatricesReport, SavesReport};
pub use near::{BestReport, ChoiceReport, NearReport, NeedReport, ParameterReport, WithinReport};
pub use plan::{PlanReport, PlannedCost, PlannedJob};
pub use plot::{
    ComparisonPlot, MeasuredRun, PredictedQuantity, RooflinePoint, RooflineReport, SizePlot, TimesPlot, ValidationPlot,
};
pub use prediction::{PredictedReport, PredictionReport};
pub use restrictions::{PromisingReport, RestrictionsReport};
pub use tuning::{
    BestKnown, ConfigurationReport, Configurations, CostReport, DescentReport, EndsReport, EstimateReport, Interval,
    ListedStatus, ModelReport, Optimum, ProofReport, ReasonReport, Report, RunReport, SearchReport, Seconds, Top,
    Verdict,
};
pub(crate) use tuning::LISTED;
pub use validation::{ScenarioReport, ValidationReport};

/// Names of parameters or problem sizes, and their values, in the spec's order.
pub type Values = Map<String, Value>;
