//! Copies and matrix instructions that a source executes and its GPU does not have.

use crate::gpu::Pipelined;
use autotune_kernel::source::{AccessKind, AnalysisError, ExecuteError, ExecuteProblem, TracedKernel};

/// The first copy or matrix instruction of a trace that a GPU does not have; `None` if it has all.
pub(in crate::lowering) fn unsupported(gpu: &Pipelined, traced: &TracedKernel) -> Option<AnalysisError> {
    traced.runs().find_map(|run| {
        let lacks = |kind| match kind {
            AccessKind::Copy if !gpu.async_copy => Some(("cp.async", "this GPU has no asynchronous copies")),
            AccessKind::LoadTile | AccessKind::StoreTile if !gpu.tma => {
                Some(("cp.async.bulk", "this GPU has no copies of a work item for its group"))
            }
            AccessKind::WarpGroupProduct { .. } if !gpu.wgmma => {
                Some(("wgmma", "this GPU has no matrix instructions of four warps"))
            }
            kind => {
                let (name, of) = (if kind.is_asynchronous() { "wgmma" } else { "mma" }, kind.product()?.1);
                let why = if gpu.has_matrix_units() {
                    "the matrix units of this GPU do not take this type"
                } else {
                    "this GPU has no matrix units"
                };
                gpu.matrix_macs(of, false).is_none().then_some((name, why))
            }
        };
        let (access, (name, why)) = run.accesses.iter().find_map(|access| Some((access, lacks(access.kind)?)))?;
        let places = traced.function().blocks[run.block.index()].instructions[access.instruction].places.clone();
        let problem = ExecuteProblem::Unmodelled { name: name.into(), why };
        Some(AnalysisError::Execute(ExecuteError { problem, places }))
    })
}
