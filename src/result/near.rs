//! The neighbourhood of an optimum (`near` in `schemas/result.json`).

use serde::{Deserialize, Serialize};

use super::values::{Values, values};
use autotune_base::text::words::{above, grouped, label, printable};
use autotune_base::ticks::Ticks;
use autotune_engine::compare::near::{Near, Need, ParameterInCommon, Pick, Within};
use autotune_engine::proof::{Percent, Question};
use autotune_lowering::space::Survey;
use autotune_lowering::spec::{Preference, Spec};

/// The number of a parameter's values that are shown, if at least 2 more remain.
const VALUES: usize = 8;

/// The neighbourhood of a proved optimum, by the native evaluator. The proof is only about the optimum and its exact
/// ties.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct NearReport {
    /// The near ties within 1 %, within 2 % and within the percentage of `--within`, in ascending order of
    /// percentages.
    pub within: Vec<WithinReport>,
    /// The best configurations in true order, the optimum first: 5, or as many as `--top` asks for if that is more.
    /// Configurations of the same time are in the order of preference.
    pub best: Vec<BestReport>,
    /// The number of configurations that could be a near tie or one of the best: their evaluation takes too many
    /// events, and no lower bound excludes them.
    pub not_evaluated: usize,
    /// The preferences of the spec or of `--prefer`, the most important first.
    pub prefer: Vec<String>,
    /// The percentage of `--within`: the preferred configuration is chosen within it. Null without `--within`: the
    /// choice is then among the exact ties.
    pub asked: Option<Percent>,
    /// The preferred configuration, whose time is not proved. Exports use it. Absent if the optimum is the preferred
    /// configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<ChoiceReport>,
    /// The criteria that put `chosen` (otherwise the optimum) before the other candidates, the most important first;
    /// null if the choice had one candidate.
    pub chosen_by: Option<String>,
    /// The criteria that put the optimum before the configurations that take exactly its time, the most important
    /// first; null if no other takes it.
    pub optimum_by: Option<String>,
}

/// The configurations within a percentage of the optimum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct WithinReport {
    /// The percentage, from 0 to 100.
    pub percent: Percent,
    /// The number of configurations that take at most this percentage more ticks than the optimum: 100 ticks <= (100 +
    /// percent) optimum. The optimum is one of them.
    pub configurations: usize,
    /// The number of configurations that may be within the percentage too: their evaluation takes too many events, and
    /// no lower bound excludes them.
    pub not_evaluated: usize,
    /// The values of each parameter among these near ties, in the order of the spec. Parameters with a single value in
    /// the space are left out.
    pub parameters: Vec<ParameterReport>,
}

/// The values of one parameter that near ties have in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ParameterReport {
    /// The parameter's name.
    pub name: String,
    /// False if the parameter takes at least 2 values among the near ties and its value is free: each feasible
    /// configuration that differs from a near tie in this parameter alone is a near tie too.
    pub matters: bool,
    /// The parameter's values among the near ties, in the order of its domain.
    pub values: Vec<i64>,
    /// The values that need values of other parameters. All near ties with such a value have the needed values, but
    /// not all near ties have them, and not all feasible configurations with such a value. Absent if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only_with: Vec<NeedReport>,
}

/// A value that is near the optimum only together with values of other parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct NeedReport {
    /// The value.
    pub value: i64,
    /// The other parameters and their values.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
}

/// One of the best configurations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct BestReport {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The time by the native evaluator, in ticks.
    pub ticks: Ticks,
}

/// A configuration that is preferred to the optimum. Its time is not proved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ChoiceReport {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The number of work items of a work group.
    pub work_group: u64,
    /// The parameters that form the tile, with their values.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub tile: Values,
    /// The time by the native evaluator, in ticks.
    pub ticks: Ticks,
    /// This time in microseconds; null on a lockstep GPU, which does not have a clock.
    pub microseconds: Option<f64>,
}

