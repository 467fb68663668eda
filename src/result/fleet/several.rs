//! The parts of a result about several variants: what was found, and what follows from it.

use super::given::{FleetParts, VariantParts, is_whole, shows};
use super::{
    FleetProof, FleetReport, FleetScenarioProof, FleetTime, FleetTogether, FleetTreeSize, FleetVariant,
    FleetVariantTime, FleetWorst,
};
use crate::result::tuning::Verdict;
use crate::result::values::values;
use autotune_base::ticks::Ticks;
use autotune_engine::compare::fleet::{Slowdown, UnionSpace, VariantChoice};
use autotune_engine::explain::may_not_launch;

impl VariantParts<'_> {
    /// The ends of the interval of the least worst slowdown, over these upper ends of the scenarios' optima.
    pub(super) fn ends(&self, uppers: Option<Vec<Ticks>>) -> (Option<Slowdown>, Option<Slowdown>) {
        let lower = self.union.zip(uppers).and_then(|(union, uppers)| union.least_by_bounds(&uppers, self.most));
        (lower, self.choice.map(|choice| choice.worst))
    }
}

impl FleetReport {
    /// Adds the variants. They are proved only if every part is, and the tree shows that no others are better.
    pub(super) fn add_variants(&mut self, parts: &FleetParts, variants: &VariantParts) {
        self.most_variants = Some(variants.most);
        let (Some(union), Some(choice)) = (variants.union, variants.choice) else { return };
        let ticks = parts.ticks();
        self.variants = listed(parts, union, choice, &ticks);
        let together = together(choice, &ticks);
        let mean = parts.mean_of(choice.taken.iter().enumerate().filter_map(|(s, place)| choice.times[*place][s]));
        self.together = Some(together);
        if let Some(proof) = parts.proof_of_variants(variants.most, union, choice) {
            self.verdict = Verdict::Proved;
            self.mean_slowdown = Some(mean);
            self.proof = Some(proof);
            let taken = |scenario: usize| union.configurations.get_index(choice.variants[choice.taken[scenario]]);
            self.may_not_launch = parts.failing(&taken);
            for launch in &mut self.may_not_launch {
                launch.instead = parts.surely_launching(union, choice, launch.scenario);
            }
        }
    }
}

fn time(ticks: Ticks, optimum: Ticks) -> FleetTime {
    FleetTime { ticks, slowdown: Slowdown::new(ticks, optimum).rounded() }
}

fn listed(parts: &FleetParts, union: &UnionSpace, choice: &VariantChoice, optima: &[Ticks]) -> Vec<FleetVariant> {
    let variant = |(variant, times): (&usize, &Vec<Option<Ticks>>)| FleetVariant {
        parameters: values(parts.questions[0].spec, &union.configurations[*variant]),
        times: times.iter().zip(optima).map(|(ticks, optimum)| ticks.map(|ticks| time(ticks, *optimum))).collect(),
    };
    choice.variants.iter().zip(&choice.times).map(variant).collect()
}

fn together(choice: &VariantChoice, optima: &[Ticks]) -> FleetTogether {
    let taken = |((scenario, &variant), optimum): ((usize, &usize), &Ticks)| {
        let FleetTime { ticks, slowdown } = time(choice.times[variant][scenario]?, *optimum);
        Some(FleetVariantTime { variant, ticks, slowdown })
    };
    FleetTogether {
        worst: FleetWorst::new(choice.worst, choice.scenario),
        times: choice.taken.iter().enumerate().zip(optima).filter_map(taken).collect(),
    }
}

impl FleetParts<'_> {
    /// The fastest variant that surely launches in a scenario, the first of equals; `None` if there is none.
    fn surely_launching(
        &self,
        union: &UnionSpace,
        choice: &VariantChoice,
        scenario: usize,
    ) -> Option<FleetVariantTime> {
        let optimum = *self.ticks().get(scenario)?;
        let launches = |&(variant, _): &(usize, Ticks)| {
            let configuration = union.configurations.get_index(choice.variants[variant]);
            configuration.is_some_and(|one| may_not_launch(&self.questions[scenario], one).is_none())
        };
        let feasible = choice.times.iter().enumerate().filter_map(|(variant, times)| Some((variant, times[scenario]?)));
        let (variant, ticks) = feasible.filter(launches).min_by_key(|(_, ticks)| *ticks)?;
        Some(FleetVariantTime { variant, ticks, slowdown: Slowdown::new(ticks, optimum).rounded() })
    }

    /// The proof that no `most` configurations lose less; `None` if a part is missing or not whole, or the tree does not show
    /// it.
    fn proof_of_variants(&self, most: usize, union: &UnionSpace, choice: &VariantChoice) -> Option<FleetProof> {
        let tree = choice.refutation.as_ref().ok()?;
        let ticks = self.ticks();
        let may_be_faster: Vec<Vec<usize>> = (0..ticks.len())
            .map(|scenario| union.not_shown_slower(choice, scenario, ticks[scenario], self.shows_slower(scenario)))
            .collect();
        if !self.are_proved() || !tree.refutes(&may_be_faster, most) {
            return None;
        }
        let part = |scenario: usize| {
            let counts =
                self.proofs[scenario].others.as_ref().and_then(|others| Some(others.proof.as_ref()?.configurations));
            FleetScenarioProof {
                scenario,
                bound: choice.worst.least_of(ticks[scenario]),
                configurations: counts.map_or(0, |counts| counts.all),
                searched: counts.map_or(0, |counts| counts.checked),
                pruned: counts.map_or(0, |counts| counts.pruned),
            }
        };
        Some(FleetProof {
            configurations: union.configurations.len(),
            scenarios: (0..ticks.len()).map(part).collect(),
            tree: Some(FleetTreeSize { nodes: tree.nodes.len(), branches: tree.branches() }),
        })
    }

    fn shows_slower(&self, scenario: usize) -> bool {
        self.proofs.get(scenario).is_some_and(|proofs| proofs.others.as_ref().is_some_and(is_whole))
    }

    /// The contradictions between the choice of variants and the proofs that were made.
    pub(super) fn contradictions_of_variants(&self, variants: &VariantParts) -> Vec<String> {
        let (Some(union), Some(choice)) = (variants.union, variants.choice) else { return Vec::new() };
        let mut found = Vec::new();
        let proofs = self.proofs.iter().zip(self.questions).zip(self.ticks());
        for (scenario, ((proofs, question), optimum)) in proofs.enumerate() {
            for (&variant, times) in choice.variants.iter().zip(&choice.times) {
                let configuration = &union.configurations[variant];
                let is_shown = |ticks| shows(&proofs.best, question.spec, configuration, ticks);
                if let Some(ticks) = times[scenario].filter(|ticks| !is_shown(*ticks)) {
                    let label = question.spec.label(configuration);
                    found.push(format!("scenario {scenario}: {label} is not shown to take {ticks}"));
                }
            }
            let least = choice.worst.least_of(optimum);
            let others = proofs.others.as_ref().and_then(|others| others.optimum.as_ref());
            if let Some(others) = others.filter(|others| others.ticks < least) {
                found.push(format!("scenario {scenario}: a configuration takes {}, less than {least}", others.ticks));
            }
        }
        found
    }
}
