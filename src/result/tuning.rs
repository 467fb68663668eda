//! The result of a tuning (`schemas/result.json`).

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{AccuracyReport, AnalysisReport, ChoiceReport, Form, Infeasible, Integers, NearReport, Values};
use crate::result::Warning;

/// The number of configurations of a space beyond which only the optimum, its ties and those that SPIN searched are listed.
pub(crate) const LISTED: u128 = 10_000;

/// The result of `autotune SPEC --gpu GPU --format json`. Times are ticks of the abstract machine.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields, extend("allOf" = parts_of_verdicts()))]
pub struct Report {
    /// The id of this schema.
    #[schemars(extend("const" = Report::SCHEMA))]
    pub schema: String,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The problem sizes.
    #[schemars(with = "Integers")]
    pub problem: Values,
    /// What is known of the optimum.
    pub verdict: Verdict,
    /// The configuration that takes the proved time; of several the one that `near.prefer` prefers. Where that leaves it open: one
    /// whose work group is a multiple of the warp, then the larger work group, then fewer registers, then the order of the
    /// parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimum: Option<Optimum>,
    /// All other configurations that take the same time, at most 1,000 of them.
    #[schemars(with = "Option<Vec<Integers>>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ties: Option<Vec<Values>>,
    /// The number of further ties.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ties_omitted: usize,
    /// The near ties, the best configurations in true order and the choice beside the optimum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<NearReport>,
    /// The accuracy of rankings on GPUs of this family, beside a proved optimum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<AccuracyReport>,
    /// The interval that is still open: no configuration is faster than `lower`, one takes `upper`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// The configuration, of several the preferred one as of `optimum`, that takes `interval.upper` by the native evaluator; absent
    /// if none is known. It is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_known: Option<BestKnown>,
    /// What stopped the search for a proof.
    #[schemars(extend("enum" = ["interrupt", "time", "memory", "search"]))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// Why the search for a proof stopped, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why no configuration is feasible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<ReasonReport>>,
    /// The proof of the optimum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofReport>,
    /// The best configurations, as many as `--top` asks for, in the order of `near.best`. All that take one time are proved
    /// together, with those that take less left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<Vec<Top>>,
    /// The max-plus models beside a proof; left out with `--no-analysis`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisReport>,
    /// The doubtful places of spec and profile. They may well be meant.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// The configurations in the order of the parameters, the last varying fastest; of more than 10,000 only the optimum, its
    /// ties and those that SPIN searched.
    pub configurations: Vec<ConfigurationReport>,
    /// All that is measured; left out with `--no-cost`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<CostReport>,
}

impl Report {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.result/1";

    /// The GPU's time for these ticks in microseconds, to the picosecond; `None` if it has no clock, or nothing is proved.
    #[must_use]
    pub fn microseconds(&self, ticks: u64) -> Option<f64> {
        let optimum = self.optimum.as_ref()?;
        #[expect(clippy::cast_precision_loss, reason = "a time is told in floating point")]
        let relative = ticks as f64 / optimum.ticks as f64;
        Some((optimum.microseconds? * relative * 1e6).round() / 1e6).filter(|time| time.is_finite())
    }

    /// The values of each parameter that the result lists, in their order.
    #[must_use]
    pub fn domains(&self) -> Values {
        let mut domains = Values::new();
        for (name, value) in self.configurations.iter().flat_map(|one| &one.parameters) {
            if let Value::Array(values) = domains.entry(name).or_insert_with(|| Value::Array(Vec::new()))
                && !values.contains(value)
            {
                values.push(value.clone());
            }
        }
        domains
    }
}

/// Which parts of a result belong to which verdict.
fn parts_of_verdicts() -> Value {
    let has = |parts: &[&str]| -> Vec<_> { parts.iter().map(|part| json!({ "required": [part] })).collect() };
    let case = |verdict: Verdict, required: &[&str], absent: &[&str]| {
        json!({
            "if": { "properties": { "verdict": { "const": verdict } } },
            "then": { "required": required, "not": { "anyOf": has(absent) } }
        })
    };
    json!([
        case(Verdict::Proved, &["optimum", "ties", "proof"], &["best_known"]),
        case(Verdict::BestEffort, &["interval", "stopped", "reason"], &["proof", "optimum"]),
        case(Verdict::Infeasible, &["reasons"], &["proof", "optimum", "best_known"]),
    ])
}

/// Which configurations a result lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Listing {
    /// All of a small space; of a large one the optimum, its ties and those that SPIN searched.
    Searched,
    /// All, but for those of a large space that a constraint excludes.
    All,
}

/// What is known of the optimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Optimum {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The work items of a group.
    pub work_group: u64,
    /// The parameters that are its tile.
    #[schemars(with = "Integers")]
    pub tile: Values,
    /// Its time.
    pub ticks: u64,
    /// The same in microseconds; null on lockstep GPUs.
    pub microseconds: Option<f64>,
    /// The events of its waves, a full wave once: SPIN's steps and states are compared with them.
    pub events: u64,
}

/// An open interval of the optimum.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Interval {
    /// No configuration is faster.
    pub lower: u64,
    /// A configuration takes this, if any is known.
    pub upper: Option<u64>,
}

/// A configuration with the least time that is known, where nothing is proved.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct BestKnown {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// Its time by the native evaluator.
    pub ticks: u64,
    /// The same in microseconds; null on lockstep GPUs.
    pub microseconds: Option<f64>,
}

