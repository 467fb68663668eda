//! What stands beside an optimum (`near` in `schemas/result.json`), for programs and for people.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::result::{Report, Values};
use super::terminal::{counted, grouped, grouped_wide, label, microseconds, printable};
use crate::proof::Percent;

/// Values of a parameter that are shown, if there are more than one more.
const VALUES: usize = 8;

/// What stands beside an optimum. All times but its own are the native evaluator's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NearReport {
    /// The near ties within each percentage, in ascending order.
    pub within: Vec<WithinReport>,
    /// The best configurations in their true order, the optimum first: five, or as many as were to be proved.
    pub best: Vec<BestReport>,
    /// Configurations without a time that no lower bound excludes from the above.
    pub not_evaluated: usize,
    /// What decides between configurations, the most important first; empty if nothing was asked for.
    pub prefer: Vec<String>,
    /// The percentage that was asked for, within which the preferred one is chosen; none if it must be as fast as the optimum.
    pub asked: Option<Percent>,
    /// The preferred configuration, if it is not the optimum.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<Choice>,
    /// What distinguishes it (or the optimum) from the others that could be chosen; none if there are none.
    pub chosen_by: Option<String>,
    /// What distinguishes the optimum from the others that take exactly its time; none if there are none.
    pub optimum_by: Option<String>,
}

/// The configurations within a percentage of the optimum.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WithinReport {
    /// The percentage.
    pub percent: Percent,
    /// How many there are, the optimum included.
    pub configurations: usize,
    /// How many more there may be: no time is known of them, and no lower bound excludes them.
    pub not_evaluated: usize,
    /// What they have in common; a parameter with one value in the space is left out.
    pub parameters: Vec<ParameterReport>,
}

/// What near ties have in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ParameterReport {
    /// The parameter.
    pub name: String,
    /// Whether a near tie may cease to be one if this parameter alone changes.
    pub matters: bool,
    /// Its values among the near ties.
    pub values: Vec<i64>,
    /// Those of them that need values of other parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only_with: Vec<NeedReport>,
}

/// A value that is near the optimum only with values of other parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NeedReport {
    /// The value.
    pub value: i64,
    /// The others and their values.
    pub parameters: Values,
}

/// One of the best configurations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BestReport {
    /// Its parameters.
    pub parameters: Values,
    /// Its time.
    pub ticks: u64,
}

/// A configuration that is preferred to the optimum. Its time is not proved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// Its parameters.
    pub parameters: Values,
    /// Work items of a group.
    pub work_group: u64,
    /// Its tile parameters.
    pub tile: Values,
    /// Its time by the native evaluator.
    pub ticks: u64,
    /// The same in microseconds, on a real GPU.
    pub microseconds: Option<f64>,
}

impl Report {
    /// The configuration to use, where one is proved: what the preferences choose, else the optimum.
    #[must_use]
    pub fn chosen(&self) -> Option<&Values> {
        let optimum = self.optimum.as_ref()?;
        Some(self.choice().map_or(&optimum.parameters, |choice| &choice.parameters))
    }

    /// The configuration that is preferred to the optimum, if one is.
    #[must_use]
    pub fn choice(&self) -> Option<&Choice> {
        self.near.as_ref()?.chosen.as_ref()
    }
}

impl NearReport {
    /// How the choice is made known, behind its name: `0.07 % above the proved optimum, preferred by max TS`.
    #[must_use]
    pub fn reason(&self, choice: &Choice, optimum: u64) -> String {
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

    /// The lines that name the choice; empty if nothing was to be chosen within a percentage.
    pub(super) fn choice_line(&self, optimum: u64) -> String {
        let Some(choice) = &self.chosen else {
            return self.confirmation().map_or(String::new(), |told| format!("chosen    {told}\n"));
        };
        let Choice { parameters, work_group, ticks, microseconds: time, .. } = choice;
        let (label, reason) = (label(parameters), self.reason(choice, optimum));
        let (ticks, time) = (grouped(*ticks), microseconds(*time));
        format!(
            "chosen    {label}, {reason}\n          work group {work_group}: {ticks} ticks{time} by the evaluator\n"
        )
    }

    /// How many near ties there are among so many configurations that can run, and what they have in common.
    pub(super) fn lines(&self, feasible: u128) -> String {
        let Some(widest) = self.widest() else { return String::new() };
        let common = if widest.configurations > 1 { widest.in_words() } else { "the optimum alone".to_owned() };
        let mut text = format!("near      {}; within {} %: {common}\n", self.counts(feasible), widest.percent);
        if self.not_evaluated > 0 {
            let more = counted(self.not_evaluated as u64, "more configuration");
            let _ = writeln!(text, "          {more} could be near or among the best listed: not evaluated");
        }
        text
    }

    /// The near ties within each percentage, of so many configurations: `28 of 44 within 1 %, 35 within 2 %`.
    #[must_use]
    pub fn counts(&self, feasible: u128) -> String {
        let of = |place| if place == 0 { format!(" of {}", grouped_wide(feasible)) } else { String::new() };
        let count = |(place, within): (usize, &WithinReport)| {
            format!("{}{} within {} %", grouped(within.configurations as u64), of(place), within.percent)
        };
        self.within.iter().enumerate().map(count).collect::<Vec<_>>().join(", ")
    }

    /// The near ties that are described: those within the percentage that was asked for, else within the greatest.
    pub(super) fn widest(&self) -> Option<&WithinReport> {
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
pub(super) fn near_ties(near: Option<&NearReport>, percent: u32) -> String {
    let within = near.iter().flat_map(|near| &near.within).find(|one| one.percent == Percent::of(percent));
    within.map_or(String::new(), |within| grouped(within.configurations as u64))
}

/// How far a time is above another, in percent to two digits.
pub(super) fn above(ticks: u64, optimum: u64) -> String {
    let optimum = u128::from(optimum.max(1));
    let difference = u128::from(ticks).saturating_sub(optimum);
    let hundredths = (difference * 10_000 + optimum / 2) / optimum;
    match (difference, hundredths) {
        (1.., 0) => "< 0.01 %".to_owned(),
        _ => format!("{}.{:02} %", hundredths / 100, hundredths % 100),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_above_is_never_told_as_nothing() {
        let told = [(100, 100), (10_007, 10_000), (1_000_001, 1_000_000), (300, 200)];
        assert_eq!(told.map(|(ticks, optimum)| above(ticks, optimum)), ["0.00 %", "0.07 %", "< 0.01 %", "50.00 %"]);
        assert_eq!(above(u64::MAX, 0), "1844674407370955161400.00 %");
    }

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
        assert_eq!(near.choice_line(100), format!("chosen    the optimum, preferred by max A{missing}\n"));
        let choice =
            Choice { parameters: Values::new(), work_group: 4, tile: Values::new(), ticks: 101, microseconds: None };
        let told = "1.00 % above the proved optimum, preferred by max A";
        assert_eq!(near.reason(&choice, 100), format!("{told}{missing}"));
        near.chosen = Some(choice.clone());
        assert_eq!(near.confirmation(), None);
        assert!(
            near.lines(20)
                .ends_with("\n          4 more configurations could be near or among the best listed: not evaluated\n")
        );
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
