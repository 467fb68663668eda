//! Why the lowering of a configuration stops.

use std::sync::Arc;

use thiserror::Error;

use crate::machine::ProgramError;
use crate::spec::{EvaluationError, Place, Source, SpecError};

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
    #[error("{}", spec.frame(&problem.to_string(), *place, ""))]
    InSpec {
        /// Why.
        problem: Problem,
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
    /// How to mend it.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Spec(error) => error.help(),
            _ => None,
        }
    }
}

/// What is wrong with a statement, for one configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Problem {
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
    /// A cost beyond the numbers of a program.
    #[error("what is done here takes more than 2^31 - 1 ticks at a time, or its exact cost needs more than 128 bits")]
    TooMuch,
}

/// As [`LoweringError`], before it is known in which spec.
#[derive(Debug)]
pub(crate) enum Stop {
    Evaluation(EvaluationError),
    At(Place, Problem),
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
