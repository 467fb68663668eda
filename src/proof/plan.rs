//! What a question would cost, without asking SPIN.

use super::candidates::{Candidates, Tables};
use super::effort::Effort;
use super::{Question, TuningError};
use crate::limits::Limits;
use crate::space::{estimate, survey};

/// What a proof would search, and what it is expected to cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Configurations of the domains.
    pub all: u128,
    /// Those that can run.
    pub feasible: u128,
    /// Programs that SPIN would search: no lower bound excludes them, and none is another's.
    pub searched: usize,
    /// Models that hold them.
    pub models: usize,
    /// What their searches are expected to cost; none if nothing can run.
    pub effort: Option<Effort>,
}

/// Plans a proof: all is done but SPIN's part. None if a limit was reached first.
///
/// # Errors
/// What makes an answer impossible.
pub fn plan(question: &Question, limits: &Limits) -> Result<Option<Plan>, TuningError> {
    let Some(survey) = survey(question.spec, question.profile, question.only, limits)? else { return Ok(None) };
    let estimates = estimate(question.spec, &survey, question.pruning(), limits)?;
    if estimates.stopped {
        return Ok(None);
    }
    let mut plan = Plan { all: survey.all, feasible: survey.feasible(), searched: 0, models: 0, effort: None };
    if !survey.programs.is_empty() {
        let candidates = Candidates::new(question, &survey, &estimates);
        let models = candidates.models(question, Tables::File)?;
        plan.searched = candidates.programs.len();
        plan.models = models.len();
        plan.effort = Some(candidates.effort(&models));
    }
    Ok(Some(plan))
}