/// A rule that excludes configurations.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ReasonReport {
    /// A constraint of the spec, or a limit of the GPU.
    pub rule: String,
    /// The number of configurations that it excludes.
    pub count: u128,
}

/// A proof.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ProofReport {
    /// The property that holds for the optimum.
    #[schemars(regex(pattern = r"^\[\] \(DONE -> \(time >= [0-9]+\)\)$"))]
    pub property: String,
    /// The model checker and its version.
    pub checker: String,
    /// How the optimum was searched for.
    #[schemars(extend("enum" = ["bisection", "blind", "branch-and-bound"]))]
    pub strategy: String,
    /// How finely the model follows the machine.
    #[schemars(extend("enum" = ["warp", "element"]))]
    pub granularity: String,
    /// The form of the models: who plays the machine.
    pub form: Form,
    /// The numbers of configurations: all = infeasible + pruned + equal + checked.
    pub configurations: Configurations,
    /// The models.
    #[schemars(length(min = 1))]
    pub models: Vec<ModelReport>,
}

/// The numbers of configurations: all = infeasible + pruned + equal + checked.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
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
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ModelReport {
    /// The SHA-256 of the model's text.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    pub sha256: String,
    /// The SHA-256 of its tables, where it reads them from a file.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables_sha256: Option<String>,
    /// The number of configurations in it.
    pub configurations: usize,
    /// The search of a branch and bound: it finds the optimum, the runs prove it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub descent: Option<DescentReport>,
    /// The searches of the property with MT = bound; `steps` is pan's depth reached.
    pub runs: Vec<RunReport>,
    /// How its runs end at MT = optimum + 1.
    pub ends: EndsReport,
    /// The search without a bound in which each configuration took the native evaluator's time. Present if all runs together have
    /// fewer than 100,000 events, or with `--check-all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<SearchReport>,
}

/// The size of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SearchReport {
    /// Stored states.
    pub states: u64,
    /// Steps of the longest path.
    pub steps: u64,
}

/// A search that lowered its bound as it found faster runs.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DescentReport {
    /// How often a run was faster than all before it.
    pub improvements: usize,
    /// Stored states.
    pub states: u64,
    /// Steps of the longest path.
    pub steps: u64,
}

/// One search of the property.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RunReport {
    /// MT.
    pub bound: u64,
    /// Whether the property holds.
    pub holds: bool,
    /// The time of the counterexample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticks: Option<u64>,
    /// Stored states.
    pub states: u64,
    /// Steps of the longest path.
    pub steps: u64,
}

/// How the runs of a model end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EndsReport {
    /// Before MT.
    pub done: usize,
    /// Not before MT.
    pub cut: usize,
    /// Nowhere else: a proof has none.
    #[schemars(extend("const" = 0))]
    pub stuck: usize,
}

/// One of the best configurations.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Top {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// Its proved time.
    pub ticks: u64,
    /// The first configuration with the same program; absent from that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Integers>")]
    pub same_as: Option<Values>,
}

/// A configuration and its status.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ConfigurationReport {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// What became of it. `checked`: SPIN searched it, or was to where the verdict is `best_effort`.
    pub status: ListedStatus,
    /// Its time by the native evaluator; the optimum's is proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticks: Option<u64>,
    /// A lower bound of its time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<u64>,
    /// The argument that shows the bound.
    #[schemars(extend("enum" = ["critical path", "phases", "memory", "local", "dispatcher"]))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The first configuration with the same program; absent from that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Integers>")]
    pub same_as: Option<Values>,
    /// Why it cannot run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Infeasible>,
}

/// The status of a configuration in a result's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListedStatus {
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

impl fmt::Display for ListedStatus {
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
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CostReport {
    /// Where the time went.
    pub seconds: Seconds,
    /// Memory of the greatest search.
    pub memory_mib: f64,
    /// Memory of its stack.
    pub stack_mib: f64,
    /// The expected cost of the search, as told before it began; absent if it did not come to an end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<EstimateReport>,
    /// Whether the answer was known before.
    pub cached: bool,
    /// Where the proof is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<String>,
}

impl CostReport {
    /// The cost of an answer that was known before: nothing that was measured then is told again.
    #[must_use]
    pub fn of_known() -> Self {
        let seconds = Seconds { lowering: 0.0, spin: 0.0, compiler: 0.0, search: 0.0, replay: 0.0 };
        Self { seconds, memory_mib: 0.0, stack_mib: 0.0, estimate: None, cached: true, artifacts: None }
    }
}

/// What a search is expected to cost.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EstimateReport {
    /// Events that a search steps through.
    pub events: u64,
    /// Memory of the greatest search.
    pub memory_mib: f64,
    /// Time of all searches.
    pub search_seconds: f64,
}

/// Where the time went, in seconds.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
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

impl Report {
    /// The configuration to use, where one is proved: what the preferences choose, else the optimum.
    #[must_use]
    pub fn chosen(&self) -> Option<&Values> {
        let optimum = self.optimum.as_ref()?;
        Some(self.choice().map_or(&optimum.parameters, |choice| &choice.parameters))
    }

    /// The configuration that is preferred to the optimum, if one is.
    #[must_use]
    pub fn choice(&self) -> Option<&ChoiceReport> {
        self.near.as_ref()?.chosen.as_ref()
    }
}
