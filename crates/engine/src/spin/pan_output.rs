//! The reader of pan's output: decides the verdict of a search.
//!
//! pan exits with 0 for proof, counterexample and truncated search alike, so its text is the only evidence:
//!
//! ```text
//! autotune: configuration 3 DONE at 0 * 2^30 + 9408        a print of the model
//! pan:1: assertion violated (finished==warps) (at depth 9)   the reason of an error
//! pan: wrote model.pml.trail
//! error: max search depth too small                          the depth limit cut the search
//! pan: reached -DMEMLIM bound                                the memory limit did
//! pan: error, VECTORSZ too small, recompile …                the state-vector limit did, in the middle of a run
//!
//! (Spin Version 6.5.2 -- 6 December 2019)
//! Warning: Search not completed
//! Full statespace search for:                                or "Bit statespace", "Hash-Compact"
//!         never claim             + (optimum)                or "- (not selected)"
//!         invalid end states      +                          or "- (disabled by never claim)"
//! State-vector 28 byte, depth reached 27, errors: 1
//!        21 states, stored
//!   130.000    total actual memory usage
//! pan: elapsed time 0.02 seconds
//! ```
//!
//! A line that is not understood, or that contradicts another, is an error and never a verdict. This module neither
//! starts processes nor prints.

use std::sync::LazyLock;

use regex::Regex;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use autotune_base::index::SpinIndex;

/// The content of one complete output of pan.
#[derive(Debug, Clone, PartialEq)]
pub struct PanOutput {
    /// The verdict about the property that was searched.
    pub verdict: PanVerdict,
    /// The size of the search.
    pub statistics: Statistics,
    /// The ends of runs that the model printed, in the order of printing.
    pub ends: Vec<End>,
}

/// The verdict of a search.
#[derive(Debug, Clone, PartialEq)]
pub enum PanVerdict {
    /// The whole state space was searched without an error.
    Exhausted,
    /// The claim is violated.
    ClaimViolated {
        /// The number of violations; one run may count several times.
        errors: u64,
    },
    /// The model itself is wrong.
    ModelError(ModelFault),
    /// The search was cut short: it is not evidence about the model.
    Inconclusive(Cut),
}

/// An error that is not a violation of the claim.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ModelFault {
    /// A violated assertion of the model, as pan prints it.
    #[error("the model's assertion `{0}` is violated")]
    Assertion(String),
    /// A run that stops in a state that is not an end state.
    #[error("a run of the model gets stuck (invalid end state)")]
    InvalidEndState,
    /// Any other error that pan reports.
    #[error("pan reports `{0}`")]
    Other(String),
}

/// A reason why a search was cut short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Cut {
    /// The limit `-m` was too small.
    #[error("the depth limit of the search was too small")]
    Depth,
    /// The limit `-DMEMLIM` was reached.
    #[error("the memory limit of the search was reached")]
    Memory,
    /// The size `-DVECTORSZ` was too small.
    #[error("the state vector was too small")]
    VectorSize,
    /// The search was not exhaustive by design.
    #[error("the search was not exhaustive (bit-state or hash-compact)")]
    Approximate,
    /// The search was stopped from outside.
    #[error("the search was stopped before its end")]
    Stopped,
}

/// A property of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// No configuration ends before MT; the only property of its model.
    Optimum,
    /// No behaviour ends before MT.
    Least,
    /// No behaviour ends after MT.
    Greatest,
}

impl Claim {
    /// The property's name in its model.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Optimum => "optimum",
            Self::Least => "least",
            Self::Greatest => "greatest",
        }
    }

    /// True if a run in DONE violates the property: if it ends on the wrong side of `bound`, in ticks.
    #[must_use]
    pub fn is_violated_by(self, end: &End, bound: u64) -> bool {
        end.done && if self == Self::Greatest { end.ticks > bound } else { end.ticks < bound }
    }
}

/// The errors that a search looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Searched {
    /// Violations of a claim.
    Claim(Claim),
    /// Invalid end states, without a claim.
    EndStates,
}

/// The size of a search.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Statistics {
    /// The number of stored states.
    pub states: u64,
    /// The steps of the longest path (`depth reached`).
    pub steps: u64,
    /// The total memory, in MiB.
    pub memory_mib: f64,
    /// The memory of the search stack, in MiB, including its copies of parts of states.
    pub stack_mib: f64,
}

/// The end of a run, as the model prints it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct End {
    /// The configuration.
    pub configuration: SpinIndex,
    /// True for DONE (the launch was over), false for CUT (the clock stopped at MT).
    pub done: bool,
    /// The time of the end, in ticks.
    pub ticks: u64,
}

