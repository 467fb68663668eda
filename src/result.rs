//! The results of all commands. Each result that is printed as JSON has a schema in `schemas/`.
//!
//! A result is data. The rooms below find what it says, and its constructor arranges what they found; a finding that
//! stands in a result as it is serialises itself. [`crate::render`] and [`crate::export`] show results. Nothing here
//! executes or lowers a kernel.

mod analysis;
mod batch;
mod cache;
mod comparison;
mod diagnosis;
mod difference;
mod doctor;
mod efficiency;
mod efficiency_fit;
mod evaluation;
mod explanation;
mod extraction;
mod fits;
mod fleet;
mod gpus;
mod graph;
mod inspection;
mod locality;
mod measured_profile;
mod measurement;
mod near;
mod page;
mod plan;
mod plot;
mod prediction;
mod recommended;
mod refused;
mod restrictions;
mod runs;
mod schedules;
#[cfg(test)]
mod schema;
mod sensitivity;
mod serving;
mod size_table;
mod suggestion;
mod tuning;
mod validation;
mod values;
mod verification;
mod versions;

pub use analysis::{AnalysisReport, ModelOpinion, TauReport, WinnerReport};
pub use batch::{BatchReport, BatchResults, EntryReport, FleetSummary, JobProgress, JobReport};
pub use cache::CacheReport;
pub use comparison::{AgreementReport, ApartReport, ComparedReport, ComparisonReport, FirstChoiceReport, Shown};
pub use diagnosis::DiagnosisReport;
pub use difference::{
    ConfigurationDifference, CountsReport, DescriptionReport, DifferenceReport, EvaluatedOptimum, FoundDifference,
    GpuDifference, OptimaDifference, SharedFinding,
};
pub use doctor::{CheckReport, DoctorReport, TargetReport};
pub use efficiency::{EfficiencyReport, RatedReport};
pub use efficiency_fit::{EfficiencyFitReport, FittedFactorReport, FittedSetReport};
pub use evaluation::{EvaluatedReport, EvaluationReport, OccupancyReport};
pub use explanation::{ChangeReport, ExplanationReport, FastestReport};
pub use extraction::{ExtractionReport, QuantityReport, SourceAgreementReport};
pub use fits::{EverywhereReport, FitsReport, GpuFitReport};
pub use fleet::given::{FleetParts, ScenarioProofs, VariantParts, optimal_ticks};
pub use fleet::tree::{FleetNode, FleetTree};
pub use fleet::{
    FleetConfiguration, FleetExcluded, FleetInterval, FleetLaunch, FleetNearest, FleetOptimum, FleetProof, FleetReport,
    FleetScenario, FleetScenarioProof, FleetTime, FleetTogether, FleetTreeSize, FleetVariant, FleetVariantTime,
    FleetWorst,
};
pub use gpus::{AssumedValue, Execution, GpuFacts, GpuParts, GpuReport, GpusReport};
pub use graph::{GraphAlgebra, GraphArc, GraphNode, GraphReport, GraphSubject};
pub use inspection::{ChosenBy, InspectionReport};
pub use locality::{AccessReport, LocalityReport, MatricesReport, SavesReport};
pub use measured_profile::{LaunchRegressionReport, MeasuredProfileReport, TimedLaunchReport};
pub use measurement::{
    BestRunsReport, FirstPickReport, MeasureEnd, MeasureReport, MeasuredRunReport, RunPurpose, RunStatus,
};
pub use near::{BestReport, ChoiceReport, NearReport, NeedReport, ParameterReport, WithinReport};
pub use page::PageReport;
pub use plan::{PlanReport, PlannedJob};
pub use plot::{ComparisonPlot, PlottedRun, PredictedQuantity, RankPlot, SizePlot, ValidationPlot};
pub use prediction::{PredictedReport, PredictionReport};
pub use recommended::RecommendedReport;
pub use refused::{DecidingValues, RefusedConfiguration, RefusedPlace, RefusedReport};
pub use restrictions::{PromisingReport, RestrictionsReport};
pub use runs::{RunRow, RunTable};
pub use schedules::SchedulesReport;
pub use sensitivity::{OvertakenReport, SensitivityReport};
pub use serving::{ErrorReport, RankedConfiguration, RankedReport, ServeReply, ServeRequest, ServedSpace, ToldReport};
pub use size_table::{
    SizeTable, TableBounds, TableChoice, TableCondition, TableEntry, TableGpu, TableLaunch, TableSplit, TableTree,
    TableVerdict, TableWorst,
};
pub use suggestion::{
    BestMeasuredReport, KnownRunsReport, ResidualReport, RunsOnModelReport, SuggestReport, SuggestedReport,
    SuggestionQuestion,
};
pub use tuning::{
    BestKnown, ConfigurationReport, Configurations, CostReport, DescentReport, EndsReport, EstimateReport,
    ExploredReport, Interval, ListedStatus, Listing, MayWinReport, ModelReport, Optimum, OrderProofReport, ProofReport,
    Report, RunReport, SearchReport, Seconds, Top, TuningParts, UnknownConfiguration, UnknownReport, Verdict,
    WaveReport,
};
pub use validation::{ScenarioReport, ValidationReport};
pub use values::{Values, configuration, problem, values};
pub use verification::{
    CompilationsReport, ConfirmedParts, FleetVerificationReport, OwnProfile, ProfileOrigin, VerificationReport,
};
pub use versions::{
    LadderReport, PairsReport, TimeFactorsReport, TimedStep, VersionReport, VersionsReport, WorstPairReport,
};
