//! The lines about the near ties of an optimum.

use std::fmt::Write;

use crate::result::{ChoiceReport, NearReport, WithinReport};
use autotune_base::text::words::{counted, grouped, label, microseconds};
use autotune_base::ticks::Ticks;

/// Returns the lines that name the choice among the near ties; empty if no preference made a choice. `optimum` is its
/// time in ticks.
pub(super) fn choice_line(near: &NearReport, optimum: Ticks) -> String {
    let Some(choice) = &near.chosen else {
        return near.confirmation().map_or(String::new(), |told| format!("chosen    {told}\n"));
    };
    let ChoiceReport { parameters, work_group, ticks, microseconds: time, .. } = choice;
    let (label, reason) = (label(parameters), near.reason(choice, optimum));
    let (ticks, time) = (grouped(*ticks), microseconds(*time));
    format!("chosen    {label}, {reason}\n          work group {work_group}: {ticks} ticks{time} by the evaluator\n")
}

/// Returns the number of near ties among `feasible` configurations, and their common values.
pub(super) fn lines(near: &NearReport, feasible: u128) -> String {
    let Some(widest) = near.widest() else { return String::new() };
    let common = if widest.configurations > 1 { widest.in_words() } else { "the optimum only".to_owned() };
    let mut text = format!("near ties {}; within {} %: {common}\n", counts(near, feasible), widest.percent);
    if near.not_evaluated > 0 {
        let more = counted(near.not_evaluated as u64, "more configuration");
        let _ = writeln!(text, "          {more} could be near or among the best listed: not evaluated");
    }
    text
}

/// Returns the number of near ties within each percentage, as `28 of 44 within 1 %, 35 within 2 %`.
fn counts(near: &NearReport, feasible: u128) -> String {
    let of = |place| if place == 0 { format!(" of {}", grouped(feasible)) } else { String::new() };
    let count = |(place, within): (usize, &WithinReport)| {
        format!("{}{} within {} %", grouped(within.configurations as u64), of(place), within.percent)
    };
    near.within.iter().enumerate().map(count).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_engine::proof::Percent;

    #[test]
    fn what_is_not_evaluated_is_told_below_the_near_ties() {
        let within =
            WithinReport { percent: Percent::whole(2), configurations: 9, not_evaluated: 3, parameters: Vec::new() };
        let near = NearReport {
            within: vec![within],
            best: Vec::new(),
            not_evaluated: 4,
            prefer: vec!["max A".to_owned()],
            asked: Some(Percent::whole(2)),
            chosen: None,
            chosen_by: Some("max A".to_owned()),
            optimum_by: None,
        };
        let missing = "; 3 more that may be within 2 % were not evaluated";
        assert_eq!(
            choice_line(&near, Ticks::new(100)),
            format!("chosen    the optimum, preferred by max A{missing}\n")
        );
        let told = lines(&near, 20);
        assert!(told.starts_with("near ties 9 of 20 within 2 %; within 2 %: "), "{told}");
        assert!(
            told.ends_with("\n          4 more configurations could be near or among the best listed: not evaluated\n")
        );
    }
}
