//! The check that the claims of a result do not contradict each other. It is made before a result is printed, kept or
//! exported, and after a result is read.

mod near;
mod recommended;

use std::collections::{BTreeMap, BTreeSet};

use crate::result::{ConfigurationReport, ListedStatus, Optimum, ProofReport, Report, RunReport, Values, Verdict};
use autotune_base::text::words::label;
use autotune_base::ticks::Ticks;
use autotune_engine::proof::Strategy;
use autotune_lowering::space::LISTED;

/// Sentences, one for each claim that another claim of the result contradicts; empty if no claims contradict each
/// other.
#[must_use]
pub fn contradictions(report: &Report) -> Vec<String> {
    if report.schema != Report::SCHEMA {
        return vec![format!("the schema `{}` is not known", report.schema)];
    }
    let mut wrong = Vec::new();
    match (report.verdict, &report.optimum, &report.proof) {
        (Verdict::Proved, Some(optimum), Some(proof)) => {
            Claim { report, optimum, proof }.check(&mut wrong);
        }
        (Verdict::Proved, ..) => wrong.push("it is proved, but has no optimum or no proof".to_owned()),
        (_, None, None) => check_open(report, &mut wrong),
        _ => wrong.push("it has an optimum or a proof, but is not proved".to_owned()),
    }
    wrong
}

fn check_open(report: &Report, wrong: &mut Vec<String>) {
    if (report.verdict == Verdict::BestEffort) != report.interval.is_some() {
        wrong.push("an interval belongs to a best effort, and to nothing else".to_owned());
    }
    let Some(interval) = &report.interval else { return };
    if report.unknown.is_some() && interval.lower != Ticks::ZERO {
        wrong.push("it has a lower bound, but configurations are not known".to_owned());
    }
    if interval.upper.is_some_and(|upper| upper < interval.lower) {
        wrong.push("the interval's upper end is below its lower one".to_owned());
    }
    if report.best_known.as_ref().is_some_and(|best| Some(best.ticks) != interval.upper) {
        wrong.push("the best that is known does not take the interval's upper end".to_owned());
    }
}

/// A result that claims a proof, with its optimum and its proof.
struct Claim<'a> {
    report: &'a Report,
    optimum: &'a Optimum,
    proof: &'a ProofReport,
}

