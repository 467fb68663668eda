//! The check of the near ties, the best configurations and the choice against the optimum and the list of
//! configurations.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Claim;
use crate::result::{ChoiceReport, ConfigurationReport, ListedStatus, NearReport, Values, WithinReport};
use autotune_base::text::words::label;
use autotune_base::ticks::Ticks;
use autotune_engine::proof::Percent;

impl Claim<'_> {
    pub(super) fn check_near(&self, wrong: &mut Vec<String>) {
        let Some(near) = &self.report.near else { return };
        self.check_within(near, wrong);
        self.check_best(near, wrong);
        if let Some(choice) = &near.chosen {
            self.check_choice(near, choice, wrong);
        }
        let has_ties = self.report.ties.iter().flatten().next().is_some();
        let could_choose = near.chosen.is_some() || has_ties;
        if (could_choose && near.chosen_by.is_none()) || (has_ties && near.optimum_by.is_none()) {
            wrong.push("a configuration is preferred to others, but by nothing".to_owned());
        }
    }

    fn check_within(&self, near: &NearReport, wrong: &mut Vec<String>) {
        if !near
            .within
            .is_sorted_by(|less, more| less.percent < more.percent && less.configurations <= more.configurations)
        {
            wrong.push("the near ties are not in the order of their percentages, or do not grow with them".to_owned());
        }
        let counts = &self.proof.configurations;
        let feasible = counts.all.saturating_sub(counts.infeasible);
        let tied = self.report.ties.as_ref().map_or(0, Vec::len) + self.report.ties_omitted + 1;
        for within in &near.within {
            let (percent, count) = (within.percent, within.configurations);
            if count < tied || count as u128 > feasible {
                wrong.push(format!(
                    "{count} configurations are said to be within {percent} %, but {tied} are optimal and {feasible} can run"
                ));
            }
            let told = self.told_within(near, percent);
            if count < told {
                wrong.push(format!(
                    "{count} configurations are said to be within {percent} %, but {told} of them have times"
                ));
            }
            if let Some([least, most]) = self.possible(percent)
                && (count < least || count > most)
            {
                wrong.push(format!(
                    "{count} configurations are said to be within {percent} %, listed are {least} to {most}"
                ));
            }
            if !self.is_in_common(within) {
                wrong.push(format!("what is in common within {percent} % does not hold of the optimum"));
            }
        }
    }

    /// The number of configurations whose time stands anywhere in the result and is within a percentage of the
    /// optimum.
    fn told_within(&self, near: &NearReport, percent: Percent) -> usize {
        let listed = self
            .report
            .configurations
            .iter()
            .filter_map(|configuration| Some((&configuration.parameters, configuration.ticks?)));
        let best = near.best.iter().map(|configuration| (&configuration.parameters, configuration.ticks));
        let top =
            self.report.top.iter().flatten().map(|configuration| (&configuration.parameters, configuration.ticks));
        let chosen = near.chosen.iter().map(|configuration| (&configuration.parameters, configuration.ticks));
        let told = listed.chain(best).chain(top).chain(chosen);
        let near = told.filter(|(_, ticks)| percent.holds(*ticks, self.optimum.ticks));
        near.map(|(parameters, _)| label(parameters)).collect::<BTreeSet<_>>().len()
    }

    /// The least and the greatest number of listed configurations that can be within a percentage; `None` if not all
    /// configurations are listed.
    fn possible(&self, percent: Percent) -> Option<[usize; 2]> {
        let optimum = self.optimum.ticks;
        let is_within = |ticks: Ticks| percent.holds(ticks, optimum);
        let certain = |configuration: &&ConfigurationReport| configuration.ticks.is_some_and(is_within);
        let possible = |configuration: &&ConfigurationReport| match (configuration.ticks, configuration.bound) {
            (Some(ticks), _) => is_within(ticks),
            (None, bound) => configuration.status != ListedStatus::Infeasible && bound.is_none_or(is_within),
        };
        let listed = &self.report.configurations;
        self.lists_all().then(|| [listed.iter().filter(certain).count(), listed.iter().filter(possible).count()])
    }

    /// Returns true if the optimum, which is a near tie itself, has the values that the near ties have in common.
    fn is_in_common(&self, within: &WithinReport) -> bool {
        within.parameters.iter().all(|parameter| {
            let own = self.optimum.parameters.get(&parameter.name).and_then(Value::as_i64);
            let needs = parameter.only_with.iter().filter(|need| Some(need.value) == own);
            own.is_some_and(|own| parameter.values.contains(&own))
                && needs
                    .flat_map(|need| &need.parameters)
                    .all(|(name, value)| self.optimum.parameters.get(name) == Some(value))
        })
    }

    fn check_best(&self, near: &NearReport, wrong: &mut Vec<String>) {
        let begins = near
            .best
            .first()
            .is_some_and(|first| (&first.parameters, first.ticks) == (&self.optimum.parameters, self.optimum.ticks));
        if !begins || !near.best.is_sorted_by_key(|configuration| configuration.ticks) {
            wrong.push("the best in true order do not begin with the optimum, or are not in order".to_owned());
        }
        let top = self.report.top.iter().flatten().zip(&near.best);
        for (top, best) in top {
            if (&top.parameters, top.ticks) != (&best.parameters, best.ticks) {
                let (proved, told) = (label(&top.parameters), label(&best.parameters));
                wrong.push(format!("{proved} is proved to be among the best where {told} is stated"));
            }
        }
        let listed = self.listed();
        for configuration in &near.best {
            self.check_time(&listed, &configuration.parameters, configuration.ticks, wrong);
        }
    }

    fn check_choice(&self, near: &NearReport, choice: &ChoiceReport, wrong: &mut Vec<String>) {
        let (name, optimum) = (label(&choice.parameters), self.optimum.ticks);
        if choice.ticks <= optimum || near.asked.is_none_or(|percent| !percent.holds(choice.ticks, optimum)) {
            wrong.push(format!("{name} is preferred to the optimum, but is not within the requested percentage"));
        }
        if near.prefer.is_empty() {
            wrong.push(format!("{name} is preferred to the optimum, but nothing is said to be preferred"));
        }
        self.check_parameters(&choice.parameters, &choice.tile, wrong);
        self.check_time(&self.listed(), &choice.parameters, choice.ticks, wrong);
    }

    pub(super) fn listed(&self) -> BTreeMap<String, &ConfigurationReport> {
        self.report
            .configurations
            .iter()
            .map(|configuration| (label(&configuration.parameters), configuration))
            .collect()
    }

    /// Checks that a configuration's time is the listed one, and is not below the listed bound or the optimum's time.
    pub(super) fn check_time(
        &self,
        listed: &BTreeMap<String, &ConfigurationReport>,
        parameters: &Values,
        ticks: Ticks,
        wrong: &mut Vec<String>,
    ) {
        let name = label(parameters);
        let agrees = match listed.get(&name) {
            Some(configuration) => {
                configuration.status != ListedStatus::Infeasible
                    && configuration.ticks.is_none_or(|time| time == ticks)
                    && configuration.bound.is_none_or(|bound| bound <= ticks)
            }
            None => !self.lists_all(),
        };
        if !agrees || ticks < self.optimum.ticks {
            wrong.push(format!("{name} is said to take {ticks} ticks, which the list of configurations contradicts"));
        }
    }
}
