//! The second opinion beside an optimum (`recommended` in `schemas/result.json`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::near::ChoiceReport;
use super::tuning::{Optimum, Report};
use super::values::{Integers, Values};
use crate::compare::near::Recommended;
use crate::proof::Question;
use crate::space::Survey;
use crate::text::words::{above, label};
use crate::ticks::Ticks;

/// The criterion of the choice, in words.
const BY: &str = "the machine and the wave model together";

/// The configuration that neither the machine nor the wave model finds slow. With both times divided by the least such
/// time in the space, it has the least max(machine, wave^(3/5)); of equal ones the least time by the machine, then the
/// order of the space. Its time is the native evaluator's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct RecommendedReport {
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The number of work items of a group.
    pub work_group: u64,
    /// The parameters that form the tile, with their values.
    #[schemars(with = "Integers")]
    pub tile: Values,
    /// The time by the native evaluator, in ticks.
    pub ticks: Ticks,
    /// This time in microseconds.
    pub microseconds: Option<f64>,
    /// The wave model's time, divided by the least such time in the space.
    #[schemars(range(min = 1))]
    pub by_waves: f64,
}

impl RecommendedReport {
    /// The report of a second opinion, whose configuration is an entry of the survey.
    #[must_use]
    pub fn new(question: &Question, survey: &Survey, Recommended { pick, by_waves }: Recommended) -> Self {
        let ChoiceReport { parameters, work_group, tile, ticks, microseconds } =
            ChoiceReport::new(question, survey, pick);
        Self { parameters, work_group, tile, ticks, microseconds, by_waves }
    }

    /// The configuration and its distances from both models' least times, in words.
    #[must_use]
    pub fn in_words(&self, optimum: &Optimum) -> String {
        let waves = if self.by_waves > 1.0 {
            format!("within {:.2} % of the least time by the wave model", 100.0 * (self.by_waves - 1.0))
        } else {
            "the fastest by the wave model".to_owned()
        };
        if self.parameters == optimum.parameters {
            return format!("the optimum: {waves}");
        }
        let machine = if self.ticks == optimum.ticks {
            "as fast as the optimum by the machine".to_owned()
        } else {
            format!("within {} of the optimum by the machine", above(self.ticks.get(), optimum.ticks.get()))
        };
        format!("{}: {machine}, {waves}", label(&self.parameters))
    }
}

impl Report {
    /// The result whose choice is the recommended configuration; `None` if it does not have one.
    #[must_use]
    pub fn choosing_recommended(mut self) -> Option<Self> {
        let RecommendedReport { parameters, work_group, tile, ticks, microseconds, .. } = self.recommended.clone()?;
        let near = self.near.as_mut()?;
        let is_optimum = self.optimum.as_ref()?.parameters == parameters;
        near.chosen = (!is_optimum).then_some(ChoiceReport { parameters, work_group, tile, ticks, microseconds });
        near.chosen_by = Some(BY.to_owned());
        near.asked = None;
        Some(self)
    }
}
