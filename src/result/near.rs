//! What stands beside an optimum (`near` in `schemas/result.json`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Integers, Percent, Values};
use crate::text::words::{above, grouped, label, printable};

/// Values of a parameter that are shown, if there are more than one more.
const VALUES: usize = 8;

/// What stands beside a proved optimum, by the native evaluator. The proof is about the optimum and its exact ties.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct NearReport {
    /// The configurations near the optimum: for 1 and 2 percent and for that of `--within`, in ascending order.
    pub within: Vec<WithinReport>,
    /// The best configurations in true order, the optimum first: five, or as many as `--top` asks for. Those that take the same
    /// time are in the order of preference.
    pub best: Vec<BestReport>,
    /// The number of configurations that could be a near tie or one of the best: they take too many events to be evaluated, and
    /// no lower bound excludes them.
    pub not_evaluated: usize,
    /// The preferences of the spec or of `--prefer`, the most important first.
    pub prefer: Vec<String>,
    /// The percentage of `--within`, within which the preferred configuration is chosen; null without it: then it is chosen among
    /// the exact ties.
    pub asked: Option<Percent>,
    /// The preferred configuration, if it is not the optimum. Its time is not proved. Exports use it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<ChoiceReport>,
    /// What distinguishes `chosen` (else the optimum) from the others among which it was chosen, the most important first; null
    /// if there was no other.
    pub chosen_by: Option<String>,
    /// What distinguishes the optimum from the configurations that take exactly its time, the most important first; null if
    /// there is none.
    pub optimum_by: Option<String>,
}

/// The configurations within a percentage of the optimum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct WithinReport {
    /// The percentage.
    pub percent: Percent,
    /// The number of configurations that take at most this percentage more ticks than the optimum:
    /// 100 ticks <= (100 + percent) optimum. The optimum is among them.
    pub configurations: usize,
    /// How many more there may be: they take too many events to be evaluated, and no lower bound excludes them.
    pub not_evaluated: usize,
    /// What these near ties have in common, in the order of the spec. A parameter with one value in the space is left out.
    pub parameters: Vec<ParameterReport>,
}

/// What near ties have in common in one parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ParameterReport {
    /// The parameter.
    pub name: String,
    /// False if the parameter takes at least two values among the near ties, and every configuration that can run and differs
    /// from a near tie in this parameter alone is a near tie.
    pub matters: bool,
    /// Its values among the near ties, in the order of its domain.
    pub values: Vec<i64>,
    /// The values that need values of other parameters: all near ties with the value have them, other near ties do not, and
    /// neither do all configurations with the value that can run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only_with: Vec<NeedReport>,
}

/// A value that is near the optimum only with values of other parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct NeedReport {
    /// The value.
    pub value: i64,
    /// The other parameters and their values.
    #[schemars(with = "Integers")]
    pub parameters: Values,
}

/// One of the best configurations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct BestReport {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// Its time.
    pub ticks: u64,
}

/// A configuration that is preferred to the optimum. Its time is not proved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct ChoiceReport {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The work items of a group.
    pub work_group: u64,
    /// The parameters that are its tile.
    #[schemars(with = "Integers")]
    pub tile: Values,
    /// Its time by the native evaluator.
    pub ticks: u64,
    /// The same in microseconds; null on lockstep GPUs.
    pub microseconds: Option<f64>,
}

impl NearReport {
    /// How the choice is made known, behind its name: `0.07 % above the proved optimum, preferred by max TS`.
    #[must_use]
    pub fn reason(&self, choice: &ChoiceReport, optimum: u64) -> String {
        let by = self.chosen_by.as_deref().unwrap_or_default();
        let above = above(choice.ticks, optimum);
        format!("{above} above the proved optimum, preferred by {}{}", printable(by), self.without_choice())
    }

    /// How many could not be chosen, since they have no time; empty if none.
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

    /// What decided that the optimum itself is chosen within the percentage that was asked for; none if nothing did.
    #[must_use]
    pub fn confirmation(&self) -> Option<String> {
        if self.chosen.is_some() || self.asked.is_none() || self.prefer.is_empty() {
            return None;
        }
        let by = printable(self.chosen_by.as_deref()?);
        Some(format!("the optimum, preferred by {by}{}", self.without_choice()))
    }

    /// The near ties that are described: those within the percentage that was asked for, else within the greatest.
    pub(crate) fn widest(&self) -> Option<&WithinReport> {
        let asked = self.within.iter().find(|within| Some(within.percent) == self.asked);
        asked.or(self.within.last())
    }
}

impl WithinReport {
    /// What the near ties have in common.
    #[must_use]
    pub fn in_words(&self) -> String {
        let free: Vec<&str> = self.parameters.iter().filter(|one| !one.matters).map(|one| one.name.as_str()).collect();
        let bound = self.parameters.iter().filter(|one| one.matters).map(ParameterReport::in_words);
        let free = match free.as_slice() {
            [] => None,
            [one] => Some(format!("{one} does not matter")),
            [others @ .., last] => Some(format!("{} and {last} do not matter", others.join(", "))),
        };
        bound.chain(free).collect::<Vec<_>>().join("; ")
    }
}

impl ParameterReport {
    /// Its values, with what they need: `TS 8, 16, 32 (only with PAD=1)`.
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

/// How many configurations are within so many percent of an optimum; empty if that is not known.
pub(crate) fn near_ties(near: Option<&NearReport>, percent: u32) -> String {
    let within = near.iter().flat_map(|near| &near.within).find(|one| one.percent == Percent::of(percent));
    within.map_or(String::new(), |within| grouped(within.configurations as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What has no time was not chosen from: the choice says so, wherever it is told.
    #[test]
    fn what_is_not_evaluated_is_told_beside_the_choice() {
        let within = |percent, configurations, not_evaluated| WithinReport {
            percent: Percent::of(percent),
            configurations,
            not_evaluated,
            parameters: Vec::new(),
        };
        let mut near = NearReport {
            within: vec![within(0, 1, 0), within(2, 9, 3)],
            best: Vec::new(),
            not_evaluated: 4,
            prefer: vec!["max A".to_owned()],
            asked: Some(Percent::of(2)),
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
            ticks: 101,
            microseconds: None,
        };
        let told = "1.00 % above the proved optimum, preferred by max A";
        assert_eq!(near.reason(&choice, 100), format!("{told}{missing}"));
        near.chosen = Some(choice.clone());
        assert_eq!(near.confirmation(), None);
        near.within[1].not_evaluated = 0;
        assert_eq!(near.reason(&choice, 100), told);
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
            percent: Percent::of(2),
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
