//! The result of a question about several scenarios (`schemas/fleet.json`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tuning::{Report, Verdict};
use super::values::{Integers, Values, problem, values};
use crate::compare::fleet::{Choice, CommonSpace, Exclusions, Ranked, Slowdown};
use crate::proof::Question;
use crate::space::Rule;
use crate::spec::{Configuration, Spec};
use crate::ticks::Ticks;

/// The result of `autotune SPEC --gpu LIST --format json` where several GPUs or problem sizes are asked for: the one
/// configuration whose worst slowdown over all scenarios is least. A scenario is a GPU and a value for each problem size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FleetReport {
    /// The id of this schema.
    #[schemars(extend("const" = FleetReport::SCHEMA))]
    pub schema: String,
    /// The kernel's name.
    pub kernel: String,
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
    /// The proof; absent if nothing is proved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<FleetProof>,
    /// The interval of the least worst slowdown; absent if the verdict is not `best_effort`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<FleetInterval>,
    /// The limit that was reached; absent if none was.
    #[schemars(extend("enum" = ["interrupt", "time", "memory", "search", "source"]))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<String>,
    /// The reason why the work stopped, in words; absent if no limit was reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What each scenario excludes; absent unless no configuration is common to all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded: Vec<FleetExcluded>,
    /// Configurations that most scenarios allow; absent unless no configuration is common to all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<FleetNearest>,
    /// The folder that keeps the proof; absent if it is not kept, and in the folder itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<String>,
}

/// A scenario and its own optimum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FleetScenario {
    /// The GPU's name.
    pub gpu: String,
    /// The problem sizes.
    #[schemars(with = "Integers")]
    pub problem: Values,
    /// The weight in the mean, a whole number from 1.
    pub weight: u32,
    /// The optimum of the scenario's own space; null if it is not proved.
    pub optimum: Option<FleetOptimum>,
}

/// The optimum of a scenario's own space.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FleetOptimum {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The configuration's time, in ticks.
    pub ticks: Ticks,
}

/// A configuration with its times in all scenarios.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FleetConfiguration {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The worst slowdown.
    pub worst: FleetWorst,
    /// The time in each scenario, in the order of the scenarios.
    pub times: Vec<FleetTime>,
}

/// The worst slowdown of a configuration: its time over the scenario's own optimum, in lowest terms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FleetWorst {
    /// The numerator.
    pub numerator: u64,
    /// The denominator.
    pub denominator: u64,
    /// The quotient, rounded to 6 digits behind the point.
    pub slowdown: f64,
    /// The index of the first scenario that has it.
    pub scenario: usize,
}

/// A time in a scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FleetTime {
    /// The time, in ticks.
    pub ticks: Ticks,
    /// The time over the scenario's own optimum, rounded to 6 digits behind the point.
    pub slowdown: f64,
}

/// The proof that no configuration of the common space has a lesser worst slowdown. Each configuration but the optimum and
/// its ties is assigned to one scenario, in which it takes at least `bound` ticks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FleetProof {
    /// The number of configurations that every scenario's space contains and that are feasible in all.
    pub configurations: usize,
    /// The scenarios in their order.
    pub scenarios: Vec<FleetScenarioProof>,
}

/// The part of a proof that is about one scenario.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FleetScenarioProof {
    /// The index of the scenario.
    pub scenario: usize,
    /// The least time, in ticks, that is a greater slowdown in this scenario than the least worst one.
    pub bound: Ticks,
    /// The number of configurations that are assigned to the scenario.
    pub configurations: u128,
    /// The number of different programs among them that SPIN searched.
    pub searched: u128,
    /// The number of configurations among them that a lower bound excludes.
    pub pruned: u128,
}

/// The interval of the least worst slowdown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FleetInterval {
    /// No configuration has a lesser worst slowdown; at least 1.
    pub lower: f64,
    /// The worst slowdown of a configuration that was replayed in every scenario; null if none was.
    pub upper: Option<f64>,
}

/// The configurations that a scenario excludes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FleetExcluded {
    /// The index of the scenario.
    pub scenario: usize,
    /// The number of configurations that are feasible in another scenario, and not in this one.
    pub configurations: usize,
    /// The rules that exclude configurations of the scenario's own space.
    pub rules: Vec<Rule>,
}

/// A configuration that most scenarios allow.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FleetNearest {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The number of scenarios in which it is feasible.
    pub scenarios: usize,
    /// The index of the first scenario that excludes it.
    pub excluded_by: usize,
    /// The rule by which that scenario excludes it.
    pub rule: String,
}

/// The proofs of a scenario beside that of its own optimum.
#[derive(Debug)]
pub struct ScenarioProofs {
    /// The answer about the configurations of least worst slowdown, each run to its end.
    pub best: Report,
    /// The answer about the configurations that are assigned to the scenario; `None` if there are none.
    pub others: Option<Report>,
}

