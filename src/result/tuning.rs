//! The result of a tuning, in the shape that its JSON Schema (`schemas/result.json`) promises.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::accuracy::AccuracyReport;
use super::analysis::AnalysisReport;
use super::near::NearReport;
use crate::model::Form;
use crate::warnings::Warning;

/// The shape that this program writes and reads.
pub(crate) const SCHEMA: &str = "autotune.result/1";
/// Of more configurations than this, only the optimum, its ties and those that SPIN searched are listed.
pub(crate) const LISTED: u128 = 10_000;

/// Names and values, in the spec's order.
pub(crate) type Values = Map<String, Value>;

/// The result of a tuning.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Report {
    /// Which shape this is.
    pub schema: String,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The problem sizes.
    pub problem: Values,
    /// What is known.
    pub verdict: Verdict,
    /// The fastest configuration, if it is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimum: Option<Optimum>,
    /// Other configurations that are as fast.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ties: Option<Vec<Values>>,
    /// How many further ones there are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ties_omitted: usize,
    /// What stands beside the optimum: near ties, the best in true order, the choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<NearReport>,
    /// How accurate rankings on GPUs of this family have been, beside an optimum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<AccuracyReport>,
    /// What is still open, if nothing is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// A configuration that reaches the upper end of it, if one is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_known: Option<BestKnown>,
    /// Why it is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// The same in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why no configuration is feasible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<Reason>>,
    /// What shows that the optimum is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofReport>,
    /// The best configurations, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<Vec<Top>>,
    /// What formulas say, beside a proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisReport>,
    /// What is doubtful in the description.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// The configurations, in the space's order.
    pub configurations: Vec<ConfigurationReport>,
    /// All that is measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<CostReport>,
}

/// What is known of the optimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is proved.
    Proved,
    /// An interval is still open.
    BestEffort,
    /// No configuration can run.
    Infeasible,
}

/// The fastest configuration.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Optimum {
    /// Its parameters.
    pub parameters: Values,
    /// Work items of a group.
    pub work_group: u64,
    /// Its tile parameters.
    pub tile: Values,
    /// Its time.
    pub ticks: u64,
    /// The same in microseconds, on a real GPU.
    pub microseconds: Option<f64>,
    /// Events of its waves: what SPIN's steps and states are compared with.
    pub events: u64,
}

/// An open interval of the optimum.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Interval {
    /// No configuration is faster.
    pub lower: u64,
    /// A configuration takes this, if any is known.
    pub upper: Option<u64>,
}

/// A configuration with the least time that is known, where nothing is proved.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BestKnown {
    /// Its parameters.
    pub parameters: Values,
    /// Its time by the native evaluator.
    pub ticks: u64,
    /// The same in microseconds, on a real GPU.
    pub microseconds: Option<f64>,
}

/// Why configurations are infeasible.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Reason {
    /// A constraint of the spec, or a limit of the GPU.
    pub rule: String,
    /// How many configurations it excludes.
    pub count: u128,
}

/// A proof.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ProofReport {
    /// The property that holds for the optimum.
    pub property: String,
    /// The model checker and its version.
    pub checker: String,
    /// How the optimum was searched for.
    pub strategy: String,
    /// How finely the model follows the machine.
    pub granularity: String,
    /// Who plays the machine.
    pub form: Form,
    /// How many configurations became what.
    pub configurations: Configurations,
    /// The models.
    pub models: Vec<ModelReport>,
}

/// How many configurations became what.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Configurations {
    /// All of the domains.
    pub all: u128,
    /// Those that cannot run.
    pub infeasible: u128,
    /// Those that a lower bound excludes.
    pub pruned: u128,
    /// Those whose program is another's.
    pub equal: u128,
    /// Those that SPIN searched.
    pub checked: u128,
}

/// One model of a proof.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ModelReport {
    /// SHA-256 of its text.
    pub sha256: String,
    /// SHA-256 of its tables, where they are in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables_sha256: Option<String>,
    /// Configurations in it.
    pub configurations: usize,
    /// The search that lowered its bound, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub descent: Option<DescentReport>,
    /// Searches of the property.
    pub runs: Vec<RunReport>,
    /// How its runs end at MT = T + 1.
    pub ends: EndsReport,
    /// The search without a bound in which each configuration took its native time, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<SearchReport>,
}

/// The size of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchReport {
    /// Stored states.
    pub states: u64,
    /// Steps of the longest path.
    pub steps: u64,
}

/// A search that lowered its bound as it found faster runs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DescentReport {
    /// How often a run was faster than all before it.
    pub improvements: usize,
    /// Stored states.
    pub states: u64,
    /// Steps of the longest path.
    pub steps: u64,
}

/// One search of the property.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunReport {
    /// MT.
    pub bound: u64,
    /// Whether the property holds.
    pub holds: bool,
    /// The counterexample's time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticks: Option<u64>,
    /// Stored states.
    pub states: u64,
    /// Steps of the longest path.
    pub steps: u64,
}

/// How the runs of a model end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndsReport {
    /// Before MT.
    pub done: usize,
    /// Not before MT.
    pub cut: usize,
    /// Nowhere else: a proof has none.
    pub stuck: usize,
}

/// One of the best configurations.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Top {
    /// Its parameters.
    pub parameters: Values,
    /// Its proved time.
    pub ticks: u64,
    /// The configuration whose program it shares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<Values>,
}

/// A configuration and what became of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ConfigurationReport {
    /// Its parameters.
    pub parameters: Values,
    /// What became of it.
    pub status: Status,
    /// Its time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticks: Option<u64>,
    /// A lower bound of its time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<u64>,
    /// What shows the bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The configuration whose program it shares.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<Values>,
    /// Why it is infeasible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What became of a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It is the fastest, or as fast.
    Optimum,
    /// SPIN searched it, or was to where nothing is proved.
    Checked,
    /// Its program is another's.
    Equal,
    /// A lower bound exceeds the optimum.
    Pruned,
    /// It cannot run.
    Infeasible,
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Optimum => "optimum",
            Self::Checked => "checked",
            Self::Equal => "equal",
            Self::Pruned => "pruned",
            Self::Infeasible => "infeasible",
        })
    }
}

/// All that is measured.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CostReport {
    /// Where the time went.
    pub seconds: Seconds,
    /// Memory of the greatest search.
    pub memory_mib: f64,
    /// Memory of its stack.
    pub stack_mib: f64,
    /// What the search was expected to cost, if it came to an end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<EstimateReport>,
    /// Whether the answer was known before.
    pub cached: bool,
    /// Where the proof is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<String>,
}

impl CostReport {
    /// What an answer costs that was known before: nothing that was measured then is told again.
    #[must_use]
    pub fn of_known() -> Self {
        let seconds = Seconds { lowering: 0.0, spin: 0.0, compiler: 0.0, search: 0.0, replay: 0.0 };
        Self { seconds, memory_mib: 0.0, stack_mib: 0.0, estimate: None, cached: true, artifacts: None }
    }
}

/// What a search is expected to cost.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EstimateReport {
    /// Events that a search steps through.
    pub events: u64,
    /// Memory of the greatest search.
    pub memory_mib: f64,
    /// Time of all searches.
    pub search_seconds: f64,
}

/// Where the time went, in seconds.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Seconds {
    /// Enumeration, lowering and native evaluation.
    pub lowering: f64,
    /// `spin -a`.
    pub spin: f64,
    /// The C compiler.
    pub compiler: f64,
    /// pan.
    pub search: f64,
    /// Replays and simulations.
    pub replay: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}
