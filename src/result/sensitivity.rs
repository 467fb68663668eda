//! The sensitivity of an optimum to the values of the GPU's profile (`sensitivity` in `schemas/result.json`).

use num_traits::ToPrimitive;
use serde::{Deserialize, Serialize};

use super::values::{Values, values};
use autotune_base::ticks::Ticks;
use autotune_engine::compare::sensitivity::{Overtaken, Sensitivity};
use autotune_engine::proof::Question;
use autotune_lowering::space::Survey;

/// The most changes that are named.
const NAMED: usize = 3;

/// The optimum under profiles with one changed value, by the native evaluator: each rate, latency and clock of the profile
/// is multiplied by 0.8 and by 1.25, one at a time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct SensitivityReport {
    /// The number of changes that were tried.
    pub tried: usize,
    /// The changes that let another configuration be faster than the optimum: those of assumed values
    /// first, and otherwise the greatest loss first.
    pub overtaken: Vec<OvertakenReport>,
}

/// A change of a profile's value that lets another configuration be the fastest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct OvertakenReport {
    /// The key of the profile's value.
    pub value: String,
    /// True if the profile assumes the value.
    pub assumed: bool,
    /// The factor, 0.8 or 1.25.
    pub factor: f64,
    /// The optimum's time with the changed value, in ticks.
    pub ticks: Ticks,
    /// The configuration that is the fastest with the changed value; of several the first in the space's order.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub fastest: Values,
    /// The time of `fastest` with the changed value, in ticks.
    pub least: Ticks,
}

impl SensitivityReport {
    /// The report of an optimum's sensitivity.
    #[must_use]
    pub fn new(question: &Question, survey: &Survey, sensitivity: &Sensitivity) -> Self {
        let overtaken = |change: &Overtaken| OvertakenReport {
            value: change.key.to_owned(),
            assumed: change.is_assumed,
            factor: change.factor.to_f64().unwrap_or(f64::NAN),
            ticks: change.ticks,
            fastest: values(question.spec, &survey.entries.get(change.fastest).configuration),
            least: change.least,
        };
        Self { tried: sensitivity.tried, overtaken: sensitivity.overtaken.iter().map(overtaken).collect() }
    }

    /// The sensitivity as a sentence without its subject, which is the optimum, and without its full stop.
    #[must_use]
    pub fn in_words(&self) -> String {
        let Self { tried, overtaken } = self;
        let robust =
            format!("optimal with any one rate, latency or clock of the profile times 0.8 or 1.25 ({tried} tried)");
        let named: Vec<String> = overtaken.iter().take(NAMED).map(OvertakenReport::in_words).collect();
        let more = match overtaken.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        if named.is_empty() { robust } else { format!("{robust}, except {}{more}", named.join("; ")) }
    }
}

impl OvertakenReport {
    fn in_words(&self) -> String {
        let Self { value, assumed, factor, ticks, least, .. } = self;
        let assumed = if *assumed { " (assumed)" } else { "" };
        let slower = 100.0 * (ticks.to_f64() / least.to_f64() - 1.0);
        let slower = if slower < 0.1 { "less than 0.1".to_owned() } else { format!("{slower:.1}") };
        format!("{value}{assumed} times {factor}: {slower} % slower then")
    }
}
