//! What one work group of a configuration executes, line by line of the kernel's source.
//!
//! ```text
//! trace ─▶ lines: the instructions, accesses and barriers of each line ─┬─▶ inspection
//! models::locality: classes and best homes ─────────────────────────────┘
//! ```

mod context;
mod lines;
mod notes;

use serde::Serialize;

use crate::explain::groups::ExecutedGroups;
use crate::explain::lines::KernelLines;
use autotune_kernel::source::{TracedKernel, function_name};
use autotune_lowering::lowering::{Feasibility, Launched, Listed, Lowering, LoweringError, RegisterOrigin};
use autotune_lowering::models::locality::traced_findings;
use autotune_lowering::spec::{Configuration, Spec};

use context::Context;

pub use context::{InspectedBounds, InspectedLaunch};
pub use lines::{InspectedFile, InspectedLine};
pub use notes::{AccessNote, AccessVerb, MemoryKind};

/// A work group of a configuration, as the kernel's source says it.
#[derive(Debug)]
pub struct Inspection {
    /// The kernel's name in the source.
    pub function: String,
    /// The launch.
    pub launch: InspectedLaunch,
    /// The groups that were executed beside the middle one; `None` if it was executed alone.
    pub groups: Option<ExecutedGroups>,
    /// The resources of a group and its work items.
    pub resources: InspectedResources,
    /// The user's files.
    pub files: Vec<InspectedFile>,
}

/// The resources of a group and its work items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct InspectedResources {
    /// The number of registers of 32 bits of a work item.
    pub registers: u64,
    /// The origin of the number of registers.
    pub registers_from: RegisterOrigin,
    /// The number of registers of a work item that spill to memory.
    pub spilled: u64,
    /// The number of bytes of a work item's private arrays.
    pub private_bytes: u64,
    /// The number of bytes of a group's local memory.
    pub local_memory: u64,
}

/// Inspects a configuration; `None` if the spec has a body in place of a source.
///
/// # Errors
/// If an expression cannot be evaluated, or the source cannot be compiled, read or executed.
pub fn inspect(
    spec: &Spec,
    lowering: &Lowering<'_>,
    configuration: &Configuration,
) -> Result<Option<Feasibility<Inspection>>, LoweringError> {
    inspected(spec, lowering, configuration, true)
}

/// Inspects a configuration without the theorems of locality, which take the longest: classes and best memories are not
/// known. `None` if the spec has a body in place of a source.
///
/// # Errors
/// As [`inspect`].
pub fn inspect_counts(
    spec: &Spec,
    lowering: &Lowering<'_>,
    configuration: &Configuration,
) -> Result<Option<Feasibility<Inspection>>, LoweringError> {
    inspected(spec, lowering, configuration, false)
}

fn inspected(
    spec: &Spec,
    lowering: &Lowering<'_>,
    configuration: &Configuration,
    with_locality: bool,
) -> Result<Option<Feasibility<Inspection>>, LoweringError> {
    let traced = match lowering.trace(configuration)? {
        None => return Ok(None),
        Some(Feasibility::Infeasible(why)) => return Ok(Some(Feasibility::Infeasible(why))),
        Some(Feasibility::Feasible(traced)) => traced,
    };
    let launched = match lowering.launch(configuration)? {
        Feasibility::Infeasible(why) => return Ok(Some(Feasibility::Infeasible(why))),
        Feasibility::Feasible(launched) => launched,
    };
    let listed = Listed::new(&traced, lowering.banks().is_some());
    let bounds = InspectedBounds::new(traced.kernel.module.bounds);
    let launch = launch(lowering, &launched, bounds);
    let findings = || traced_findings(spec, lowering, &launched, &traced, &listed);
    let findings = if with_locality { findings().map_err(|stop| stop.in_spec(&spec.source))? } else { Vec::new() };
    let context = Context { traced: &traced, listed: &listed, launch, banks: lowering.banks() };
    let notes = notes::notes(&context, findings);
    let texts = KernelLines::read(traced.files().iter().map(|name| &**name));
    Ok(Some(Feasibility::Feasible(Inspection {
        function: function_name(&traced.kernel.module.kernel.name),
        launch,
        groups: ExecutedGroups::new(&traced.sample, launch.groups),
        resources: resources(&launched, &traced),
        files: lines::files(&context, &texts, notes),
    })))
}

fn launch(lowering: &Lowering<'_>, launched: &Launched, bounds: Option<InspectedBounds>) -> InspectedLaunch {
    let warp_size = lowering.names().warp_size.unsigned_abs().max(1);
    let geometry = &launched.geometry;
    InspectedLaunch {
        work_group: geometry.dims,
        groups: geometry.grid,
        group: geometry.middle(),
        warp_size,
        warps: geometry.work_group.div_ceil(warp_size),
        bounds,
    }
}

fn resources(launched: &Launched, traced: &TracedKernel) -> InspectedResources {
    let registers = &launched.registers;
    InspectedResources {
        registers: registers.number,
        registers_from: registers.origin,
        spilled: registers.spilled,
        private_bytes: traced.executed.private_bytes,
        local_memory: launched.geometry.local_memory,
    }
}

#[cfg(test)]
mod tests;