impl NearReport {
    /// The report of a neighbourhood, whose configurations are entries of the survey.
    #[must_use]
    pub fn new(question: &Question, survey: &Survey, near: &Near) -> Self {
        let spec = question.spec;
        let best = near.best.iter().map(|&(entry, ticks)| BestReport {
            parameters: values(spec, &survey.entries.get(entry).configuration),
            ticks,
        });
        Self {
            within: near.within.iter().map(|within| WithinReport::new(spec, within)).collect(),
            best: best.collect(),
            not_evaluated: near.not_evaluated,
            prefer: spec.prefer.iter().map(Preference::text).collect(),
            asked: question.within,
            chosen: near.chosen.map(|pick| ChoiceReport::new(question, survey, pick)),
            chosen_by: in_words(&near.chosen_by),
            optimum_by: in_words(&near.optimum_by),
        }
    }

    /// The reason for the choice, as shown after its name: `0.07 % above the proved optimum, preferred by max TS`.
    /// `optimum` is the optimum's time, in ticks.
    #[must_use]
    pub fn reason(&self, choice: &ChoiceReport, optimum: Ticks) -> String {
        let by = self.chosen_by.as_deref().unwrap_or_default();
        let above = above(choice.ticks.get(), optimum.get());
        format!("{above} above the proved optimum, preferred by {}{}", printable(by), self.without_choice())
    }

    /// A clause with the number of configurations that could not be chosen, because they do not have a time; empty if
    /// that is 0.
    fn without_choice(&self) -> String {
        let asked = self.within.iter().find(|within| Some(within.percent) == self.asked);
        match asked {
            Some(WithinReport { percent, not_evaluated: 1, .. }) => {
                format!("; 1 more that may be within {percent} % was not evaluated")
            }
            Some(WithinReport { percent, not_evaluated: more @ 2.., .. }) => {
                format!("; {} more that may be within {percent} % were not evaluated", grouped(*more as u64))
            }
            _ => String::new(),
        }
    }

    /// The reason why the optimum itself is chosen within `--within`; `None` if another configuration is chosen, if a
    /// percentage or a preference was not given, or if no criterion decided.
    #[must_use]
    pub fn confirmation(&self) -> Option<String> {
        if self.chosen.is_some() || self.asked.is_none() || self.prefer.is_empty() {
            return None;
        }
        let by = printable(self.chosen_by.as_deref()?);
        Some(format!("the optimum, preferred by {by}{}", self.without_choice()))
    }

    /// The number of configurations within `percent` of an optimum, with its digits grouped; empty if it is not known.
    pub(crate) fn near_ties(near: Option<&Self>, percent: u32) -> String {
        let percent = Percent::whole(percent);
        let within = near.iter().flat_map(|near| &near.within).find(|within| within.percent == percent);
        within.map_or(String::new(), |within| grouped(within.configurations as u64))
    }

    /// The near ties to describe: those within the percentage of `--within`, otherwise within the greatest. `None` if
    /// there are none.
    pub(crate) fn widest(&self) -> Option<&WithinReport> {
        let asked = self.within.iter().find(|within| Some(within.percent) == self.asked);
        asked.or(self.within.last())
    }
}

impl WithinReport {
    fn new(spec: &Spec, Within { percent, configurations, not_evaluated, parameters }: &Within) -> Self {
        Self {
            percent: *percent,
            configurations: *configurations,
            not_evaluated: *not_evaluated,
            parameters: parameters.iter().map(|parameter| ParameterReport::new(spec, parameter)).collect(),
        }
    }

    /// The values that the near ties have in common, and the parameters that do not matter, in words.
    #[must_use]
    pub fn in_words(&self) -> String {
        let free: Vec<&str> =
            self.parameters.iter().filter(|free| !free.matters).map(|free| free.name.as_str()).collect();
        let bound = self.parameters.iter().filter(|bound| bound.matters).map(ParameterReport::in_words);
        let free = match free.as_slice() {
            [] => None,
            [only] => Some(format!("{only} does not matter")),
            [others @ .., last] => Some(format!("{} and {last} do not matter", others.join(", "))),
        };
        bound.chain(free).collect::<Vec<_>>().join("; ")
    }
}

impl ParameterReport {
    fn new(spec: &Spec, ParameterInCommon { place, matters, values, needs }: &ParameterInCommon) -> Self {
        let name = |place: usize| spec.parameters[place].name.clone();
        let need = |need: &Need| NeedReport {
            value: need.value,
            parameters: need.with.iter().map(|(other, value)| (name(*other), (*value).into())).collect(),
        };
        Self {
            name: name(*place),
            matters: *matters,
            values: values.clone(),
            only_with: needs.iter().map(need).collect(),
        }
    }