/// Output of pan that is not understood.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotUnderstood {
    /// A line of an unknown kind.
    #[error("unknown line `{0}`")]
    Line(String),
    /// A part that must occur once, but is missing, repeated or unreadable.
    #[error("`{0}` is missing, repeated or unreadable")]
    Part(&'static str),
    /// Two parts that contradict each other.
    #[error("it contradicts itself: {0}")]
    Contradiction(&'static str),
    /// Too few stored states: a search of all configurations stores at least one state for each.
    #[error("it stored {states} states, although its model has {configurations} configurations")]
    TooFewStates {
        /// The number of stored states.
        states: u64,
        /// The number of the model's configurations.
        configurations: u64,
    },
}

/// All properties.
const CLAIMS: [Claim; 3] = [Claim::Optimum, Claim::Least, Claim::Greatest];

/// The begin of the violated claim `[] (DONE -> …)` as pan prints it, without blanks.
const CLAIM: &str = "!(!((!(DONE)||";

/// Reads the complete standard output of one search that was to look for `wanted`.
///
/// # Errors
/// [`NotUnderstood`] if there is any doubt about the output.
pub fn read(output: &str, wanted: Searched) -> Result<PanOutput, NotUnderstood> {
    let reasons = Reasons::read(output)?;
    only(output, "pan: elapsed time", &ELAPSED)?;
    let errors = number(&only(output, "State-vector … errors", &SUMMARY)?[2])?;
    let steps = number(&only(output, "depth reached", &SUMMARY)?[1])?;
    let statistics = Statistics {
        states: number(&only(output, "states, stored", &STATES)?[1])?,
        steps,
        memory_mib: decimal(&only(output, "total actual memory usage", &MEMORY)?[1])?,
        stack_mib: STACK.captures_iter(output).map(|mib| decimal(&mib[1])).sum::<Result<f64, _>>()?,
    };
    let verdict = reasons.verdict(output, errors)?;
    // A search that was stopped while it began has not printed what it looks for.
    if !matches!(verdict, PanVerdict::Inconclusive(_)) && searched(output)? != wanted {
        return Err(NotUnderstood::Contradiction("it did not search for the requested errors"));
    }
    Ok(PanOutput { verdict, statistics, ends: ends(output)? })
}

/// The ends of runs that a model printed in a search, a replay or a simulation.
///
/// # Errors
/// If a line begins like such an end but is not one.
pub fn ends(output: &str) -> Result<Vec<End>, NotUnderstood> {
    let lines = output.lines().map(str::trim).filter(|line| line.starts_with("autotune:"));
    lines
        .map(|line| {
            let parts = END.captures(line).ok_or_else(|| NotUnderstood::Line(line.to_owned()))?;
            let configuration =
                usize::try_from(number(&parts[1])?).map_err(|_| NotUnderstood::Part("configuration"))?.into();
            let (high, low) = (number(&parts[3])?, number(&parts[4])?);
            if high >= 1 << 30 || low >= 1 << 30 {
                return Err(NotUnderstood::Line(line.to_owned()));
            }
            Ok(End { configuration, done: &parts[2] == "DONE", ticks: (high << 30) + low })
        })
        .collect()
}

/// All reports of pan about errors and cuts, outside its summary.
struct Reasons<'a> {
    errors: Vec<&'a str>,
    depth: bool,
    memory: bool,
    vector: bool,
}

impl<'a> Reasons<'a> {
    fn read(output: &'a str) -> Result<Self, NotUnderstood> {
        let mut reasons = Self { errors: Vec::new(), depth: false, memory: false, vector: false };
        for line in output.lines() {
            if let Some(reason) = REASON.captures(line) {
                reasons.errors.push(reason.get(1).map_or("", |text| text.as_str()));
            } else if line == "error: max search depth too small" {
                reasons.depth = true;
            } else if line == "pan: reached -DMEMLIM bound" {
                reasons.memory = true;
            } else if line.starts_with("pan: error, VECTORSZ too small") {
                reasons.vector = true;
            } else if (line.starts_with("pan") || line.starts_with("error")) && !HARMLESS.is_match(line) {
                return Err(NotUnderstood::Line(line.to_owned()));
            }
        }
        Ok(reasons)
    }

