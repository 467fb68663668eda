//! The sensitivity of an optimum: the values of the GPU's profile that its first place depends on.
//!
//! Each rate and latency of the profile is multiplied by 4/5 and by 5/4, one at a time. A change keeps the statements of
//! all programs. Either no cost falls, or those that the value is a part of fall by a fifth at most. So the bounds of the
//! space's programs, or those of programs with eased costs, exclude most configurations. The rivals that are left are
//! lowered with the changed profile.
//!
//! The work is limited by an estimate that depends on the question alone: a result depends only on its inputs.

mod allowance;
mod bounded;
mod change;
mod eased;
mod outcome;

use rayon::prelude::*;

use super::near::Near;
use crate::proof::{Answer, Finding, Question};
use allowance::Allowance;
use autotune_lowering::gpu::Profile;
use bounded::Bounded;
use change::Change;
use outcome::Outcome;

pub use outcome::Overtaken;

/// An optimum under profiles with one changed value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sensitivity {
    /// The number of changes that were tried.
    pub tried: usize,
    /// The changes that let another configuration be faster: those of assumed values first, and otherwise the greatest
    /// loss first.
    pub overtaken: Vec<Overtaken>,
}

/// Changes each value of the profile, one at a time. `None` without a proof, on a lockstep GPU, for a single
/// configuration, or if the changes are expected to take more than a tenth of the proof.
#[must_use]
pub fn sensitivity(question: &Question, answer: &Answer, near: &Near) -> Option<Sensitivity> {
    let (Finding::Proved { proof, .. }, Some(survey)) = (&answer.finding, &answer.survey) else { return None };
    within(question, answer, near, Allowance::new(question, survey, &answer.estimates, proof.form))
}

/// The sensitivity; `None` if it cannot be found within the allowance.
fn within(question: &Question, answer: &Answer, near: &Near, mut allowance: Allowance) -> Option<Sensitivity> {
    let (Profile::Pipelined(gpu), Some(survey)) = (question.profile, &answer.survey) else { return None };
    survey.runnable().nth(1)?;
    let all = Change::all(gpu);
    let tried = all.len();
    allowance.spend_on_bounds(survey.programs.len())?;
    let space = Bounded::new(question, survey, &answer.estimates, near);
    let changes: Vec<Change> = all.into_iter().filter(|change| space.is_touched(change.value.part_of)).collect();
    allowance.spend_on_lowerings(changes.len())?;
    let own: Vec<Option<u64>> = changes.par_iter().map(|change| space.own(change)).collect();
    let own: Vec<u64> = own.into_iter().collect::<Option<_>>()?;
    let rivals = |(change, own): (&Change, &u64)| space.rivals(change, *own).count();
    allowance.spend_on_lowerings(changes.iter().zip(&own).map(rivals).sum())?;
    let outcomes: Vec<Option<Outcome>> =
        changes.par_iter().zip(&own).map(|(change, own)| space.outcome(change, *own)).collect();
    let outcomes: Vec<Outcome> = outcomes.into_iter().collect::<Option<_>>()?;
    let mut overtaken: Vec<Overtaken> = outcomes.into_iter().filter_map(|Outcome(overtaken)| overtaken).collect();
    overtaken.sort_by(|one, other| {
        let assumed_first = other.is_assumed.cmp(&one.is_assumed);
        // The greater quotient of ticks and least first.
        let (left, right) =
            (u128::from(other.ticks) * u128::from(one.least), u128::from(one.ticks) * u128::from(other.least));
        assumed_first.then(left.cmp(&right))
    });
    Some(Sensitivity { tried, overtaken })
}

#[cfg(test)]
mod tests;