    /// The parameter's values with the values that they need: `TS 8, 16, 32 (only with PAD=1)`.
    fn in_words(&self) -> String {
        let shown = if self.values.len() > VALUES + 1 { VALUES } else { self.values.len() };
        let value = |value: &i64| {
            let need = self.only_with.iter().find(|need| need.value == *value);
            let need = need.map_or(String::new(), |need| format!(" (only with {})", label(&need.parameters)));
            format!("{value}{need}")
        };
        let values: Vec<String> = self.values.iter().take(shown).map(value).collect();
        let more = self.values.len() - shown;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{} {}{more}", self.name, values.join(", "))
    }
}

impl ChoiceReport {
    pub(super) fn new(question: &Question, survey: &Survey, Pick { entry, ticks, work_group }: Pick) -> Self {
        let parameters = values(question.spec, &survey.entries.get(entry).configuration);
        let microseconds = question.profile.microseconds(ticks.get());
        Self { tile: tile(question.spec, &parameters), parameters, work_group, ticks, microseconds }
    }
}

/// The criteria that decided, the most important first; `None` if there are none.
fn in_words(criteria: &[String]) -> Option<String> {
    (!criteria.is_empty()).then(|| criteria.join(", "))
}

/// The parameters of a configuration that form the spec's tile.
pub(super) fn tile(spec: &Spec, parameters: &Values) -> Values {
    let is_tile = |name: &String| spec.tile.contains(name);
    let tile = parameters.iter().filter(|(name, _)| is_tile(name));
    tile.map(|(name, value)| (name.clone(), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the choice is shown with the number of configurations without a time.
    #[test]
    fn what_is_not_evaluated_is_told_beside_the_choice() {
        let within = |percent, configurations, not_evaluated| WithinReport {
            percent: Percent::whole(percent),
            configurations,
            not_evaluated,
            parameters: Vec::new(),
        };
        let mut near = NearReport {
            within: vec![within(0, 1, 0), within(2, 9, 3)],
            best: Vec::new(),
            not_evaluated: 4,
            prefer: vec!["max A".to_owned()],
            asked: Some(Percent::whole(2)),
            chosen: None,
            chosen_by: Some("max A".to_owned()),
            optimum_by: None,
        };
        let missing = "; 3 more that may be within 2 % were not evaluated";
        assert_eq!(near.confirmation(), Some(format!("the optimum, preferred by max A{missing}")));
        let choice = ChoiceReport {
            parameters: Values::new(),
            work_group: 4,
            tile: Values::new(),
            ticks: Ticks::new(101),
            microseconds: None,
        };
        let told = "1.00 % above the proved optimum, preferred by max A";
        assert_eq!(near.reason(&choice, Ticks::new(100)), format!("{told}{missing}"));
        near.chosen = Some(choice.clone());
        assert_eq!(near.confirmation(), None);
        near.within[1].not_evaluated = 0;
        assert_eq!(near.reason(&choice, Ticks::new(100)), told);
    }

    #[test]
    fn values_are_told_with_what_they_need() {
        let parameter = |name: &str, matters, values: Vec<i64>, only_with| ParameterReport {
            name: name.to_owned(),
            matters,
            values,
            only_with,
        };
        let padded = [("PAD".to_owned(), 1.into())].into_iter().collect();
        let within = WithinReport {
            percent: Percent::whole(2),
            configurations: 9,
            not_evaluated: 0,
            parameters: vec![
                parameter("TS", true, vec![8, 32], vec![NeedReport { value: 32, parameters: padded }]),
                parameter("A", false, vec![1, 2], Vec::new()),
                parameter("N", true, (1..=20).collect(), Vec::new()),
                parameter("B", false, vec![1, 2], Vec::new()),
            ],
        };
        let told = "TS 8, 32 (only with PAD=1); N 1, 2, 3, 4, 5, 6, 7, 8 and 12 more; A and B do not matter";
        assert_eq!(within.in_words(), told);
    }
}
