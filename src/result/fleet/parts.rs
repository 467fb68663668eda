//! The parts of a result about several scenarios: what was found, and what follows from it.

use super::given::{FleetParts, ScenarioProofs, is_whole, shows};
use super::{
    FleetConfiguration, FleetExcluded, FleetInterval, FleetNearest, FleetOptimum, FleetProof, FleetReport,
    FleetScenario, FleetScenarioProof, FleetTime, FleetWorst,
};
use crate::result::tuning::{Report, Verdict};
use crate::result::values::{problem, values};
use autotune_base::ticks::Ticks;
use autotune_engine::compare::fleet::{BEST_LISTED, Choice, CommonSpace, Exclusions, Ranked, Slowdown};
use autotune_engine::proof::Question;
use autotune_lowering::spec::Spec;

impl FleetReport {
    /// The result of these parts. It is proved only if every part is, and the parts show what the choice says.
    #[must_use]
    pub fn new(parts: &FleetParts) -> Self {
        let spec = parts.questions[0].spec;
        let mut report = Self {
            schema: Self::SCHEMA.to_owned(),
            kernel: spec.kernel.clone(),
            inferred: spec.source.inferred().to_vec(),
            verdict: Verdict::BestEffort,
            scenarios: parts.scenarios(),
            optimum: None,
            mean_slowdown: None,
            ties: None,
            best: Vec::new(),
            most_variants: None,
            variants: Vec::new(),
            together: None,
            may_not_launch: Vec::new(),
            surely_launches: None,
            proof: None,
            interval: None,
            stopped: parts.stopped.as_ref().map(|(limit, _)| limit.clone()),
            reason: parts.stopped.as_ref().map(|(_, reason)| reason.clone()),
            excluded: Vec::new(),
            nearest: Vec::new(),
            warnings: Vec::new(),
            artifacts: None,
        };
        if let Some(exclusions) = parts.exclusions {
            parts.infeasible(&mut report, exclusions);
        }
        if let (Some(common), Some(choice)) = (parts.common, parts.choice) {
            report.add_one(parts, common, choice);
        }
        if let Some(variants) = &parts.variants {
            report.add_variants(parts, variants);
        }
        if report.verdict == Verdict::BestEffort {
            report.interval = Some(parts.interval());
        }
        report
    }

    /// Adds the one configuration for all, and those next to it.
    fn add_one(&mut self, parts: &FleetParts, common: &CommonSpace, choice: &Choice) {
        let listed = |ranked: &Ranked| parts.configuration(parts.questions[0].spec, common, ranked);
        self.best = choice.best.iter().take(BEST_LISTED).map(listed).collect();
        if !parts.are_proved() {
            return;
        }
        self.verdict = Verdict::Proved;
        self.optimum = self.best.first().cloned();
        self.mean_slowdown = Some(parts.mean_of(choice.best[0].times.iter().copied()));
        self.ties = Some(choice.optima().iter().skip(1).map(listed).collect());
        self.proof = Some(parts.proof(common, choice));
        let failing = |ranked: &Ranked| parts.failing(&|_| common.configurations.get(ranked.configuration));
        self.may_not_launch = failing(&choice.best[0]);
        if !self.may_not_launch.is_empty() {
            let mut best = choice.best.iter().take(BEST_LISTED);
            self.surely_launches = best.find(|ranked| failing(ranked).is_empty()).map(listed);
        }
    }
}

impl FleetParts<'_> {
    fn scenarios(&self) -> Vec<FleetScenario> {
        let scenario = |(number, (question, weight)): (usize, (&Question, &u32))| {
            let optimum = self.optima.get(number).and_then(|report| report.optimum.as_ref());
            FleetScenario {
                gpu: question.gpu.to_owned(),
                problem: problem(question.spec),
                weight: *weight,
                optimum: optimum
                    .map(|optimum| FleetOptimum { parameters: optimum.parameters.clone(), ticks: optimum.ticks }),
            }
        };
        self.questions.iter().zip(self.weights).enumerate().map(scenario).collect()
    }

    fn configuration(&self, spec: &Spec, common: &CommonSpace, ranked: &Ranked) -> FleetConfiguration {
        let time = |(ticks, optimum): (&Ticks, Ticks)| FleetTime {
            ticks: *ticks,
            slowdown: Slowdown::new(*ticks, optimum).rounded(),
        };
        FleetConfiguration {
            parameters: values(spec, &common.configurations[ranked.configuration]),
            worst: FleetWorst::new(ranked.worst, ranked.scenario),
            times: ranked.times.iter().zip(self.ticks()).map(time).collect(),
        }
    }

    /// The contradictions between the choice and the proofs that were made: a time of a best configuration that its proof
    /// does not show, or an assigned configuration that may be as good. Empty if there are none.
    #[must_use]
    pub fn contradictions(&self) -> Vec<String> {
        if let Some(variants) = &self.variants {
            return self.contradictions_of_variants(variants);
        }
        let (Some(common), Some(choice)) = (self.common, self.choice) else { return Vec::new() };
        let mut found = Vec::new();
        for (scenario, ((proofs, question), optimum)) in
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
            tree: None,
        }
    }

    fn infeasible(&self, report: &mut FleetReport, exclusions: &Exclusions) {
        report.verdict = Verdict::Infeasible;
        let spec = self.questions[0].spec;
        let excluded = exclusions.refused.iter().zip(&exclusions.rules).enumerate();
        let excluded = excluded.map(|(scenario, (configurations, rules))| FleetExcluded {
            scenario,
            configurations: *configurations,
            rules: rules.clone(),
        });
        let is_nothing_feasible = exclusions.refused.iter().all(|refused| *refused == 0);
        report.excluded = excluded.filter(|excluded| is_nothing_feasible || excluded.configurations > 0).collect();
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
        let (lower, upper) = match &self.variants {
            Some(variants) => variants.ends(uppers),
            None => (
                self.common.zip(uppers).and_then(|(common, uppers)| common.least_by_bounds(&uppers)),
                self.choice.map(Choice::least),
            ),
        };
        let is_replayed =
            self.proofs.len() == self.questions.len() && self.proofs.iter().all(|one| is_whole(&one.best));
        let upper = upper.filter(|_| is_replayed).map(Slowdown::rounded);
        FleetInterval { lower: lower.map_or(1.0, |lower| lower.rounded_down().max(1.0)), upper }
    }
}
