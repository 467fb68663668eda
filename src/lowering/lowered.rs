//! A lowered configuration.

use super::infeasible::Infeasible;
use super::stop::Stop;
use super::totals::GroupWork;
use crate::gpu::Occupancy;
use crate::machine::Program;

/// A result, the reason why the configuration is infeasible, or the reason why neither is known.
pub(super) type Attempt<T> = Result<Result<T, Infeasible>, Stop>;

/// The result of lowering a configuration.
#[derive(Debug, Clone, PartialEq)]
pub enum Feasibility {
    /// A feasible configuration and its program.
    Feasible(Lowered),
    /// A configuration that the spec excludes or that the GPU cannot run.
    Infeasible(Infeasible),
}

/// A feasible configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Lowered {
    /// The program of the abstract machine.
    pub program: Program,
    /// Work items of a group.
    pub work_group: u64,
    /// The number of resident groups and its limit; `None` on a lockstep GPU, where one group is resident.
    pub occupancy: Option<Occupancy>,
    /// The work of one group; `None` on a lockstep GPU, where only times are known.
    pub work: Option<Box<GroupWork>>,
}