/// The parts of a result about several scenarios, as far as they are known.
#[derive(Debug)]
pub struct FleetParts<'a> {
    /// The questions of the scenarios, with their weights.
    pub questions: &'a [(Question<'a>, u32)],
    /// The answers about the scenarios' own optima.
    pub optima: &'a [Report],
    /// The common space; `None` if a limit was reached first.
    pub common: Option<&'a CommonSpace<'a>>,
    /// What each scenario excludes; `None` unless the common space is empty.
    pub exclusions: Option<&'a Exclusions>,
    /// The choice in the common space; `None` if a limit was reached first, or the space is empty.
    pub choice: Option<&'a Choice>,
    /// The proofs of the scenarios that were made.
    pub proofs: &'a [ScenarioProofs],
    /// The limit that was reached, and a sentence with its circumstances.
    pub stopped: Option<(String, String)>,
}

impl FleetReport {
    /// The id of the result's schema.
    pub const SCHEMA: &'static str = "autotune.fleet/1";

    /// The result of these parts. It is proved only if every part is, and the parts show what the choice says.
    #[must_use]
    pub fn new(parts: &FleetParts) -> Self {
        let spec = parts.questions[0].0.spec;
        let mut report = Self {
            schema: Self::SCHEMA.to_owned(),
            kernel: spec.kernel.clone(),
            verdict: Verdict::BestEffort,
            scenarios: parts.scenarios(),
            optimum: None,
            mean_slowdown: None,
            ties: None,
            best: Vec::new(),
            proof: None,
            interval: None,
            stopped: parts.stopped.as_ref().map(|(limit, _)| limit.clone()),
            reason: parts.stopped.as_ref().map(|(_, reason)| reason.clone()),
            excluded: Vec::new(),
            nearest: Vec::new(),
            artifacts: None,
        };
        if let Some(exclusions) = parts.exclusions {
            parts.infeasible(&mut report, exclusions);
        }
        if let (Some(common), Some(choice)) = (parts.common, parts.choice) {
            let listed = |ranked: &Ranked| parts.configuration(spec, common, ranked);
            report.best = choice.best.iter().take(10).map(listed).collect();
            if parts.are_proved() {
                report.verdict = Verdict::Proved;
                report.optimum = report.best.first().cloned();
                report.mean_slowdown = Some(parts.mean(&choice.best[0]));
                report.ties = Some(choice.optima().iter().skip(1).map(listed).collect());
                report.proof = Some(parts.proof(common, choice));
            }
        }
        if report.verdict == Verdict::BestEffort {
            report.interval = Some(parts.interval());
        }
        report
    }
}

