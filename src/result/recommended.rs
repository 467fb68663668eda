//! The second opinion beside an optimum (`recommended` in `schemas/result.json`).

use serde::{Deserialize, Serialize};

use super::near::ChoiceReport;
use super::prediction::lacking;
use super::values::Values;
use autotune_base::text::words::{above, label};
use autotune_base::ticks::Ticks;
use autotune_engine::compare::near::Recommended;
use autotune_engine::proof::Question;
use autotune_lowering::models::predict::LeftOut;
use autotune_lowering::space::Survey;

/// The configuration that neither the machine nor the wave model finds slow. With both times divided by the least such
/// time in the space, it has the least max(machine, wave^(3/5)); of equal ones the least time by the machine, then the
/// order of the space. Its time is the native evaluator's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct RecommendedReport {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The number of work items of a group.
    pub work_group: u64,
    /// The parameters that form the tile, with their values.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub tile: Values,
    /// The time by the native evaluator, in ticks.
    pub ticks: Ticks,
    /// This time in microseconds.
    pub microseconds: Option<f64>,
    /// The wave model's time, divided by the least such time in the space.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub by_waves: f64,
    /// The terms of the wave model that a configuration of the space needs but the GPU's profile lacks; empty in results of
    /// earlier versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
}

impl RecommendedReport {
    /// The report of a second opinion, whose configuration is an entry of the survey.
    #[must_use]
    pub fn new(question: &Question, survey: &Survey, Recommended { pick, by_waves }: Recommended) -> Self {
        let ChoiceReport { parameters, work_group, tile, ticks, microseconds } =
            ChoiceReport::new(question, survey, pick);
        let left_out = survey.waves_lack.iter().copied().collect();
        Self { parameters, work_group, tile, ticks, microseconds, by_waves, left_out }
    }

    /// The terms of the wave model that the GPU's profile lacks, in words; `None` if it lacks none.
    #[must_use]
    pub fn without(&self) -> Option<String> {
        lacking(&self.left_out)
    }

    /// The configuration and its distances from both models' least times, in words. `optimum` are the optimum's parameters, and
    /// `ticks` its time.
    #[must_use]
    pub fn in_words(&self, optimum: &Values, ticks: Ticks) -> String {
        let waves = if self.by_waves > 1.0 {
            format!("within {:.2} % of the least time by the wave model", 100.0 * (self.by_waves - 1.0))
        } else {
            "the fastest by the wave model".to_owned()
        };
        if self.parameters == *optimum {
            return format!("the optimum: {waves}");
        }
        let machine = if self.ticks == ticks {
            "as fast as the optimum by the machine".to_owned()
        } else {
            format!("within {} of the optimum by the machine", above(self.ticks.get(), ticks.get()))
        };
        format!("{}: {machine}, {waves}", label(&self.parameters))
    }
}
