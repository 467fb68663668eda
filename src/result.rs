//! The results of all commands. Each result that is printed as JSON has a schema in `schemas/`.
//!
//! A result is data. [`crate::report`] builds results from findings; [`crate::render`] and [`crate::export`] show
//! them. The methods here are properties of a value, such as its choice or its contradictions.

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
mod extraction;
mod gpus;
mod graph;
mod groups;
mod histogram;
mod inspection;
mod locality;
mod measurement;
mod near;
mod page;
mod plan;
mod plot;
mod prediction;
mod refused;
mod restrictions;
mod runs;
mod schema;
mod serving;
mod suggestion;
mod tuning;
mod validation;
mod verification;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

pub use accuracy::AccuracyReport;
pub use analysis::{AnalysisReport, ModelOpinion, TauReport, WinnerReport};
pub use batch::{BatchReport, BatchResults, EntryReport, JobProgress, JobReport};
pub use cache::CacheReport;
pub use comparison::{AgreementReport, ApartReport, ComparedReport, ComparisonReport, FirstChoiceReport};
pub use diagnosis::DiagnosisReport;
pub use doctor::{CheckReport, DoctorReport, TargetReport};
pub use efficiency::{EfficiencyReport, RatedReport};
pub use evaluation::{EvaluatedReport, EvaluationReport, OccupancyReport};
pub use explanation::{
    ChangeReport, ExplanationReport, FastestReport, PathReport, RefusalReport, ServerReport, TimeReport,
};
pub use extraction::{CountedQuantity, CountedReport, ExtractionReport, QuantityReport, SourceAgreementReport};
pub use gpus::{AssumedValue, GpuFacts, GpuReport, GpusReport};
pub use graph::{GraphArc, GraphLoop, GraphNode, GraphReport};
pub use groups::{GroupKindReport, GroupLine, GroupsReport};
pub use histogram::{BinReport, HistogramReport};
pub use inspection::{ChosenBy, InspectionReport};
pub use locality::{AccessReport, ElsewhereReport, LocalityReport, MatricesReport, SavesReport};
pub use measurement::{
    BestRunsReport, FirstPickReport, MeasureEnd, MeasureReport, MeasuredRunReport, RunPurpose, RunStatus,
};
pub(crate) use near::near_ties;
pub use near::{BestReport, ChoiceReport, NearReport, NeedReport, ParameterReport, WithinReport};
pub use page::{LandscapeReport, PageReport, TimedConfiguration, WaveReport};
pub use plan::{PlanReport, PlannedCost, PlannedJob};
pub use plot::{ComparisonPlot, PlottedRun, PredictedQuantity, RooflineReport, SizePlot, ValidationPlot};
pub use prediction::{PredictedReport, PredictionReport};
pub use refused::{RefusedConfiguration, RefusedReport};
pub use restrictions::{PromisingReport, RestrictionsReport};
pub use runs::{RunRow, RunTable};
pub use schema::schemas;
pub use serving::{ErrorReport, RankedConfiguration, RankedReport, ServeReply, ServeRequest, ServedSpace, ToldReport};
pub use suggestion::{
    BestMeasuredReport, KnownRunsReport, ResidualReport, RunsOnModelReport, SuggestReport, SuggestedReport,
    SuggestionReason,
};
pub(crate) use tuning::LISTED;
pub use tuning::{
    BestKnown, ConfigurationReport, Configurations, CostReport, DescentReport, EndsReport, EstimateReport, Interval,
    ListedStatus, Listing, ModelReport, Optimum, ProofReport, ReasonReport, RegistersReport, Report, RunReport,
    SearchReport, Seconds, SourceReport, StraightLineReport, Top, UnknownConfiguration, UnknownReport, Verdict,
};
pub use validation::{ScenarioReport, ValidationReport};
pub use verification::{CompilationsReport, ConfirmedParts, VerificationReport};

/// The text of one JSON object, as results are printed and kept: indented, with a newline at its end.
///
/// # Errors
/// If the value cannot be serialized.
pub fn to_json(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

/// The names of parameters or problem sizes with their integer values, in the spec's order.
pub type Values = Map<String, Value>;

/// The schema of [`Values`].
type Integers = BTreeMap<String, i64>;
