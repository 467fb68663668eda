//! The result of a question about several scenarios (`schemas/fleet.json`).

pub(super) mod given;
mod parts;
mod several;
pub(super) mod tree;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::tuning::Verdict;
use super::values::Values;
use autotune_base::text::Inferred;
use autotune_base::ticks::Ticks;
use autotune_engine::check::Warning;
use autotune_engine::compare::fleet::Slowdown;
use autotune_lowering::space::Rule;

/// The result of `autotune SPEC --gpu LIST --format json` where it names several GPUs or problem sizes: the one
/// configuration whose worst slowdown over all scenarios is least. A scenario is a GPU and a value for each problem size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = FleetReport::SCHEMA)))]
    pub schema: String,
    /// The kernel's name.
    pub kernel: String,
    /// The parts of the question that follow from the text of the source, with their lines; absent if a spec or options state
    /// all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inferred: Vec<Inferred>,
    /// The state of the knowledge about the least worst slowdown.
    pub verdict: Verdict,
    /// The scenarios in the order of the request; others name one by its index from 0.
    pub scenarios: Vec<FleetScenario>,
    /// The configuration of least worst slowdown, the first of equals in the space's order. Absent without a proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimum: Option<FleetConfiguration>,
    /// The weighted geometric mean of the optimum's slowdowns, which decides nothing. Absent without a proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_slowdown: Option<f64>,
    /// The other configurations of the same worst slowdown, with their times. Absent without a proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ties: Option<Vec<FleetConfiguration>>,
    /// The ten configurations of least worst slowdown, the optimum first; the times of those that are not as good as the
    /// optimum are the native evaluator's. Absent if they are not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<FleetConfiguration>,
    /// The most configurations that the question allows; absent if it wants one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_variants: Option<usize>,
    /// The configurations that have the least worst slowdown together, each scenario taking its fastest one; others name one
    /// by its index from 0. Without a proof they are the native evaluator's choice. Absent if the question wants one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<FleetVariant>,
    /// The times of the scenarios with the variants; absent without variants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<FleetTogether>,
    /// The scenarios where the launch of the optimum, or of the scenario's fastest variant, may fail. Absent if it surely
    /// launches everywhere, or nothing is proved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_not_launch: Vec<FleetLaunch>,
    /// The first configuration of `best` that surely launches everywhere. Absent unless the optimum's launch may fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub surely_launches: Option<FleetConfiguration>,
    /// The proof; absent if nothing is proved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<FleetProof>,
    /// The interval of the least worst slowdown; absent if the verdict is not `best_effort`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<FleetInterval>,
    /// The limit that was reached; absent if none was. With `checker`, SPIN or a C compiler is not installed: `best` or
    /// `variants` are the native evaluator's choice.
    #[cfg_attr(test, schemars(with = "Option<autotune_engine::proof::StopReason>"))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// The reason why the work stopped, in words; absent if no limit was reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The configurations that each scenario excludes; absent unless no configuration is common to all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<FleetExcluded>,
    /// Configurations that most scenarios allow; absent unless no configuration is common to all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<FleetNearest>,
    /// The doubtful places of the spec and of the scenarios' profiles, each once; absent if there are none, and in a kept
    /// folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
    /// The folder that keeps the proof; absent if it is not kept, and in the folder itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<String>,
}

/// A scenario and its own optimum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetScenario {
    /// The GPU's name.
    pub gpu: String,
    /// The problem sizes.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub problem: Values,
    /// The weight in the mean, a whole number from 1.
    pub weight: u32,
    /// The optimum of the scenario's own space; null if it is not proved.
    pub optimum: Option<FleetOptimum>,
}

/// The optimum of a scenario's own space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetOptimum {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The configuration's time, in ticks.
    pub ticks: Ticks,
}

/// A configuration with its times in all scenarios.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetConfiguration {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The worst slowdown.
    pub worst: FleetWorst,
    /// The time in each scenario, in the order of the scenarios.
    pub times: Vec<FleetTime>,
}

/// The worst slowdown of a configuration: its time over the scenario's own optimum, in lowest terms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetWorst {
    /// The numerator.
    pub numerator: u64,
    /// The denominator.
    pub denominator: u64,
    /// The quotient, rounded up to 6 digits behind the point.
    pub slowdown: f64,
    /// The index of the first scenario that has it.
    pub scenario: usize,
}

/// A time in a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetTime {
    /// The time, in ticks.
    pub ticks: Ticks,
    /// The time over the scenario's own optimum, rounded up to 6 digits behind the point.
    pub slowdown: f64,
}

