//! The trust that predicted slowdowns deserve: how many were right, and how many were missed, on measured spaces.
//!
//! `ci/differences` writes the table for the measured spaces. Some of these ship with the project.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

const TABLE: &str = include_str!("precision.csv");

/// The set that stands for all sets.
const ALL: &str = "all";

/// The pairs of measured configurations of a space that differ in one parameter by one step.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct MeasuredPairs {
    /// The name of the space; `all` for all of them.
    pub set: String,
    /// The GPU; empty for all spaces.
    pub gpu: String,
    /// The number of pairs.
    pub pairs: u64,
    /// The pairs with a predicted slowdown of 20 % and more.
    pub warned: u64,
    /// The number of `warned` that were measured to be slower by 10 % and more.
    pub right: u64,
    /// The pairs with a measured slowdown from 20 % to 50 %.
    pub slower_20: u64,
    /// The number of `slower_20` with a predicted slowdown of 10 % and more.
    pub noticed_20: u64,
    /// The pairs with a measured slowdown above 50 %.
    pub slower_50: u64,
    /// The number of `slower_50` with a predicted slowdown of 20 % and more.
    pub noticed_50: u64,
    /// The median error of the predicted ratio of the two times.
    pub error: f64,
}

/// The precision of predicted slowdowns on measured spaces.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct PredictionPrecision {
    /// The number of pairs of measured configurations that differ in one parameter by one step.
    pub pairs: u64,
    /// The share of predicted slowdowns of 20 % and more that were measured to be slower by 10 % and more.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0, max = 1)))]
    pub precision: f64,
    /// The share of measured slowdowns from 20 % to 50 % with a predicted slowdown of 10 % and more.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0, max = 1)))]
    pub noticed_20: f64,
    /// The share of measured slowdowns above 50 % with a predicted slowdown of 20 % and more.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0, max = 1)))]
    pub noticed_50: f64,
    /// The median error of the predicted ratio of two times.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub error: f64,
}

/// The rows of all measured spaces; the last one is of all of them together.
#[must_use]
pub fn measured_pairs() -> &'static [MeasuredPairs] {
    static SPACES: LazyLock<Vec<MeasuredPairs>> = LazyLock::new(|| {
        let rows = csv::Reader::from_reader(TABLE.as_bytes()).into_deserialize();
        rows.collect::<Result<_, _>>().expect("the table is part of the program and tested")
    });
    &SPACES
}

impl PredictionPrecision {
    /// The precision over all measured spaces.
    #[must_use]
    pub fn measured() -> Self {
        static ROW: LazyLock<&MeasuredPairs> =
            LazyLock::new(|| measured_pairs().iter().find(|one| one.set == ALL).expect("a row is of all sets"));
        let all = *ROW;
        let share = |part: u64, whole: u64| hundredths(part, whole) / 100.0;
        Self {
            pairs: all.pairs,
            precision: share(all.right, all.warned),
            noticed_20: share(all.noticed_20, all.slower_20),
            noticed_50: share(all.noticed_50, all.slower_50),
            error: all.error,
        }
    }
}

/// A part of a whole in hundredths, rounded; 0 of nothing.
fn hundredths(part: u64, whole: u64) -> f64 {
    let hundredths = (part * 100 + whole / 2).checked_div(whole).unwrap_or(0);
    super::counts::real(hundredths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_row_is_the_sum_of_all_spaces() {
        let (all, spaces) = measured_pairs().split_last().unwrap();
        assert_eq!(all.set, ALL);
        let counts = |of: &MeasuredPairs| {
            [of.pairs, of.warned, of.right, of.slower_20, of.noticed_20, of.slower_50, of.noticed_50]
        };
        for (place, sum) in counts(all).into_iter().enumerate() {
            assert_eq!(sum, spaces.iter().map(|space| counts(space)[place]).sum::<u64>(), "column {place}");
        }
        let PredictionPrecision { precision, noticed_20, noticed_50, error, .. } = PredictionPrecision::measured();
        assert!([precision, noticed_20, noticed_50].iter().all(|share| (0.0..=1.0).contains(share)) && error < 1.0);
    }
}
