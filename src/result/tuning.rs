//! The result of a tuning (`schemas/result.json`).

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{AccuracyReport, AnalysisReport, ChoiceReport, GroupsReport, Integers, NearReport, RefusedReport, Values};
use crate::check::Warning;
use crate::lowering::{Infeasible, RegisterOrigin};
use crate::model::Form;
use crate::ticks::Ticks;

/// The size of a space beyond which a result lists only the optimum, its ties and the configurations that SPIN
/// searched.
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
    /// The state of the knowledge about the optimum.
    pub verdict: Verdict,
    /// The configuration that takes the proved time. If several take it, this is the one that `near.prefer` prefers.
    /// If these preferences leave several, a work group that is a multiple of the warp goes first, then the larger
    /// work group, then fewer registers, then the order of the parameters. Absent without a proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimum: Option<Optimum>,
    /// The kernel's source; absent if the spec has a body, or without a proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceReport>,
    /// The other configurations that take the same time, at most 1,000 of them; absent without a proof.
    #[schemars(with = "Option<Vec<Integers>>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ties: Option<Vec<Values>>,
    /// The number of ties beyond those in `ties`; absent if it is 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ties_omitted: usize,
    /// The near ties, the best configurations and the choice beside the optimum; absent without a proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<NearReport>,
    /// The accuracy of rankings on GPUs of this family; absent without a proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<AccuracyReport>,
    /// The open interval of the optimum's time: no configuration is faster than `lower`, and one takes `upper`. Absent
    /// if the verdict is not `best_effort`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// The configuration that takes `interval.upper` by the native evaluator, which is not a proof. If several take
    /// it, the preferred one stands here, as for `optimum`. Absent if no time is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_known: Option<BestKnown>,
    /// The limit that stopped the search for the proof of the optimum or of `top`; absent if no limit stopped it.
    /// `search` is a search that was not exhaustive, `source` the limit of a single configuration: see `unknown`.
    #[schemars(extend("enum" = ["interrupt", "time", "memory", "search", "source"]))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// The circumstances under which the search stopped, in words; absent if no limit stopped it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The rules that exclude configurations; absent if the verdict is not `infeasible`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<ReasonReport>>,
    /// The configurations that are refused for what their kernel does, by rule: they are infeasible, and nothing is proved of
    /// them. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedReport>,
    /// The configurations of which it is not known whether they can run, and how fast; absent if there are none. Beside
    /// them, nothing is proved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<UnknownReport>,
    /// The proof of the optimum; absent if the optimum is not proved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofReport>,
    /// The best configurations in the order of `near.best`, at most the number that `--top` asks for. The
    /// configurations of one time are proved together: the search excludes the configurations of less time. Absent
    /// without a proof, or if `--top` is at most 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<Vec<Top>>,
    /// The max-plus models beside a proof; absent without a proof or with `--no-analysis`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisReport>,
    /// The doubtful places of the spec and the profile, which may be intended; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// The configurations in the order of the parameters, of which the last varies fastest. A space of more than
    /// 10,000 lists only the optimum, its ties and the configurations that SPIN searched, unless all are asked for.
    pub configurations: Vec<ConfigurationReport>,
    /// The measurements of the run; absent with `--no-cost`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<CostReport>,
}

/// The source of a kernel, and what its compiler says of the optimum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceReport {
    /// The names of the files.
    pub files: Vec<String>,
    /// The target that clang was given, such as `sm_86`, if it does not know the GPU's; else absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The headers that the source includes and that are nowhere: clang got empty ones. Absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub absent: Vec<String>,
    /// The registers of a work item.
    pub registers: RegistersReport,
    /// The longest code without a branch, if the registers are estimated and NVIDIA's compiler may unroll less than
    /// clang did, or spill; else absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub straight_line: Option<StraightLineReport>,
    /// The groups over which the work is the mean; absent if the middle one stands for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<GroupsReport>,
}