/// A launch that may fail.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetLaunch {
    /// The index of the scenario.
    pub scenario: usize,
    /// The reason and the remedy, in words.
    pub reason: String,
    /// The fastest variant that surely launches there; absent if there is none, or the question wants one configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead: Option<FleetVariantTime>,
}

/// One of several configurations, with its times in all scenarios.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetVariant {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The time in each scenario, in the order of the scenarios; null where the scenario lacks or refuses the
    /// configuration.
    pub times: Vec<Option<FleetTime>>,
}

/// The times of the scenarios, each with its fastest variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetTogether {
    /// The worst slowdown.
    pub worst: FleetWorst,
    /// The time of each scenario, in the order of the scenarios.
    pub times: Vec<FleetVariantTime>,
}

/// The time of a scenario's fastest variant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetVariantTime {
    /// The index of the variant, the first of equally fast ones.
    pub variant: usize,
    /// The time, in ticks.
    pub ticks: Ticks,
    /// The time over the scenario's own optimum, rounded up to 6 digits behind the point.
    pub slowdown: f64,
}

/// The size of the tree which shows that no other choice of as many variants has a lesser worst slowdown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetTreeSize {
    /// The number of nodes.
    pub nodes: usize,
    /// The number of branches.
    pub branches: usize,
}

/// The proof that no configuration of the common space has a lesser worst slowdown. Each configuration but the optimum and
/// its ties is assigned to one scenario, where it takes at least `bound` ticks. With variants, a tree shows that no others
/// have a time below the bound in every scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetProof {
    /// The number of configurations that every scenario's space contains and that are feasible in all; with variants,
    /// the number that are feasible in some scenario.
    pub configurations: usize,
    /// The scenarios in their order.
    pub scenarios: Vec<FleetScenarioProof>,
    /// The tree, which the folder of a kept proof has as `tree.json`; absent without variants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<FleetTreeSize>,
}

/// The part of a proof that is about one scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetScenarioProof {
    /// The index of the scenario.
    pub scenario: usize,
    /// The least time, in ticks, that is a greater slowdown in this scenario than the least worst one; with variants, that
    /// is at least as great.
    pub bound: Ticks,
    /// The number of configurations that are assigned to the scenario; with variants, that are shown to take at least the
    /// bound, where the tree needs it.
    pub configurations: u128,
    /// The number of different programs among them that SPIN searched.
    pub searched: u128,
    /// The number of configurations among them that a lower bound excludes.
    pub pruned: u128,
}

/// The interval of the least worst slowdown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetInterval {
    /// No configuration has a lesser worst slowdown; at least 1.
    pub lower: f64,
    /// The worst slowdown of a configuration that was replayed in every scenario; null if none was.
    pub upper: Option<f64>,
}

/// The configurations that a scenario excludes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetExcluded {
    /// The index of the scenario.
    pub scenario: usize,
    /// The number of configurations that are feasible in another scenario, and not in this one; 0 for each scenario if nothing
    /// is feasible in any.
    pub configurations: usize,
    /// The rules that exclude configurations of the scenario's own space.
    pub rules: Vec<Rule>,
}

/// A configuration that most scenarios allow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FleetNearest {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The number of scenarios where it is feasible.
    pub scenarios: usize,
    /// The index of the first scenario that excludes it.
    pub excluded_by: usize,
    /// The rule of that scenario that excludes it.
    pub rule: String,
}

impl FleetWorst {
    /// A worst slowdown, which a scenario is the first to have.
    #[must_use]
    pub fn new(worst: Slowdown, scenario: usize) -> Self {
        Self { numerator: worst.numerator(), denominator: worst.denominator(), slowdown: worst.rounded(), scenario }
    }

    /// The quotient, rounded down to 6 digits behind the point.
    #[must_use]
    pub fn rounded_down(&self) -> f64 {
        Slowdown::new(Ticks::new(self.numerator), Ticks::new(self.denominator)).rounded_down()
    }
}

impl FleetReport {
    /// The id of the result's schema.
    pub const SCHEMA: &'static str = "autotune.fleet/1";

    /// The reasons why launches may fail, each with its scenarios.
    #[must_use]
    pub fn failing_launches(&self) -> IndexMap<&str, Vec<usize>> {
        let mut reasons: IndexMap<&str, Vec<usize>> = IndexMap::new();
        for launch in &self.may_not_launch {
            reasons.entry(&launch.reason).or_default().push(launch.scenario);
        }
        reasons
    }

    /// The worst slowdown of the answer; `None` without one.
    #[must_use]
    pub fn worst(&self) -> Option<&FleetWorst> {
        let together = self.together.as_ref().map(|together| &together.worst);
        together.or_else(|| Some(&self.optimum.as_ref()?.worst))
    }
}
