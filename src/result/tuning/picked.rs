//! The recommended configuration as the choice of a result.

use super::Report;
use crate::result::{ChoiceReport, RecommendedReport};

/// The criterion of the choice, in words.
const BY: &str = "the machine and the wave model together";

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