/// Code without a branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StraightLineReport {
    /// The operations that a warp issues for it.
    pub operations: u64,
    /// The file of its first line that is known; null if none is.
    pub file: Option<String>,
    /// That line, counted from 1; null if none is known.
    pub line: Option<u32>,
}

/// Registers of a work item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RegistersReport {
    /// The number of registers of 32 bits.
    pub value: u64,
    /// The origin of the number.
    pub source: RegisterOrigin,
}

impl fmt::Display for RegistersReport {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.source.shown(self.value, " registers"))
    }
}

impl Report {
    /// The id of the result's schema.
    pub const SCHEMA: &'static str = "autotune.result/1";

    /// The GPU's time for these ticks in microseconds, rounded to the picosecond. `None` if the GPU does not have a
    /// clock, or if the optimum is not proved.
    #[must_use]
    pub fn microseconds(&self, ticks: Ticks) -> Option<f64> {
        let optimum = self.optimum.as_ref()?;
        let relative = ticks.to_f64() / optimum.ticks.to_f64();
        Some((optimum.microseconds? * relative * 1e6).round() / 1e6).filter(|time| time.is_finite())
    }

    /// The values of each parameter among the listed configurations, in the order of their first appearance.
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

/// The schema's conditions for the parts that each verdict requires and forbids.
fn parts_of_verdicts() -> Value {
    let has = |parts: &[&str]| -> Vec<_> { parts.iter().map(|part| json!({ "required": [part] })).collect() };
    let case = |verdict: Verdict, required: &[&str], absent: &[&str]| {
        json!({
            "if": { "properties": { "verdict": { "const": verdict } } },
            "then": { "required": required, "not": { "anyOf": has(absent) } }
        })
    };
    json!([
        case(Verdict::Proved, &["optimum", "ties", "proof"], &["best_known", "unknown"]),
        case(Verdict::BestEffort, &["interval", "stopped", "reason"], &["proof", "optimum"]),
        case(Verdict::Infeasible, &["reasons"], &["proof", "optimum", "best_known"]),
    ])
}

/// The configurations that a result lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Listing {
    /// All configurations of a space of up to 10,000; of a larger space the optimum, its ties and the configurations
    /// that SPIN searched.
    Searched,
    /// All configurations; of a larger space without those that a constraint excludes.
    All,
}

/// The state of the knowledge about the optimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The optimum is proved.
    Proved,
    /// The optimum is not proved: an interval of its time is still open.
    BestEffort,
    /// No configuration is feasible.
    Infeasible,
}

/// A configuration whose time is proved to be the least.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Optimum {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The number of work items of a work group.
    pub work_group: u64,
    /// The parameters that form the tile, with their values.
    #[schemars(with = "Integers")]
    pub tile: Values,
    /// The proved time, in ticks.
    pub ticks: Ticks,
    /// The proved time in microseconds; null on a lockstep GPU, which does not have a clock.
    pub microseconds: Option<f64>,
    /// The number of events of one full wave and of the last, smaller one. SPIN's steps and states are compared with
    /// it.
    pub events: u64,
}

/// An open interval of the optimum's time, in ticks.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Interval {
    /// The lower bound in ticks: no configuration is faster; 0 if no bound is known.
    pub lower: Ticks,
    /// The upper bound in ticks, which is the time of a configuration; null if no time is known.
    pub upper: Option<Ticks>,
}

/// A configuration with the least known time, where no optimum is proved.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct BestKnown {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The time by the native evaluator, in ticks.
    pub ticks: Ticks,
    /// This time in microseconds; null on a lockstep GPU, which does not have a clock.
    pub microseconds: Option<f64>,
}

/// A rule that excludes configurations.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ReasonReport {
    /// The text of a constraint of the spec, or the name of a limit of the GPU.
    pub rule: String,
    /// The number of excluded configurations.
    pub count: u128,
}

