//! A lowered configuration.

use serde::{Deserialize, Serialize};

use super::stop::LoweringStop;
use crate::gpu::Occupancy;
use crate::lowering::launch::infeasible::Infeasible;
use crate::lowering::lockstep::executed::ExecutedPart;
use crate::lowering::phases::totals::GroupWork;
use autotune_machine::machine::Program;

/// A result for a feasible configuration, or the reason why neither the result nor the configuration's feasibility is
/// known.
pub(super) type Attempt<T> = Result<Feasibility<T>, LoweringStop>;

/// The answer to a question about a configuration that may be infeasible.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Feasibility<T, R = Infeasible> {
    /// The answer for a feasible configuration.
    Feasible(T),
    /// The reason why the spec excludes the configuration or the GPU cannot run it.
    Infeasible(R),
}

impl<T, R> Feasibility<T, R> {
    /// Returns the answer; `None` if the configuration is infeasible.
    #[must_use]
    pub fn feasible(self) -> Option<T> {
        match self {
            Self::Feasible(answer) => Some(answer),
            Self::Infeasible(_) => None,
        }
    }

    /// Returns the reason; `None` if the configuration is feasible.
    #[must_use]
    pub fn infeasible(self) -> Option<R> {
        match self {
            Self::Feasible(_) => None,
            Self::Infeasible(reason) => Some(reason),
        }
    }

    /// Continues with the answer for a feasible configuration; keeps the reason of an infeasible one.
    ///
    /// # Errors
    /// The error of the continuation.
    pub fn and_then<U, E>(self, next: impl FnOnce(T) -> Result<Feasibility<U, R>, E>) -> Result<Feasibility<U, R>, E> {
        match self {
            Self::Feasible(answer) => next(answer),
            Self::Infeasible(reason) => Ok(Feasibility::Infeasible(reason)),
        }
    }
}

/// A feasible configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lowered {
    /// The program of the abstract machine.
    pub program: Program,
    /// Work items of a group.
    pub work_group: u64,
    /// The number of resident groups and its limit; `None` on a lockstep GPU, where one group is resident.
    pub occupancy: Option<Occupancy>,
    /// The work of one group; `None` on a lockstep GPU, where only times are known.
    pub work: Option<Box<GroupWork>>,
    /// The parts that a warp executes of a kernel's source on a lockstep GPU, in the order of the text; `None` on a real GPU,
    /// and for a spec with a body, which says it itself.
    pub executed: Option<Vec<ExecutedPart>>,
    /// True if a group of the launch may do what none of the executed groups does: a condition sends it another way, and only
    /// the groups in the corners were executed.
    pub has_open_edges: bool,
}

impl Lowered {
    /// The program, and the parts that a warp executes where they are known.
    #[must_use]
    pub fn program_and_parts(&self) -> (&Program, Option<&[ExecutedPart]>) {
        (&self.program, self.executed.as_deref())
    }
}
