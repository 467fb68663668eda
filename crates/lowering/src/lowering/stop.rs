//! The errors of lowering.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::lowering::launch::infeasible::Infeasible;
use crate::spec::{EvaluationError, Expression, Scope, SpecError};
use autotune_base::text::{Place, Source};
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_kernel::source::{AnalysisError, MatrixType, RefusalRule, SourcePlace, TracedKernel};
use autotune_machine::machine::{LONGEST, MOST_PENDING, ProgramError};

/// The reason why a configuration cannot be lowered, although the GPU does not refuse it.
#[derive(Debug, Error)]
pub enum LoweringError {
    /// A `let` of the spec cannot be evaluated.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// An expression of the spec cannot be evaluated.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// A statement of the spec cannot be lowered.
    #[error("{}", spec.frame(&problem.to_string(), *place, problem.values()))]
    InSpec {
        /// The problem with the statement.
        problem: LoweringProblem,
        /// The place of the statement.
        place: Place,
        /// The text of the spec.
        spec: Arc<Source>,
    },
    /// The program is beyond the limits of the abstract machine.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The kernel's source cannot be analysed.
    #[error("{}", why.shown().unwrap_or_else(|| spec.frame(&why.title(), *place, "")))]
    Source {
        /// The reason.
        why: Box<AnalysisError>,
        /// The place of `source` in the spec.
        place: Place,
        /// The text of the spec.
        spec: Arc<Source>,
    },
}

impl LoweringError {
    /// Each error of several that are found together; empty if it is one error.
    #[must_use]
    pub fn parts(&self) -> Vec<Self> {
        let Self::Source { why, place, spec } = self else { return Vec::new() };
        let parts = why.each();
        if parts.len() < 2 {
            return Vec::new();
        }
        let error = |why| Self::Source { why: Box::new(why), place: *place, spec: Arc::clone(spec) };
        parts.into_iter().map(error).collect()
    }

    /// True if a limit of the whole work or the user stopped the analysis of a source.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        matches!(self, Self::Source { why, .. } if why.is_stopped())
    }

    /// The reason in one line why it is not known whether the configuration can run: a limit, a signal or a lack of room
    /// ended the analysis of its source. `None` for any other error.
    #[must_use]
    pub fn unfinished(&self) -> Option<String> {
        match self {
            Self::Source { why, .. } if why.is_unfinished() => Some(why.line()),
            _ => None,
        }
    }

    /// The error, as that of a group that does not stand for all.
    pub(in crate::lowering) fn in_group(self, group: [u64; 3]) -> Self {
        match self {
            Self::Source { why, place, spec } => {
                Self::Source { why: Box::new(AnalysisError::InGroup { group, why }), place, spec }
            }
            other => other,
        }
    }

    /// The reason why the configuration is infeasible, which others of the spec may not be; `None` if the error is about the
    /// whole question, or it is not known whether the configuration can run.
    #[must_use]
    pub fn refusal(&self) -> Option<Infeasible> {
        let (rule, why) = match self {
            Self::Source { why, .. } => (why.refusal()?, why.line()),
            // The spec may have another name where a proof is repeated.
            Self::InSpec { problem, place, .. } => (problem.refusal()?, format!("spec:{place}: {problem}")),
            Self::Program(why) => (of_program(why)?, why.to_string()),
            Self::Spec(_) | Self::Evaluation(_) => return None,
        };
        Some(Infeasible::Refused { rule, why })
    }

    /// True if the kernel's source has an error that is there in every configuration.
    #[must_use]
    pub fn is_in_all(&self) -> bool {
        matches!(self, Self::Source { why, .. } if why.is_in_all())
    }

    /// Returns the file and the place of the error; `None` if it has no place.
    #[must_use]
    pub fn place(&self) -> Option<(String, Place)> {
        match self {
            Self::Spec(error) => error.place(),
            Self::Evaluation(error) => Some(error.place()),
            Self::Source { why, place, spec } => Some(match why.place() {
                Some(SourcePlace { file, line, column }) => (file.to_string(), Place::of_line(line, column)),
                None => spec.whereabouts(place.offset as usize),
            }),
            Self::InSpec { place, spec, .. } => Some(spec.whereabouts(place.offset as usize)),
            Self::Program(_) => None,
        }
    }
}