/// The configurations of which nothing is known: a limit, a signal or a lack of room ended the compilation or the execution
/// of their source.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct UnknownReport {
    /// Their number.
    #[schemars(range(min = 1))]
    pub configurations: usize,
    /// The first of them, at most 1,000.
    #[schemars(length(min = 1))]
    pub listed: Vec<UnknownConfiguration>,
    /// Constraints, at most 8, that leave them out and keep all that are known to run.
    pub leave_out: Vec<String>,
}

/// A configuration of which nothing is known.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct UnknownConfiguration {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The reason, in a line.
    pub reason: String,
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
    /// The strategy of the search for the optimum.
    #[schemars(extend("enum" = ["bisection", "blind", "branch-and-bound"]))]
    pub strategy: String,
    /// The parts of the machine that the models follow: `warp` is the most loaded multiprocessor by warps, `element`
    /// all multiprocessors by processing elements.
    #[schemars(extend("enum" = ["warp", "element"]))]
    pub granularity: String,
    /// The form of the models: the processes that play the machine.
    pub form: Form,
    /// The numbers of configurations: all = infeasible + pruned + equal + checked.
    pub configurations: Configurations,
    /// The models that SPIN searched.
    #[schemars(length(min = 1))]
    pub models: Vec<ModelReport>,
}

/// The numbers of configurations by their part in a proof: all = infeasible + pruned + equal + checked.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Configurations {
    /// The number of configurations of the domains.
    pub all: u128,
    /// The number of configurations that cannot run.
    pub infeasible: u128,
    /// The number of configurations that a lower bound excludes.
    pub pruned: u128,
    /// The number of configurations whose program SPIN searched for an earlier configuration.
    pub equal: u128,
    /// The number of configurations that SPIN searched, one for each program.
    pub checked: u128,
}

/// One model of a proof.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ModelReport {
    /// The SHA-256 of the model's text.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    pub sha256: String,
    /// The SHA-256 of the tables that the model reads from a file; absent if it holds its tables itself.
    #[schemars(regex(pattern = "^[0-9a-f]{64}$"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tables_sha256: Option<String>,
    /// The number of configurations that the model chooses from.
    pub configurations: usize,
    /// The search of branch and bound, which finds the optimum but does not prove it; absent for other strategies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub descent: Option<DescentReport>,
    /// The searches of the property, each with a bound MT; `steps` is the depth that pan reached.
    pub runs: Vec<RunReport>,
    /// The ends of the model's runs at MT = optimum + 1 tick.
    pub ends: EndsReport,
    /// The search without a bound, in which each configuration took the native evaluator's time. Present if all runs
    /// together have fewer than 100,000 events, or with `--check-all`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<SearchReport>,
}

/// The size of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SearchReport {
    /// The number of stored states.
    pub states: u64,
    /// The number of steps of the longest path.
    pub steps: u64,
}

/// A search that lowered its bound whenever it found a faster run.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct DescentReport {
    /// The number of runs that were faster than all before them.
    pub improvements: usize,
    /// The number of stored states.
    pub states: u64,
    /// The number of steps of the longest path.
    pub steps: u64,
}

/// One search of the property.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RunReport {
    /// The bound MT, in ticks.
    pub bound: Ticks,
    /// True if the property holds.
    pub holds: bool,
    /// The time of the counterexample in ticks; absent if the property holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticks: Option<Ticks>,
    /// The number of stored states.
    pub states: u64,
    /// The number of steps of the longest path.
    pub steps: u64,
}

/// The numbers of a model's runs by their end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EndsReport {
    /// The number of runs that end before MT.
    pub done: usize,
    /// The number of runs that do not end before MT.
    pub cut: usize,
    /// The number of runs that get stuck, which is 0 in every proof.
    #[schemars(extend("const" = 0))]
    pub stuck: usize,
}