    fn verdict(&self, output: &str, errors: u64) -> Result<PanVerdict, NotUnderstood> {
        let stopped = output.lines().any(|line| line == "Warning: Search not completed");
        if self.vector {
            return Ok(PanVerdict::Inconclusive(Cut::VectorSize));
        }
        if (errors == 0) != self.errors.is_empty() {
            return Err(NotUnderstood::Contradiction("the number of errors does not fit the reasons given"));
        }
        if let Some(fault) = self.errors.iter().find(|reason| !is_claim(reason)) {
            return Ok(if fault.starts_with("VECTORSZ is too small") {
                PanVerdict::Inconclusive(Cut::VectorSize)
            } else {
                PanVerdict::ModelError(fault_of(fault))
            });
        }
        // A violated claim is a fact even if the search was cut; its absence needs the whole search.
        Ok(if errors > 0 {
            PanVerdict::ClaimViolated { errors }
        } else if self.depth {
            PanVerdict::Inconclusive(Cut::Depth)
        } else if self.memory {
            PanVerdict::Inconclusive(Cut::Memory)
        } else if stopped {
            PanVerdict::Inconclusive(Cut::Stopped)
        } else if only(output, "… search for:", &HEADER)?[1] != *"Full statespace" {
            PanVerdict::Inconclusive(Cut::Approximate)
        } else {
            PanVerdict::Exhausted
        })
    }
}

fn is_claim(reason: &str) -> bool {
    let expression: String = reason.chars().filter(|c| !c.is_whitespace()).collect();
    expression.strip_prefix("assertionviolated").is_some_and(|expression| expression.starts_with(CLAIM))
}

fn fault_of(reason: &str) -> ModelFault {
    if reason == "invalid end state" {
        ModelFault::InvalidEndState
    } else if let Some(assertion) = reason.strip_prefix("assertion violated") {
        ModelFault::Assertion(assertion.trim().to_owned())
    } else {
        ModelFault::Other(reason.to_owned())
    }
}

fn searched(output: &str) -> Result<Searched, NotUnderstood> {
    let found = only(output, "never claim", &NEVER_CLAIM)?;
    let claim_text = &found[1];
    let end_states = &only(output, "invalid end states", &END_STATES)?[1];
    let of_claim =
        |claim: &Claim| claim_text.strip_prefix("+ (").and_then(|rest| rest.strip_suffix(')')) == Some(claim.name());
    match (CLAIMS.into_iter().find(of_claim), end_states) {
        (Some(claim), "- (disabled by never claim)") => Ok(Searched::Claim(claim)),
        (None, "+") if claim_text == "- (not selected)" => Ok(Searched::EndStates),
        _ => Err(NotUnderstood::Contradiction("neither the claim alone nor the end states alone were searched")),
    }
}

/// The match of a pattern that must match exactly once.
fn only<'t>(output: &'t str, part: &'static str, pattern: &Regex) -> Result<regex::Captures<'t>, NotUnderstood> {
    let mut matches = pattern.captures_iter(output);
    match (matches.next(), matches.next()) {
        (Some(found), None) => Ok(found),
        _ => Err(NotUnderstood::Part(part)),
    }
}

fn number(digits: &str) -> Result<u64, NotUnderstood> {
    digits.parse().map_err(|_| NotUnderstood::Part("number"))
}

fn decimal(digits: &str) -> Result<f64, NotUnderstood> {
    digits.parse().map_err(|_| NotUnderstood::Part("number"))
}

macro_rules! patterns {
    ($($name:ident = $pattern:literal;)*) => {
        $(static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($pattern).expect("the pattern is constant"));)*
    };
}

patterns! {
    REASON = r"^pan:\d+: (.+) \(at depth -?\d+\)$";
    HARMLESS = r"^pan: (ltl formula (least|greatest)$|wrote \S+\.trail$|elapsed time |rate +|resizing hashtable)";
    ELAPSED = r"(?m)^pan: elapsed time \S+ seconds$";
    SUMMARY = r"(?m)^State-vector \d+ byte, depth reached (\d+), errors: (\d+)$";
    HEADER = r"(?m)^(.+) search for:$";
    STATES = r"(?m)^ *(\d+) states, stored$";
    MEMORY = r"(?m)^ *([\d.]+)\ttotal actual memory usage$";
    STACK = r"(?m)^ *([\d.]+)\t(?:memory used for DFS stack \(-m\d+\)|other \(proc and chan stacks\))$";
    NEVER_CLAIM = r"(?m)^\tnever claim\s+\t([+-] \([^)]*\))$";
    END_STATES = r"(?m)^\tinvalid end states\t(\+|- \([^)]*\))$";
    END = r"^autotune: configuration (\d+) (DONE|CUT) at (\d+) \* 2\^30 \+ (\d+)$";
}

#[cfg(test)]
mod tests;