impl Claim<'_> {
    fn check(&self, wrong: &mut Vec<String>) {
        if self.report.unknown.is_some() {
            wrong.push("it is proved, but configurations are not known".to_owned());
        }
        self.check_runs(wrong);
        self.check_counts(wrong);
        self.check_configurations(wrong);
        self.check_top(wrong);
        self.check_near(wrong);
        self.check_recommended(wrong);
        self.check_circumstances(wrong);
    }

    fn check_runs(&self, wrong: &mut Vec<String>) {
        let (ticks, models) = (self.optimum.ticks, &self.proof.models);
        if self.proof.property != format!("[] (DONE -> (time >= {ticks}))") {
            wrong.push(format!("the property is not about the optimum's {ticks} ticks: {}", self.proof.property));
        }
        for (number, model) in models.iter().enumerate() {
            if !model.runs.iter().any(|run| run.holds && run.bound == ticks) {
                wrong.push(format!("model {} has no run where the property holds at {ticks}", number + 1));
            }
        }
        for (number, model) in models.iter().enumerate() {
            let all = model.configurations;
            let is_vacuous = |run: &RunReport| run.steps == 0 || (run.holds && run.states < all as u64);
            if model.runs.iter().any(is_vacuous)
                || model.comparison.is_some_and(|all_runs| all_runs.states < all as u64)
            {
                wrong.push(format!("a search of model {} did not run each of its {all} configurations", number + 1));
            }
            if model.ends.done + model.ends.cut != all {
                wrong.push(format!("not each of the {all} configurations of model {} has ended", number + 1));
            }
        }
        let found = |run: &RunReport| run.bound == ticks.after() && run.ticks == Some(ticks);
        if !models.iter().any(|model| model.runs.iter().any(found)) {
            wrong.push(format!("no run has a counterexample of {ticks} ticks"));
        }
        for model in models {
            // A run that holds speaks of its own model alone: another one may have the optimum.
            let has_optimum = model.runs.iter().any(found);
            let impossible = |run: &&RunReport| match run.ticks {
                None => !run.holds || has_optimum && run.bound > ticks,
                Some(time) => run.holds || time < ticks || time >= run.bound,
            };
            for run in model.runs.iter().filter(impossible) {
                wrong.push(format!("the run at {} says that the optimum is not {ticks}", run.bound));
            }
        }
    }

    fn check_counts(&self, wrong: &mut Vec<String>) {
        let (counts, models) = (&self.proof.configurations, &self.proof.models);
        let sum = |parts: &mut dyn Iterator<Item = u128>| parts.fold(0, u128::saturating_add);
        if sum(&mut [counts.infeasible, counts.pruned, counts.equal, counts.checked].into_iter()) != counts.all {
            wrong.push("the counts of configurations do not add up".to_owned());
        }
        if sum(&mut models.iter().map(|model| model.configurations as u128)) != counts.checked {
            wrong.push("the models do not hold as many configurations as were searched".to_owned());
        }
        if models.iter().any(|model| model.ends.stuck != 0) {
            wrong.push("runs are stuck".to_owned());
        }
        if !self.lists_all() {
            return;
        }
        let count = |is: &dyn Fn(&ConfigurationReport) -> bool| {
            self.report.configurations.iter().filter(|listed| is(listed)).count() as u128
        };
        let equal = |listed: &ConfigurationReport| {
            listed.status == ListedStatus::Equal || (listed.status == ListedStatus::Optimum && listed.same_as.is_some())
        };
        for (what, counted, listed) in [
            ("", counts.all, count(&|_| true)),
            ("infeasible ", counts.infeasible, count(&|listed| listed.status == ListedStatus::Infeasible)),
            ("pruned ", counts.pruned, count(&|listed| listed.status == ListedStatus::Pruned)),
            ("equal ", counts.equal, count(&equal)),
            ("searched ", counts.checked, count(&is_searched)),
        ] {
            if counted != listed {
                wrong.push(format!("{listed} {what}configurations are listed, {counted} are counted"));
            }
        }
    }

    /// Checks that each configuration's time and bound agree with the optimum.
    fn check_configurations(&self, wrong: &mut Vec<String>) {
        let ticks = self.optimum.ticks;
        let named = self.tied();
        let times: BTreeMap<String, Option<Ticks>> =
            self.report.configurations.iter().map(|listed| (label(&listed.parameters), listed.ticks)).collect();
        let is_equal = |listed: &ConfigurationReport| {
            listed
                .same_as
                .as_ref()
                .is_none_or(|other| times.get(&self::label(other)).is_none_or(|time| *time == listed.ticks))
        };
        if times.len() != self.report.configurations.len() {
            wrong.push("a configuration is listed twice".to_owned());
        }
        for listed in &self.report.configurations {
            let label = label(&listed.parameters);
            let agrees = match listed.status {
                ListedStatus::Optimum => {
                    listed.ticks == Some(ticks) && (named.contains(&label) || self.report.ties_omitted > 0)
                }
                ListedStatus::Checked | ListedStatus::Equal => listed.ticks.is_some_and(|time| time > ticks),
                ListedStatus::Pruned => {
                    listed.bound.is_some_and(|bound| bound > ticks && listed.ticks.is_none_or(|time| time >= bound))
                }
                ListedStatus::Infeasible => listed.ticks.is_none(),
                // Beside a configuration that is not known, nothing is proved.
                ListedStatus::Unknown => false,
            };
            if !agrees || !is_equal(listed) || (listed.status != ListedStatus::Optimum && named.contains(&label)) {
                wrong.push(format!("what it says of {label} is at odds with the optimum of {ticks} ticks"));
            }
        }
        let done: usize = self.proof.models.iter().map(|model| model.ends.done).sum();
        let shown = self.report.configurations.iter().filter(|listed| is_tied(listed)).count();
        if self.lists_all() && done != shown {
            wrong.push(format!("{shown} programs are listed as optimal, but {done} runs end before {}", ticks.after()));
        }
        let optimal = self.report.configurations.iter().filter(|listed| listed.status == ListedStatus::Optimum).count();
        if self.lists_all() && optimal != named.len() + self.report.ties_omitted {
            wrong.push(format!("{optimal} configurations are listed as optimal, but {} are named", named.len()));
        }
    }

    fn check_top(&self, wrong: &mut Vec<String>) {
        let Some(top) = &self.report.top else { return };
        let starts = top.first().is_some_and(|first| {
            first.ticks == self.optimum.ticks
                && (self.tied().contains(&label(&first.parameters)) || self.report.ties_omitted > 0)
        });
        if !starts || !top.is_sorted_by_key(|place| place.ticks) {
            wrong.push("the best configurations do not begin with the optimum, or are not in order".to_owned());
        }
    }

    /// Checks the claims beside the proof: the strategy, the tile, and the max-plus times that cannot exceed the
    /// optimum's time.
    fn check_circumstances(&self, wrong: &mut Vec<String>) {
        let (proof, optimum) = (&self.proof, &self.optimum);
        if Strategy::ALL.into_iter().all(|strategy| strategy.name() != proof.strategy) {
            wrong.push(format!("the strategy `{}` is not known", proof.strategy));
        }
        let descends = proof.strategy == Strategy::BranchAndBound.name();
        if proof.models.iter().any(|model| model.descent.is_some() != descends) {
            wrong.push(format!("its models' searches are not those of the strategy `{}`", proof.strategy));
        }
        if let Some((name, value)) =
            optimum.tile.iter().find(|(name, value)| optimum.parameters.get(*name) != Some(value))
        {
            wrong.push(format!("the tile's {name}={value} is none of the optimum's parameters"));
        }
        let bounds = self.report.analysis.iter().map(|analysis| analysis.max_plus);
        for (name, bound) in bounds.flat_map(|times| [("naive", times.naive), ("operations", times.operations)]) {
            if bound > u128::from(optimum.ticks) {
                wrong.push(format!(
                    "the max-plus bound `{name}` of {bound} ticks is above the optimum's {}",
                    optimum.ticks
                ));
            }
        }
    }

    /// Checks that a configuration has the optimum's parameters, and a tile of them.
    fn check_parameters(&self, parameters: &Values, tile: &Values, wrong: &mut Vec<String>) {
        let name = label(parameters);
        if !parameters.keys().eq(self.optimum.parameters.keys()) {
            wrong.push(format!("{name} has other parameters than the optimum"));
        }
        if tile.iter().any(|(name, value)| parameters.get(name) != Some(value)) {
            wrong.push(format!("the tile of {name} is none of its parameters"));
        }
    }

    fn lists_all(&self) -> bool {
        self.proof.configurations.all <= LISTED
    }

    /// The labels of the optimum and its listed ties.
    fn tied(&self) -> BTreeSet<String> {
        let ties = self.report.ties.as_deref().unwrap_or_default();
        std::iter::once(&self.optimum.parameters).chain(ties).map(label).collect()
    }
}

/// Returns true if SPIN searched the configuration.
fn is_searched(listed: &ConfigurationReport) -> bool {
    is_tied(listed) || listed.status == ListedStatus::Checked
}

fn is_tied(listed: &ConfigurationReport) -> bool {
    listed.status == ListedStatus::Optimum && listed.same_as.is_none()
}
