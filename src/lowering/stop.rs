//! Why the lowering of a configuration stops.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::machine::ProgramError;
use crate::spec::{EvaluationError, SpecError};
use crate::text::{Place, Source};

/// Why a configuration has no program, though nothing says that the GPU refuses it.
#[derive(Debug, Error)]
pub enum LoweringError {
    /// A `let` of the spec has no value.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An expression of the spec has no value.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// A statement of the spec cannot be lowered.
    #[error("{}", spec.frame(&problem.to_string(), *place, problem.values()))]
    InSpec {
        /// Why.
        problem: LoweringProblem,
        /// Where the statement stands.
        place: Place,
        /// In which text.
        spec: Arc<Source>,
    },
    /// The program is none of the abstract machine's.
    #[error(transparent)]
    Program(#[from] ProgramError),
}

impl LoweringError {
    /// The file and the place that it is about, where there is one.
    #[must_use]
    pub fn place(&self) -> Option<(String, Place)> {
        match self {
            Self::Spec(error) => error.place(),
            Self::Evaluation(error) => Some(error.place()),
            Self::InSpec { place, spec, .. } => Some((spec.name().to_owned(), *place)),
            Self::Program(_) => None,
        }
    }

    /// How to mend it.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Spec(error) => error.help(),
            Self::InSpec { problem, .. } => problem.help().map(str::to_owned),
            _ => None,
        }
    }
}

/// What is wrong with a statement, for one configuration.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LoweringProblem {
    /// Not all work items of the group would arrive at it.
    #[error("a barrier in a divergent branch is undefined: not all work items of the group reach it")]
    DivergentBarrier,
    /// More bytes than any machine moves at a time.
    #[error("an access of one work item has {bytes} bytes, more than {most}")]
    Width {
        /// Of one access.
        bytes: u64,
        /// How many there may be.
        most: u64,
    },
    /// Neighbours too far apart.
    #[error("neighbours are {bytes} bytes apart, more than {most}")]
    Stride {
        /// Between neighbours.
        bytes: u64,
        /// How many there may be.
        most: u64,
    },
    /// An element that the array has not got.
    #[error("{0}")]
    Outside(Box<Outside>),
    /// More work items than a group has.
    #[error("{items} work items of a group do this, and a group has {group}")]
    Items {
        /// Work items that do it.
        items: u64,
        /// Work items of a group.
        group: u64,
        /// The names in the expression and their values.
        values: String,
    },
    /// Local arrays that do not fit the stated size.
    #[error("the local arrays have {needed} bytes ({arrays}), and `local_memory` states {available}")]
    LocalArrays {
        /// Bytes of all arrays.
        needed: u64,
        /// Bytes that the spec states.
        available: u64,
        /// Each array and its bytes.
        arrays: String,
        /// The names in the stated size and their values.
        values: String,
    },
    /// More unique bytes than bytes.
    #[error("a footprint of {stated} bytes, and the accesses ask for {asked} at most")]
    Footprint {
        /// Unique bytes, as the spec states them.
        stated: u64,
        /// Bytes that the same accesses ask for, whole sectors, rounded down.
        asked: u64,
        /// The names in the expression and their values.
        values: String,
    },
    /// A cost beyond the numbers of a program.
    #[error("what is done here takes more than 2^31 - 1 ticks at a time, or its exact cost needs more than 128 bits")]
    TooMuch,
}

/// A subscript that leaves its array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outside {
    /// The subscript, as the spec writes it.
    pub subscript: String,
    /// The element that it reaches along its axis.
    pub reaches: i128,
    /// Elements of the array along this axis.
    pub extent: i128,
    /// The same, as the spec writes it.
    pub shape: String,
    /// Ids and counters that lead there: `lx = 3, t = 7`.
    pub at: String,
    /// The names in the subscript and their values.
    pub values: String,
    /// Whether only some work items need be inside, and none is.
    pub guarded: bool,
}

impl fmt::Display for Outside {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subscript, reaches, extent, shape, at, guarded, .. } = self;
        let with = if at.is_empty() { String::new() } else { format!(", with {at}") };
        let who = if *guarded { "no work item stays inside: " } else { "" };
        write!(formatter, "{who}`{subscript}` reaches element {reaches} of 0 to {} (`shape` {shape}){with}", extent - 1)
    }
}

impl LoweringProblem {
    /// The names of the spec that led to it and their values; empty where there are none.
    fn values(&self) -> &str {
        match self {
            Self::Outside(outside) => &outside.values,
            Self::Items { values, .. } | Self::LocalArrays { values, .. } | Self::Footprint { values, .. } => values,
            Self::DivergentBarrier | Self::Width { .. } | Self::Stride { .. } | Self::TooMuch => "",
        }
    }

    /// How to mend it, where that can be said.
    fn help(&self) -> Option<&'static str> {
        match self {
            Self::Outside(outside) if outside.guarded => Some("mend `index` or `shape`"),
            Self::Outside(_) => {
                Some("where the kernel skips such work items, say `guarded: true`; else mend `index` or `shape`")
            }
            Self::Items { .. } => Some("`items` are work items of one group, the first in lane order: at most all"),
            Self::LocalArrays { .. } => Some("leave `local_memory` out: it is the sum of the local arrays then"),
            Self::Footprint { .. } => {
                Some("a footprint counts each byte once, so it is at most what the accesses ask for")
            }
            _ => None,
        }
    }
}

/// As [`LoweringError`], before it is known in which spec.
#[derive(Debug)]
pub(crate) enum Stop {
    Evaluation(EvaluationError),
    At(Place, LoweringProblem),
    Program(ProgramError),
}

impl Stop {
    pub(crate) fn in_spec(self, spec: &Arc<Source>) -> LoweringError {
        match self {
            Self::Evaluation(error) => error.into(),
            Self::Program(error) => error.into(),
            Self::At(place, problem) => LoweringError::InSpec { problem, place, spec: Arc::clone(spec) },
        }
    }
}

impl From<ProgramError> for Stop {
    fn from(error: ProgramError) -> Self {
        Self::Program(error)
    }
}

impl From<EvaluationError> for Stop {
    fn from(error: EvaluationError) -> Self {
        Self::Evaluation(error)
    }
}
