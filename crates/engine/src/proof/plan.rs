//! The expected cost of a question, without SPIN.

use super::TuningError;
use super::candidates::{Candidates, Tables};
use super::cost_estimate::CostEstimate;
use super::question::Question;
use autotune_base::limits::Limits;
use autotune_lowering::space::{estimate, known_survey};

/// The size of a proof and its expected cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// The number of configurations in the domains.
    pub all: u128,
    /// The number of feasible configurations.
    pub feasible: u128,
    /// The number of programs that SPIN would search: different ones that no lower bound excludes.
    pub searched: usize,
    /// The number of models that hold them.
    pub models: usize,
    /// The expected cost of their searches; `None` if no configuration is feasible.
    pub expected_cost: Option<CostEstimate>,
}

impl Plan {
    /// The plan of two proofs, one after the other.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let costs = self.expected_cost.into_iter().chain(other.expected_cost);
        Self {
            all: self.all + other.all,
            feasible: self.feasible + other.feasible,
            searched: self.searched + other.searched,
            models: self.models + other.models,
            expected_cost: costs.reduce(CostEstimate::and),
        }
    }
}

/// Plans a proof by doing everything but SPIN's part; `None` if a limit was reached first.
///
/// # Errors
/// If the question cannot be answered.
pub fn plan(question: &Question, limits: &Limits) -> Result<Option<Plan>, TuningError> {
    let Some(survey) = known_survey(question.spec, question.profile, question.reader, question.only, limits)? else {
        return Ok(None);
    };
    let estimates = estimate(question.spec, &survey, question.pruning(), limits)?;
    if estimates.stopped {
        return Ok(None);
    }
    let mut plan = Plan { all: survey.all, feasible: survey.feasible(), searched: 0, models: 0, expected_cost: None };
    if !survey.programs.is_empty() {
        let candidates = Candidates::new(question, &survey, &estimates);
        let models = candidates.models(question, Tables::File)?;
        plan.searched = candidates.programs.len();
        plan.models = models.len();
        plan.expected_cost = Some(candidates.expected_cost(&models));
    }
    Ok(Some(plan))
}
