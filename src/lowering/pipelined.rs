//! Lowering on a real GPU.

use super::Infeasible;
use super::around::Around;
use super::block::Block;
use super::blocks::Walk;
use super::contradiction::{self, Contradiction};
use super::exact::Exact;
use super::lanes::Banks;
use super::launch::Geometry;
use super::lowered::{Attempt, Feasibility, Lowered};
use super::origin::{self, Origin};
use super::patterns::Patterns;
use super::phase::{Servers, ticks};
use super::registers::{register_limit, spilled_words};
use super::spill::Spill;
use super::statement::Costing;
use super::stop::Stop;
use super::totals::GroupWork;
use super::traced::TraceWalk;
use crate::gpu::{Demand, Occupancy, Pipelined, Rate};
use crate::machine::Program;
use crate::source::TracedKernel;
use crate::spec::{Scope, Spec};

/// The overhead of a launch in microseconds if the profile does not state it.
const LAUNCH_MICROSECONDS: Rate = Rate::new_raw(4, 1);

/// The width in bytes of banks that serve two words of a row in one pass.
const PAIRED_BANK_BYTES: u64 = 8;

pub(super) fn patterns(gpu: &Pipelined) -> Patterns {
    Patterns::new(gpu.warp_size, banks(gpu), gpu.l1_pass_bytes)
}

pub(super) fn banks(gpu: &Pipelined) -> Banks {
    Banks { number: gpu.shared_banks, paired: gpu.shared_bank_width_bytes == PAIRED_BANK_BYTES }
}

/// The occupancy of a multiprocessor, and the number of groups that run together on the whole GPU.
pub(super) fn residence(gpu: &Pipelined, geometry: &Geometry) -> Result<(Occupancy, u64), Infeasible> {
    let limit = if geometry.spilled.is_some() { u64::MAX } else { register_limit(gpu, geometry) };
    let registers = geometry.registers.min(limit);
    let demand = Demand { work_items: geometry.work_group, registers, local_memory: geometry.local_memory };
    let occupancy = gpu.occupancy(demand)?;
    Ok((occupancy, geometry.groups.min(gpu.multiprocessors * occupancy.groups)))
}

/// The statements of a configuration: those of the spec's body, or what its source executes.
pub(super) type Source<'a> = Option<&'a TracedKernel>;

/// A configuration whose groups fit a multiprocessor, cut into phases.
struct Cut {
    occupancy: Occupancy,
    servers: Servers,
    blocks: Vec<Block>,
}

fn cut(
    spec: &Spec,
    gpu: &Pipelined,
    patterns: &Patterns,
    scope: Scope,
    geometry: &Geometry,
    source: Source,
    tracing: bool,
) -> Attempt<Cut> {
    let (occupancy, concurrent) = match residence(gpu, geometry) {
        Ok(residence) => residence,
        Err(infeasible) => return Ok(Feasibility::Infeasible(infeasible)),
    };
    let scope = &scope.with_concurrent(concurrent.try_into().unwrap_or(i64::MAX));
    let servers = Servers::new(gpu, occupancy.warps, geometry.groups);
    let mut blocks = if let Some(traced) = source {
        TraceWalk::new(traced, gpu, banks(gpu), concurrent, geometry, tracing).blocks()
    } else {
        let costing = Costing { gpu, patterns, scope, dims: geometry.dims, grid: geometry.grid, concurrent };
        let around = Around::new(spec.launch.var.is_some().then_some(geometry.times));
        Walk { costing, servers: &servers, tracing, around }.body(&spec.body, false)?
    };
    let words = spilled_words(gpu, geometry);
    if words > 0 {
        let spill = Spill {
            words,
            uses: match (&spec.resources.spill_uses, source) {
                (Some(stated), _) => stated.count(scope)?.unsigned_abs(),
                (None, Some(traced)) => traced.spill_uses(),
                (None, None) => 1,
            },
            warp_size: gpu.warp_size,
            warps: occupancy.warps,
            line: gpu.l1_pass_bytes,
        };
        spill.add_to(&mut blocks);
    }
    Ok(Feasibility::Feasible(Cut { occupancy, servers, blocks }))
}

/// The walk over a trace of a configuration whose groups fit a multiprocessor.
pub(super) fn trace_walk<'a>(gpu: &'a Pipelined, geometry: &Geometry, traced: &'a TracedKernel) -> TraceWalk<'a> {
    let concurrent = residence(gpu, geometry).map_or(1, |(_, concurrent)| concurrent);
    TraceWalk::new(traced, gpu, banks(gpu), concurrent, geometry, false)
}

/// Lowers one configuration, if its groups fit a multiprocessor.
pub(super) fn lower(
    spec: &Spec,
    gpu: &Pipelined,
    patterns: &Patterns,
    scope: Scope,
    geometry: &Geometry,
    source: Source,
) -> Attempt<Lowered> {
    let Cut { occupancy, servers, blocks } = match cut(spec, gpu, patterns, scope, geometry, source, false)? {
        Feasibility::Feasible(cut) => cut,
        Feasibility::Infeasible(infeasible) => return Ok(Feasibility::Infeasible(infeasible)),
    };
    let program = Program {
        multiprocessors: gpu.multiprocessors,
        dispatchers: gpu.schedulers_per_sm,
        groups: geometry.groups,
        resident_groups: occupancy.groups,
        warps_per_group: occupancy.warps,
        passes: geometry.times,
        launch: launch(gpu).saturating_mul(geometry.times),
        body: servers.body(&blocks)?,
    };
    let mut work = GroupWork::of(&blocks, &servers, geometry.registers)?;
    work.sides = source.map_or_else(Vec::new, TracedKernel::sides);
    let work = Some(Box::new(work));
    let work_group = geometry.work_group;
    Ok(Feasibility::Feasible(Lowered { program, work_group, occupancy: Some(occupancy), work }))
}

/// The origins of the uses and barriers of one configuration's program.
pub(super) fn origins(
    spec: &Spec,
    gpu: &Pipelined,
    patterns: &Patterns,
    scope: Scope,
    geometry: &Geometry,
    source: Source,
) -> Attempt<Vec<Origin>> {
    let cut = cut(spec, gpu, patterns, scope, geometry, source, true)?;
    cut.and_then(|Cut { servers, blocks, .. }| Ok(Feasibility::Feasible(origin::origins(&servers, &blocks)?)))
}

/// The footprints of one configuration that contradict subscripts; `None` if its groups do not fit a multiprocessor.
pub(super) fn contradictions(
    spec: &Spec,
    gpu: &Pipelined,
    patterns: &Patterns,
    scope: &Scope,
    geometry: &Geometry,
) -> Result<Option<Vec<Contradiction>>, Stop> {
    let Ok((_, concurrent)) = residence(gpu, geometry) else { return Ok(None) };
    let costing = Costing { gpu, patterns, scope, dims: geometry.dims, grid: geometry.grid, concurrent };
    contradiction::contradictions(
        &costing,
        Around::new(spec.launch.var.is_some().then_some(geometry.times)),
        &spec.body,
    )
    .map(Some)
}

/// Ticks of one launch.
fn launch(gpu: &Pipelined) -> u64 {
    let microseconds = gpu.kernel_launch_overhead_us.unwrap_or(LAUNCH_MICROSECONDS);
    // both factors are bounded by the profile's checks
    ticks(Exact::from(microseconds) * Exact::from(gpu.core_clock_mhz)).ceil().unwrap_or(u64::MAX)
}
