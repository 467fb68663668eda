//! The times of chosen variants in the scenarios of a table.

use autotune_base::ticks::Ticks;
use autotune_engine::compare::fleet::{EvaluatedScenarios, Variants};
use autotune_lowering::spec::Configuration;

/// The variants of a table with their times.
pub(super) struct VariantTimes {
    /// The variants.
    pub(super) variants: Vec<Configuration>,
    /// The time of each variant in each scenario, by scenario; `None` where it is not feasible.
    times: Vec<Vec<Option<Ticks>>>,
    /// The least time of each scenario's own space; `None` without a feasible configuration.
    optima: Vec<Option<Ticks>>,
    /// True if no other choice has a lesser worst slowdown.
    pub(super) are_least: bool,
    /// True if all of this is proved.
    pub(super) are_proved: bool,
}

impl VariantTimes {
    /// The times of the native evaluator.
    pub(super) fn evaluated(evaluated: &EvaluatedScenarios, chosen: &Variants) -> Self {
        let of_scenario = |scenario| chosen.configurations.iter().map(|&one| evaluated.time(scenario, one)).collect();
        Self {
            variants: chosen.configurations.iter().map(|&one| evaluated.configurations[one].clone()).collect(),
            times: (0..evaluated.scenarios()).map(of_scenario).collect(),
            optima: (0..evaluated.scenarios()).map(|scenario| evaluated.optimum(scenario)).collect(),
            are_least: chosen.is_least,
            are_proved: false,
        }
    }

    /// Proved times: of each scenario its optimum and the times of the variants; `None` without a feasible configuration.
    pub(super) fn proved(variants: Vec<Configuration>, scenarios: Vec<Option<(Ticks, Vec<Option<Ticks>>)>>) -> Self {
        let none = vec![None; variants.len()];
        let optima = scenarios.iter().map(|scenario| scenario.as_ref().map(|(optimum, _)| *optimum)).collect();
        let times = scenarios.into_iter().map(|scenario| scenario.map_or_else(|| none.clone(), |(_, times)| times));
        Self { times: times.collect(), variants, optima, are_least: true, are_proved: true }
    }

    pub(super) fn scenarios(&self) -> usize {
        self.optima.len()
    }

    pub(super) fn time(&self, scenario: usize, variant: usize) -> Option<Ticks> {
        self.times[scenario][variant]
    }

    pub(super) fn optimum(&self, scenario: usize) -> Option<Ticks> {
        self.optima[scenario]
    }
}
