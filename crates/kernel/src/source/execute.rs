//! Executes one work group of a kernel, all its work items at once.
//!
//! Ids, sizes and integer arguments are known, data is not. The work items stand at blocks; those at the block that is
//! the lowest in the order of [`Flow`] execute it. A loop whose iterations provably repeat is executed a few times,
//! whatever its count.
//!
//! ```text
//! launch ─▶ state ─▶ walk, block, instruction, call, operand, memory: one step
//!                │        reached, pointed: the memory that each work item reaches
//!                └─▶ loops, fold: iterations that repeat    data, dependence: what depends on data, and on the group
//! ```

mod amdgcn;
mod assembly;
mod assumed;
mod barrier;
mod block;
mod call;
mod carried;
mod contents;
mod copies_of_amd;
mod data;
mod definitions;
mod dependence;
mod earlier;
mod error;
mod fields;
mod finding;
mod fold;
mod fragment;
mod fronts;
mod ids;
mod instruction;
mod lanes;
mod launch;
mod launch_packet;
mod levels;
mod loaded;
mod loop_state;
mod loops;
mod marked;
mod meetings;
mod memory;
mod numbers;
mod operand;
mod pointed;
mod reached;
mod remembered;
mod seeds;
mod state;
mod sums;
mod tables;
mod tensors;
mod tiles;
mod told;
mod undefined;
mod walk;
mod ways;

use super::flow::Flow;
use super::ir::IrModule;
pub use assumed::{AssumedContents, AssumedElements, ElementRule};
use autotune_base::limits::Limits;
pub use dependence::GroupDependence;
pub(in crate::source) use dependence::inner;
pub use error::{ExecuteError, ExecuteProblem};
pub use finding::{FindingKind, SourceFinding};
pub use launch::{Argument, AssumedAddress, Assumptions, Executed, KnownField, SourceLaunch};
pub use levels::operands;
pub use meetings::{LaneFault, LaneFaultKind};
pub use seeds::DataSeeds;
use state::Run;
pub use sums::AllowedSums;
pub(in crate::source) use sums::Part;

/// Executes a work group within limits; its usual allowance is 10 seconds.
///
/// # Errors
/// If some work items miss a barrier, a loop does not end or takes too many steps, or the kernel does what the machine
/// cannot say.
pub fn execute(
    module: &IrModule,
    flow: &Flow,
    launch: &SourceLaunch,
    assumptions: &Assumptions,
    fold: bool,
    limits: &Limits,
) -> Result<Executed, ExecuteError> {
    let mut run = Run::new(module, flow, launch, assumptions, fold, limits);
    run.start()?;
    Ok(run.ended())
}
