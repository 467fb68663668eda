//! The least time of any run, found by asking a checker about bounds. Knows nothing of SPIN.
//!
//! T is the optimum when no run ends before T and one ends before T + 1. Only a checker's answers move the bracket.

use std::fmt;

/// Answers whether a run ends before a bound.
pub trait Checker {
    /// Why there is no answer.
    type Error;

    /// Looks for a run that ends before `probe.bound`.
    ///
    /// # Errors
    /// There is no answer: the search was stopped, or failed.
    fn check(&mut self, probe: Probe) -> Result<Answer, Self::Error>;
}

/// What a checker says about a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// This run ends before the bound.
    Witness(Witness),
    /// No run does: the property holds.
    Holds,
}

/// A run that ends before a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Witness {
    /// The candidate that was run, by its number in the question.
    pub candidate: usize,
    /// When it ended, in ticks.
    pub ticks: u64,
}

/// What is known of the optimum while the search goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bracket {
    /// No run ends before this.
    pub lower: u64,
    /// A run ends then.
    pub upper: u64,
}

/// A question to a checker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Probe {
    /// The bound.
    pub bound: u64,
    /// What is known before it.
    pub bracket: Bracket,
    /// Its number, from 1.
    pub number: u32,
    /// The greatest number of probes that may be needed.
    pub most: u32,
}

/// How a search ended without the optimum.
#[derive(Debug)]
pub enum Unfinished<E> {
    /// The checker gave no answer; this interval is still open.
    NoAnswer {
        /// What is known.
        bracket: Bracket,
        /// Why there is no more.
        error: E,
    },
    /// The checker and the guess disagree: one of them is wrong.
    Disagreement(Disagreement),
}

/// The checker's answer to a guess that it does not confirm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disagreement {
    /// The optimum that was expected.
    pub expected: u64,
    /// The run that the checker has instead; none if no run ends by then.
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

/// Confirms a guess of the optimum with two answers: a witness before `guess + 1`, none before `guess`.
///
/// # Errors
/// No answer, or one that contradicts the guess.
pub fn confirm<C: Checker>(checker: &mut C, bracket: Bracket) -> Result<Witness, Unfinished<C::Error>> {
    let guess = bracket.upper;
    let no_answer = |error| Unfinished::NoAnswer { bracket, error };
    let witness = match checker.check(Probe { bound: guess + 1, bracket, number: 1, most: 2 }).map_err(no_answer)? {
        Answer::Witness(witness) if witness.ticks == guess => witness,
        Answer::Witness(found) => return disagreement(guess, Some(found)),
        Answer::Holds => return disagreement(guess, None),
    };
    match checker.check(Probe { bound: guess, bracket, number: 2, most: 2 }).map_err(no_answer)? {
        Answer::Holds => Ok(witness),
        Answer::Witness(found) => disagreement(guess, Some(found)),
    }
}

fn disagreement<T, E>(expected: u64, found: Option<Witness>) -> Result<T, Unfinished<E>> {
    Err(Unfinished::Disagreement(Disagreement { expected, found }))
}

/// Halves the bracket until one time is left. `bracket.upper` must be the time of a run.
///
/// The last two answers are those that prove the optimum: a witness before T + 1, and none before T.
///
/// # Errors
/// No answer, or a run after its own bound.
pub fn bisect<C: Checker>(checker: &mut C, mut bracket: Bracket) -> Result<Witness, Unfinished<C::Error>> {
    let mut number = 0;
    let mut check = |bound, bracket: Bracket| {
        number += 1;
        let most = number + (bracket.upper - bracket.lower).checked_ilog2().map_or(0, |bits| bits + 1) + 1;
        checker.check(Probe { bound, bracket, number, most }).map_err(|error| Unfinished::NoAnswer { bracket, error })
    };
    let mut proved = None;
    while bracket.lower < bracket.upper {
        let middle = bracket.lower + (bracket.upper - bracket.lower) / 2;
        match check(middle + 1, bracket)? {
            Answer::Witness(found) if (bracket.lower..=middle).contains(&found.ticks) => bracket.upper = found.ticks,
            Answer::Witness(found) => return disagreement(middle, Some(found)),
            Answer::Holds => {
                bracket.lower = middle + 1;
                proved = Some(bracket.lower);
            }
        }
    }
    let optimum = bracket.upper;
    if proved != Some(optimum)
        && let Answer::Witness(found) = check(optimum, bracket)?
    {
        return disagreement(optimum, Some(found));
    }
    match check(optimum + 1, bracket)? {
        Answer::Witness(witness) if witness.ticks == optimum => Ok(witness),
        Answer::Witness(found) => disagreement(optimum, Some(found)),
        Answer::Holds => disagreement(optimum, None),
    }
}

#[cfg(test)]
mod tests;