impl UserError for LoweringError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Source { why, .. } => why.status(),
            Self::InSpec { .. } | Self::Program(_) if self.refusal().is_some() => ExitStatus::Infeasible,
            Self::Spec(_) | Self::Evaluation(_) | Self::InSpec { .. } | Self::Program(_) => ExitStatus::Unusable,
        }
    }

    fn answers(&self) -> Vec<String> {
        match self {
            Self::Source { why, .. } => why.answers(),
            _ => Vec::new(),
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Spec(error) => error.help(),
            Self::InSpec { problem, .. } => Some(problem.help().to_owned()),
            Self::Source { why, .. } => why.help(),
            Self::Evaluation(_) | Self::Program(_) => None,
        }
    }
}

/// The rule that refuses a configuration for its program; `None` if the program contradicts itself.
fn of_program(why: &ProgramError) -> Option<RefusalRule> {
    match why {
        ProgramError::OutOfRange { most: LONGEST, .. }
        | ProgramError::TooLong { .. }
        | ProgramError::BeyondLimit { .. } => Some(RefusalRule::Time),
        ProgramError::NotResident { .. } => Some(RefusalRule::ResidentGroups),
        ProgramError::OutOfRange { .. } | ProgramError::Grid { .. } => Some(RefusalRule::Range),
        ProgramError::Zero(_) | ProgramError::LatencyBelowOccupancy { .. } | ProgramError::Pending { .. } => None,
    }
}

/// A problem with a statement, for one configuration.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LoweringProblem {
    /// A barrier that not all work items of the group would reach.
    #[error("a barrier in a divergent branch is undefined: not all work items of the group reach it")]
    DivergentBarrier,
    /// An access of too many bytes.
    #[error("an access of one work item has {bytes} bytes, more than {most}")]
    Width {
        /// Bytes of one access.
        bytes: u64,
        /// The most bytes of one access.
        most: u64,
    },
    /// Neighbours that are too far apart.
    #[error("neighbours are {bytes} bytes apart, more than {most}")]
    Stride {
        /// Bytes between neighbours.
        bytes: u64,
        /// The most bytes between neighbours.
        most: u64,
    },
    /// An access outside its array.
    #[error("{0}")]
    Outside(Box<Outside>),
    /// More work items than a group has.
    #[error("`items` is {items}, but a group has {group} work items")]
    Items {
        /// Work items that the statement asks for.
        items: u64,
        /// Work items of a group.
        group: u64,
        /// The names in the expression and their values.
        values: String,
    },
    /// Local arrays that do not fit the stated size.
    #[error("the local arrays need {needed} bytes ({arrays}), but `local_memory` states {available}")]
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
    /// A footprint of more bytes than the accesses ask for.
    #[error("the footprint is {stated} bytes, but the accesses ask for {asked} at most")]
    Footprint {
        /// Unique bytes, as the spec states them.
        stated: u64,
        /// Bytes that the same accesses ask for, whole sectors, rounded down.
        asked: u64,
        /// The names in the expression and their values.
        values: String,
    },
    /// More sectors or lines than an access of a warp can have.
    #[error("`{key}` is {stated}, but an access of a warp has {most} at most")]
    Touched {
        /// The key of the footprint.
        key: &'static str,
        /// The stated number.
        stated: String,
        /// The most that an access can have, rounded up.
        most: u64,
        /// The names in the expression and their values.
        values: String,
    },
    /// A wait that leaves too many starts pending.
    #[error("`pending` is {pending}, but a warp of the machine remembers {MOST_PENDING} starts of a queue")]
    Pending {
        /// The number of starts.
        pending: u64,
        /// The names in the expression and their values.
        values: String,
    },
    /// Matrix instructions of a type that the GPU's matrix units do not take.
    #[error("{}", no_matrix(*of, *any))]
    NoMatrix {
        /// The type.
        of: MatrixType,
        /// True if the GPU has matrix units.
        any: bool,
    },
    /// A cost beyond the numbers of a program.
    #[error("the work here takes 2^60 ticks or more")]
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
    /// The extent, as the spec writes it.
    pub shape: String,
    /// The ids and counters that reach the element: `lx = 3, t = 7`.
    pub at: String,
    /// The names in the subscript and their values.
    pub values: String,
    /// True if only some work items have to be inside, but none is.
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
    /// The rule that refuses the configuration; `None` if the spec contradicts itself.
    fn refusal(&self) -> Option<RefusalRule> {
        match self {
            Self::DivergentBarrier => Some(RefusalRule::Barrier),
            Self::NoMatrix { .. } => Some(RefusalRule::Instruction),
            Self::Pending { .. } => Some(RefusalRule::Range),
            Self::TooMuch => Some(RefusalRule::Time),
            _ => None,
        }
    }

    /// The names of the spec that led to the problem and their values; empty if there are none.
    fn values(&self) -> &str {
        match self {
            Self::Outside(outside) => &outside.values,
            Self::Items { values, .. }
            | Self::LocalArrays { values, .. }
            | Self::Footprint { values, .. }
            | Self::Touched { values, .. }
            | Self::Pending { values, .. } => values,
            Self::DivergentBarrier
            | Self::Width { .. }
            | Self::Stride { .. }
            | Self::NoMatrix { .. }
            | Self::TooMuch => "",
        }
    }

    fn help(&self) -> &'static str {
        match self {
            Self::DivergentBarrier => {
                "move the barrier out of the branch, or write `divergent: false` if all work items of a group take the \
                 same path"
            }
            Self::Width { .. } => "reduce `bytes` or `vector`",
            Self::Stride { .. } => "reduce `stride`, or the `shape` of the array",
            Self::Outside(outside) if outside.guarded => "correct `index` or `shape`",
            Self::Outside(_) => {
                "if the kernel skips such work items, write `guarded: true`; else correct `index` or `shape`"
            }
            Self::Items { .. } => "`items` counts the work items of one group that take part: at most all of them",
            Self::LocalArrays { .. } => "remove `local_memory`: without it, the sum of the local arrays counts",
            Self::Footprint { .. } => {
                "a footprint counts each byte once, so it cannot exceed the bytes that the accesses ask for"
            }
            Self::Touched { .. } => {
                "`sectors`, `lines` and `partial` count for one access of one warp; `partial` are some of the sectors"
            }
            Self::Pending { .. } => "wait earlier: for all starts of the queue but fewer",
            Self::NoMatrix { any: true, .. } => {
                "choose another `type`; the profile's `matrix_macs_per_cycle` lists those that it takes"
            }
            Self::NoMatrix { any: false, .. } => {
                "choose a GPU with matrix units; a profile states them in `matrix_macs_per_cycle`"
            }
            Self::TooMuch => "reduce the counts of the statements",
        }
    }
}