impl FleetParts<'_> {
    fn scenarios(&self) -> Vec<FleetScenario> {
        let scenario = |(number, (question, weight)): (usize, &(Question, u32))| {
            let optimum = self.optima.get(number).and_then(|report| report.optimum.as_ref());
            FleetScenario {
                gpu: question.gpu.to_owned(),
                problem: problem(question.spec),
                weight: *weight,
                optimum: optimum
                    .map(|optimum| FleetOptimum { parameters: optimum.parameters.clone(), ticks: optimum.ticks }),
            }
        };
        self.questions.iter().enumerate().map(scenario).collect()
    }

    /// The optima of the scenarios' own spaces, as far as they are proved.
    #[must_use]
    pub fn ticks(&self) -> Vec<Ticks> {
        self.optima.iter().filter_map(|report| Some(report.optimum.as_ref()?.ticks)).collect()
    }

    fn configuration(&self, spec: &Spec, common: &CommonSpace, ranked: &Ranked) -> FleetConfiguration {
        let time = |(ticks, optimum): (&Ticks, Ticks)| FleetTime {
            ticks: *ticks,
            slowdown: rounded(Slowdown::new(*ticks, optimum).to_f64()),
        };
        FleetConfiguration {
            parameters: values(spec, &common.configurations[ranked.configuration]),
            worst: FleetWorst {
                numerator: ranked.worst.numerator(),
                denominator: ranked.worst.denominator(),
                slowdown: rounded(ranked.worst.to_f64()),
                scenario: ranked.scenario,
            },
            times: ranked.times.iter().zip(self.ticks()).map(time).collect(),
        }
    }

    fn are_proved(&self) -> bool {
        let all = self.questions.len();
        let proofs = self.proofs.iter().flat_map(|proofs| std::iter::once(&proofs.best).chain(&proofs.others));
        self.optima.len() == all && self.proofs.len() == all && self.optima.iter().chain(proofs).all(is_whole)
    }

    /// The contradictions between the choice and the proofs that were made: a time of a best configuration that its proof
    /// does not show, or an assigned configuration that may be as good. Empty if there are none.
    #[must_use]
    pub fn contradictions(&self) -> Vec<String> {
        let (Some(common), Some(choice)) = (self.common, self.choice) else { return Vec::new() };
        let mut found = Vec::new();
        for (scenario, ((proofs, (question, _)), optimum)) in
            self.proofs.iter().zip(self.questions).zip(self.ticks()).enumerate()
        {
            for ranked in choice.optima() {
                let configuration = &common.configurations[ranked.configuration];
                if !shows(&proofs.best, question.spec, configuration, ranked.times[scenario]) {
                    let label = question.spec.label(configuration);
                    found.push(format!("scenario {scenario}: {label} is not shown to take {}", ranked.times[scenario]));
                }
            }
            let least = choice.least().least_beyond(optimum);
            let others = proofs.others.as_ref().and_then(|others| others.optimum.as_ref());
            if let Some(others) = others.filter(|others| others.ticks < least) {
                found.push(format!("scenario {scenario}: a configuration takes {}, less than {least}", others.ticks));
            }
        }
        found
    }

    /// The weighted geometric mean of a configuration's slowdowns.
    fn mean(&self, ranked: &Ranked) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for ((time, optimum), (_, weight)) in ranked.times.iter().zip(self.ticks()).zip(self.questions) {
            sum += f64::from(*weight) * Slowdown::new(*time, optimum).to_f64().ln();
            weights += f64::from(*weight);
        }
        rounded((sum / weights).exp())
    }

    fn proof(&self, common: &CommonSpace, choice: &Choice) -> FleetProof {
        let part = |(scenario, (proofs, optimum)): (usize, (&ScenarioProofs, Ticks))| {
            let counts = proofs.others.as_ref().and_then(|others| Some(others.proof.as_ref()?.configurations));
            FleetScenarioProof {
                scenario,
                bound: choice.least().least_beyond(optimum),
                configurations: counts.map_or(0, |counts| counts.all),
                searched: counts.map_or(0, |counts| counts.checked),
                pruned: counts.map_or(0, |counts| counts.pruned),
            }
        };
        FleetProof {
            configurations: common.configurations.len(),
            scenarios: self.proofs.iter().zip(self.ticks()).enumerate().map(part).collect(),
        }
    }

    fn infeasible(&self, report: &mut FleetReport, exclusions: &Exclusions) {
        report.verdict = Verdict::Infeasible;
        let spec = self.questions[0].0.spec;
        let excluded = exclusions.refused.iter().zip(&exclusions.rules).enumerate();
        let excluded = excluded.map(|(scenario, (configurations, rules))| FleetExcluded {
            scenario,
            configurations: *configurations,
            rules: rules.clone(),
        });
        report.excluded = excluded.filter(|excluded| excluded.configurations > 0).collect();
        let nearest = exclusions.nearest.iter().map(|excluded| FleetNearest {
            parameters: values(spec, &excluded.configuration),
            scenarios: excluded.allowed,
            excluded_by: excluded.scenario,
            rule: excluded.rule.clone(),
        });
        report.nearest = nearest.collect();
    }

    /// The interval that the parts leave.
    fn interval(&self) -> FleetInterval {
        let upper = |report: &Report| {
            let proved = report.optimum.as_ref().map(|optimum| optimum.ticks);
            proved.or_else(|| report.interval.as_ref().and_then(|interval| interval.upper))
        };
        let uppers: Option<Vec<Ticks>> = self.optima.iter().map(upper).collect();
        let uppers = uppers.filter(|uppers| uppers.len() == self.questions.len());
        let lower = self.common.zip(uppers).and_then(|(common, uppers)| common.least_by_bounds(&uppers));
        let is_replayed =
            self.proofs.len() == self.questions.len() && self.proofs.iter().all(|one| is_whole(&one.best));
        let upper = self.choice.filter(|_| is_replayed).map(|choice| choice.least().to_f64());
        FleetInterval { lower: lower.map_or(1.0, |lower| rounded(lower.to_f64().max(1.0))), upper: upper.map(rounded) }
    }
}

/// True if a report is a whole proof.
fn is_whole(report: &Report) -> bool {
    report.verdict == Verdict::Proved && report.stopped.is_none()
}

/// True if a report lists a configuration with this time, and SPIN ran what it lists to its end.
fn shows(report: &Report, spec: &Spec, configuration: &Configuration, ticks: Ticks) -> bool {
    let parameters = values(spec, configuration);
    let is_run = |report: &Report| {
        report.proof.as_ref().is_some_and(|proof| proof.models.iter().all(|model| model.comparison.is_some()))
    };
    let mut listed = report.configurations.iter();
    is_run(report) && listed.any(|listed| listed.parameters == parameters && listed.ticks == Some(ticks))
}

/// A figure with 6 digits behind the point.
fn rounded(figure: f64) -> f64 {
    (figure * 1e6).round() / 1e6
}