/// One of the best configurations, with a proved time.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Top {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The proved time, in ticks.
    pub ticks: Ticks,
    /// The first configuration with the same program; absent if this is the first.
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
    /// The part of the configuration in the proof. `checked`: SPIN searched it, or would have if the verdict is
    /// `best_effort`.
    pub status: ListedStatus,
    /// The time by the native evaluator in ticks, which is proved for the optimum. Absent if the configuration cannot
    /// run or was not evaluated, or if it was pruned and not ranked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticks: Option<Ticks>,
    /// The lower bound of the time of a pruned configuration, in ticks; otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<Ticks>,
    /// The argument that shows the bound; absent without a bound.
    #[schemars(extend("enum" = ["critical path", "phases", "memory", "local", "dispatcher"]))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The first configuration with the same program; absent if this is the first, or cannot run.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Integers>")]
    pub same_as: Option<Values>,
    /// The rule that the configuration breaks; absent if it can run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Infeasible>,
}

/// The status of a configuration in a result's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListedStatus {
    /// The optimum, or a configuration that takes the same time.
    Optimum,
    /// A configuration that SPIN searched, or would have searched if nothing is proved.
    Checked,
    /// A configuration with the program of an earlier one that SPIN searched or would have searched.
    Equal,
    /// A configuration that SPIN need not search, because a lower bound excludes it.
    Pruned,
    /// A configuration that cannot run.
    Infeasible,
    /// A configuration of which it is not known whether it can run; `unknown` has the reason.
    Unknown,
}

impl fmt::Display for ListedStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Optimum => "optimum",
            Self::Checked => "checked",
            Self::Equal => "equal",
            Self::Pruned => "pruned",
            Self::Infeasible => "infeasible",
            Self::Unknown => "unknown",
        })
    }
}

/// The measurements of a run.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct CostReport {
    /// The time of each step.
    pub seconds: Seconds,
    /// The total memory of the greatest search, in MiB.
    pub memory_mib: f64,
    /// The memory of the deepest search stack, in MiB.
    pub stack_mib: f64,
    /// The expected cost, as estimated before the search; absent without a proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<EstimateReport>,
    /// True if the answer was known before: then the measurements are 0.
    pub cached: bool,
    /// The folder that holds the proof; absent if the proof was not kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<String>,
}

impl CostReport {
    /// The cost of an answer that was known before. Its measurements are 0, not those of the earlier run.
    #[must_use]
    pub fn of_known() -> Self {
        let seconds = Seconds { lowering: 0.0, spin: 0.0, compiler: 0.0, search: 0.0, replay: 0.0 };
        Self { seconds, memory_mib: 0.0, stack_mib: 0.0, estimate: None, cached: true, artifacts: None }
    }
}

/// The expected cost of a proof.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct EstimateReport {
    /// The number of events that one search steps through, in all models.
    pub events: u64,
    /// The memory of the greatest search, in MiB.
    pub memory_mib: f64,
    /// The time of all searches in seconds, without translation and compilation.
    pub search_seconds: f64,
}

/// The time of each step, in seconds.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Seconds {
    /// The time of enumeration, lowering and native evaluation.
    pub lowering: f64,
    /// The time of `spin -a`.
    pub spin: f64,
    /// The time of the C compiler.
    pub compiler: f64,
    /// The time of pan's searches.
    pub search: f64,
    /// The time of replays by pan and simulations by SPIN.
    pub replay: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl Report {
    /// The configuration to use: the preferred one if there is one, otherwise the optimum. `None` if nothing is
    /// proved.
    #[must_use]
    pub fn chosen(&self) -> Option<&Values> {
        let optimum = self.optimum.as_ref()?;
        Some(self.choice().map_or(&optimum.parameters, |choice| &choice.parameters))
    }

    /// The configuration that is preferred to the optimum; `None` if that is the optimum itself, or if nothing is
    /// proved.
    #[must_use]
    pub fn choice(&self) -> Option<&ChoiceReport> {
        self.near.as_ref()?.chosen.as_ref()
    }
}