fn no_matrix(of: MatrixType, any: bool) -> String {
    if any {
        format!("the matrix units of this GPU do not take {}", of.name())
    } else {
        "this GPU has no matrix units".to_owned()
    }
}

/// A [`LoweringError`] without the spec's text.
#[derive(Debug)]
pub enum LoweringStop {
    /// An expression of the spec has no value.
    Evaluation(EvaluationError),
    /// A problem at a place of the spec.
    At(Place, LoweringProblem),
    /// The lowered program breaks the machine's law.
    Program(ProgramError),
    /// The source at a place of the spec cannot be read or executed.
    Source(Place, Box<AnalysisError>),
}

impl LoweringStop {
    /// A stop whose place is in a file of the source.
    pub(super) fn in_source(self, traced: &TracedKernel) -> Self {
        match self {
            Self::At(at, LoweringProblem::TooMuch) => {
                let file = traced.file(at).map(Arc::from);
                let place = file.map(|file| SourcePlace { file, line: at.line, column: at.column });
                Self::Source(Place::default(), Box::new(AnalysisError::TooMuch { place }))
            }
            stop => stop,
        }
    }

    /// The error as a user meets it, with its place in a spec's text.
    #[must_use]
    pub fn in_spec(self, spec: &Arc<Source>) -> LoweringError {
        match self {
            Self::Evaluation(error) => error.into(),
            Self::Program(error) => error.into(),
            Self::Source(place, why) => LoweringError::Source { why, place, spec: Arc::clone(spec) },
            Self::At(place, problem) => LoweringError::InSpec { problem, place, spec: Arc::clone(spec) },
        }
    }
}

impl From<ProgramError> for LoweringStop {
    fn from(error: ProgramError) -> Self {
        Self::Program(error)
    }
}

impl From<EvaluationError> for LoweringStop {
    fn from(error: EvaluationError) -> Self {
        Self::Evaluation(error)
    }
}

/// The names in an expression and their values: `TS = 16, size = 1024`.
pub(super) fn values(expression: &Expression, scope: &Scope) -> String {
    let named = scope.values_in(expression).into_iter().map(|(name, value)| format!("{name} = {value}"));
    named.collect::<Vec<_>>().join(", ")
}
