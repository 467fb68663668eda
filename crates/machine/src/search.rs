//! The search for the least time of any run, by questions to a checker about bounds. This module knows nothing of SPIN.
//!
//! T is the optimum if no run ends before T and a run ends before T + 1. Only a checker's answers move the bracket.

use std::fmt;

use autotune_base::index::CandidateId;
use autotune_base::ticks::Ticks;

/// A checker that answers whether a run ends before a bound.
pub trait Checker {
    /// The reason why an answer is missing.
    type Error;

    /// Looks for a run that ends before `probe.bound`.
    ///
    /// # Errors
    /// If the checker was stopped or failed.
    fn check(&mut self, probe: Probe) -> Result<BoundCheck, Self::Error>;
}

/// A checker's answer about a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundCheck {
    /// A run that ends before the bound.
    Witness(Witness),
    /// The property holds: every run ends at the bound or later.
    Holds,
}

/// A run that ends before a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Witness {
    /// The candidate that was run.
    pub candidate: CandidateId,
    /// The end of the run, in ticks.
    pub ticks: Ticks,
}

/// The interval that is known to hold the optimum while the search goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bracket {
    /// A lower bound in ticks: no run ends before it.
    pub lower: Ticks,
    /// An upper bound in ticks: a run ends at it.
    pub upper: Ticks,
}

impl Bracket {
    /// The number of ticks between the two bounds.
    fn width(&self) -> u64 {
        self.upper.get() - self.lower.get()
    }
}

/// A question to a checker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe {
    /// The bound, in ticks: does a run end before it?
    pub bound: Ticks,
    /// The bracket before this probe.
    pub bracket: Bracket,
    /// The probe's number, from 1.
    pub number: u32,
    /// The greatest number of probes that the search may need.
    pub most: u32,
}

/// An end of a search without the optimum.
#[derive(Debug)]
pub enum Unfinished<E> {
    /// The checker did not answer; the interval is still open.
    NoAnswer {
        /// The interval that holds the optimum.
        bracket: Bracket,
        /// The reason for the missing answer.
        error: E,
    },
    /// The checker contradicts the expected optimum: one of the two is wrong.
    Disagreement(Disagreement),
}

/// A checker's answer that contradicts an expected optimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disagreement {
    /// The optimum that was expected, in ticks.
    pub expected: Ticks,
    /// The run that the checker found instead; `None` if no run ends at the optimum or before it.
    pub found: Option<Witness>,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { expected, found } = self;
        match found {
            Some(Witness { ticks, .. }) => {
                write!(f, "the evaluator's optimum is {expected} ticks, the checker's {ticks}")
            }
            None => write!(f, "the evaluator's optimum is {expected} ticks, but no run of the model ends by then"),
        }
    }
}

/// Confirms a guess of the optimum, `bracket.upper`, with two answers: a run ends before `guess + 1`, and no run ends
/// before `guess`.
///
/// # Errors
/// If the checker does not answer, or its answer contradicts the guess.
pub fn confirm<C: Checker>(checker: &mut C, bracket: Bracket) -> Result<Witness, Unfinished<C::Error>> {
    let guess = bracket.upper;
    let no_answer = |error| Unfinished::NoAnswer { bracket, error };
    let witness = match checker.check(Probe { bound: guess.after(), bracket, number: 1, most: 2 }).map_err(no_answer)? {
        BoundCheck::Witness(witness) if witness.ticks == guess => witness,
        BoundCheck::Witness(found) => return disagreement(guess, Some(found)),
        BoundCheck::Holds => return disagreement(guess, None),
    };
    match checker.check(Probe { bound: guess, bracket, number: 2, most: 2 }).map_err(no_answer)? {
        BoundCheck::Holds => Ok(witness),
        BoundCheck::Witness(found) => disagreement(guess, Some(found)),
    }
}

fn disagreement<T, E>(expected: Ticks, found: Option<Witness>) -> Result<T, Unfinished<E>> {
    Err(Unfinished::Disagreement(Disagreement { expected, found }))
}

/// Halves the bracket until one time is left. `bracket.upper` must be the time of a run.
///
/// The last two answers prove the optimum T: a run ends before T + 1, and no run ends before T.
///
/// # Errors
/// If the checker does not answer, or answers with a run that does not end before its bound.
pub fn bisect<C: Checker>(checker: &mut C, mut bracket: Bracket) -> Result<Witness, Unfinished<C::Error>> {
    let mut number = 0;
    let mut check = |bound, bracket: Bracket| {
        number += 1;
        let most = number + bracket.width().checked_ilog2().map_or(0, |bits| bits + 1) + 1;
        checker.check(Probe { bound, bracket, number, most }).map_err(|error| Unfinished::NoAnswer { bracket, error })
    };
    let mut proved = None;
    while bracket.lower < bracket.upper {
        let middle = Ticks::new(bracket.lower.get() + bracket.width() / 2);
        match check(middle.after(), bracket)? {
            BoundCheck::Witness(found) if (bracket.lower..=middle).contains(&found.ticks) => {
                bracket.upper = found.ticks;
            }
            BoundCheck::Witness(found) => return disagreement(middle, Some(found)),
            BoundCheck::Holds => {
                bracket.lower = middle.after();
                proved = Some(bracket.lower);
            }
        }
    }
    let optimum = bracket.upper;
    if proved != Some(optimum)
        && let BoundCheck::Witness(found) = check(optimum, bracket)?
    {
        return disagreement(optimum, Some(found));
    }
    match check(optimum.after(), bracket)? {
        BoundCheck::Witness(witness) if witness.ticks == optimum => Ok(witness),
        BoundCheck::Witness(found) => disagreement(optimum, Some(found)),
        BoundCheck::Holds => disagreement(optimum, None),
    }
}

#[cfg(test)]
mod tests;
