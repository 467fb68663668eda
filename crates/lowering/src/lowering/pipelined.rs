//! Lowering on a real GPU.

use std::collections::BTreeMap;

use super::Infeasible;
use super::exact::Exact;
use super::instruction_cycles::DependentCycles;
use super::launch::{Geometry, Launched};
use super::lowered::Lowered;
use super::stop::{LoweringProblem, LoweringStop};
use super::traced::TraceWalk;
use crate::gpu::{Demand, Occupancy, Pipelined, Rate};
use crate::lowering::access::patterns::Patterns;
use crate::lowering::access::warp::MemoryBanks;
use crate::lowering::body::around::Around;
use crate::lowering::body::contradiction::{self, Contradiction};
use crate::lowering::body::shared::{Shared, SharedBlocks};
use crate::lowering::body::statement::Costing;
use crate::lowering::body::walk::Walk;
use crate::lowering::launch::registers::RegisterUse;
use crate::lowering::phases::block::Block;
use crate::lowering::phases::drift::{Resident, drift};
use crate::lowering::phases::line_work::{LineWork, by_line};
use crate::lowering::phases::origin::{self, Origin};
use crate::lowering::phases::rates::Rates;
use crate::lowering::phases::servers::{Servers, ticks};
use crate::lowering::phases::spill::Spill;
use crate::lowering::phases::totals::GroupWork;
use crate::spec::{Spec, Statement};
use autotune_base::text::{Place, SourceLine};
use autotune_kernel::source::TracedKernel;
use autotune_machine::machine::{self, Program};

/// The overhead of a launch in microseconds if the profile does not state it.
const LAUNCH_MICROSECONDS: Rate = Rate::new_raw(4, 1);

/// The width in bytes of banks that serve two words of a row in one pass.
const PAIRED_BANK_BYTES: u64 = 8;

/// A GPU, with what the configurations of one spec have in common.
#[derive(Debug)]
pub(super) struct Physics<'a> {
    pub(super) gpu: &'a Pipelined,
    patterns: Patterns,
    rates: Rates,
    shared: SharedBlocks,
}

impl<'a> Physics<'a> {
    pub(super) fn new(gpu: &'a Pipelined, spec: &Spec) -> Self {
        let patterns = Patterns::new(gpu.warp_size, banks(gpu), gpu.l1_pass_bytes);
        Self { gpu, patterns, rates: Rates::new(gpu), shared: SharedBlocks::new(spec) }
    }

    /// The blocks of a configuration's statements, as far as earlier configurations had them.
    pub(super) fn shared(&self, launched: &Launched) -> Vec<Shared> {
        self.shared.of(launched)
    }
}

pub(super) fn banks(gpu: &Pipelined) -> MemoryBanks {
    MemoryBanks { number: gpu.shared_banks, paired: gpu.shared_bank_width_bytes == PAIRED_BANK_BYTES }
}

/// The occupancy of a multiprocessor.
pub(super) fn occupancy(
    gpu: &Pipelined,
    geometry: &Geometry,
    registers: &RegisterUse,
) -> Result<Occupancy, Infeasible> {
    let &Geometry { work_group, local_memory, .. } = geometry;
    Ok(gpu.occupancy(Demand { work_items: work_group, registers: registers.held, local_memory })?)
}

/// The statements of a configuration.
#[derive(Default)]
pub(super) struct Body<'a> {
    /// The execution of the kernel's source that stands in place of the spec's body; `None` if the body stands.
    pub(super) source: Option<&'a TracedKernel>,
    /// The blocks of the body's statements that are known; empty if none is to be shared.
    pub(super) shared: Vec<Shared>,
}

/// Warps of a group.
fn warps(gpu: &Pipelined, geometry: &Geometry) -> u64 {
    geometry.work_group.div_ceil(gpu.warp_size)
}

/// A configuration cut into phases.
struct Cut<'a> {
    servers: Servers<'a>,
    blocks: Vec<Block>,
    /// The time of a warp of a source by its dependences.
    dependent: Option<DependentCycles>,
}

fn cut<'a>(
    spec: &Spec,
    physics: &'a Physics<'_>,
    launched: &Launched,
    body: Body,
    tracing: bool,
) -> Result<Cut<'a>, LoweringStop> {
    let Physics { gpu, patterns, rates, shared: all } = physics;
    let Launched { scope, geometry, registers, .. } = launched;
    let warps = warps(gpu, geometry);
    let servers = Servers::new(rates, warps, geometry.groups);
    let Body { source, shared } = body;
    let mut dependent = None;
    let mut blocks = if let Some(traced) = source {
        let mut walk = TraceWalk::new(traced, gpu, banks(gpu), launched, tracing);
        let blocks = walk.blocks();
        dependent = walk.dependent;
        blocks
    } else {
        let costing = Costing::new(gpu, patterns, launched);
        let is_ordered = Statement::all(&spec.body).any(Statement::keeps_order);
        let walk = Walk { costing, servers: &servers, tracing, is_ordered, around: around(spec, geometry) };
        walk.blocks(&spec.body, shared, all)?
    };
    if registers.spilled > 0 {
        let spill = Spill {
            words: registers.spilled,
            uses: match (&spec.resources.spill_uses, source) {
                (Some(stated), _) => stated.count(scope)?.unsigned_abs(),
                (None, Some(traced)) => traced.spill_uses(),
                (None, None) => 1,
            },
            warp_size: gpu.warp_size,
            warps,
            line: gpu.l1_pass_bytes,
        };
        spill.add_to(&mut blocks);
    }
    drift(&mut blocks, &servers, resident(gpu, launched))
        .ok_or(LoweringStop::At(Place::default(), LoweringProblem::TooMuch))?;
    Ok(Cut { servers, blocks, dependent })
}

/// The groups of the multiprocessor that has most.
fn resident(gpu: &Pipelined, launched: &Launched) -> Resident {
    let groups = launched.occupancy.map_or(1, |occupancy| occupancy.groups).max(1);
    Resident { groups, waves: launched.geometry.groups.div_ceil(gpu.multiprocessors).div_ceil(groups) }
}

/// The launches around a body.
fn around<'a>(spec: &Spec, geometry: &Geometry) -> Around<'a> {
    Around::new(spec.launch.var.is_some().then_some(geometry.times))
}

/// The walk over the trace of a configuration.
pub(super) fn trace_walk<'a>(gpu: &'a Pipelined, launched: &Launched, traced: &'a TracedKernel) -> TraceWalk<'a> {
    TraceWalk::new(traced, gpu, banks(gpu), launched, false)
}

/// Lowers one configuration.
pub(super) fn lower(
    spec: &Spec,
    physics: &Physics<'_>,
    launched: &Launched,
    body: Body,
) -> Result<Lowered, LoweringStop> {
    let sides = body.source.map_or_else(Vec::new, TracedKernel::sides);
    let stated_loops = body.source.map_or_else(Vec::new, TracedKernel::stated_loops);
    let Cut { servers, blocks, dependent } = cut(spec, physics, launched, body, false)?;
    let Launched { geometry, registers, occupancy, .. } = launched;
    let program = program(physics.gpu, launched, servers.body(&blocks)?);
    let mut work = GroupWork::new(&blocks, &servers, registers)?;
    (work.sides, work.stated_loops, work.dependent) = (sides, stated_loops, dependent);
    let (work_group, occupancy, work) = (geometry.work_group, *occupancy, Some(Box::new(work)));
    Ok(Lowered { program, work_group, occupancy, work, executed: None, has_open_edges: false })
}

/// The program of a launch whose warps run this body.
pub(super) fn program(gpu: &Pipelined, launched: &Launched, body: Vec<machine::Statement>) -> Program {
    let Launched { geometry, occupancy, .. } = launched;
    Program {
        multiprocessors: gpu.multiprocessors,
        dispatchers: gpu.schedulers_per_sm,
        groups: geometry.groups,
        resident_groups: occupancy.map_or(1, |occupancy| occupancy.groups),
        warps_per_group: warps(gpu, geometry),
        passes: geometry.times,
        launch: launch(gpu).saturating_mul(geometry.times),
        body,
    }
}

/// The origins of the uses and barriers of one configuration's program.
pub(super) fn origins(
    spec: &Spec,
    physics: &Physics<'_>,
    launched: &Launched,
    source: Option<&TracedKernel>,
) -> Result<Vec<Origin>, LoweringStop> {
    let Cut { servers, blocks, .. } = cut(spec, physics, launched, Body { source, ..Body::default() }, true)?;
    origin::origins(&servers, &blocks)
}

/// The work of a group of one configuration, by the lines that it comes from.
pub(super) fn line_work(
    spec: &Spec,
    physics: &Physics<'_>,
    launched: &Launched,
    source: Option<&TracedKernel>,
) -> Result<BTreeMap<SourceLine, LineWork>, LoweringStop> {
    by_line(&cut(spec, physics, launched, Body { source, ..Body::default() }, true)?.blocks)
}

/// The footprints of one configuration that contradict subscripts.
pub(super) fn contradictions(
    spec: &Spec,
    physics: &Physics<'_>,
    launched: &Launched,
) -> Result<Vec<Contradiction>, LoweringStop> {
    let costing = Costing::new(physics.gpu, &physics.patterns, launched);
    contradiction::contradictions(&costing, around(spec, &launched.geometry), &spec.body)
}

/// Ticks of one launch.
fn launch(gpu: &Pipelined) -> u64 {
    let microseconds = gpu.kernel_launch_overhead_us.unwrap_or(LAUNCH_MICROSECONDS);
    // both factors are bounded by the profile's checks
    ticks(Exact::from(microseconds) * Exact::from(gpu.core_clock_mhz)).ceil().unwrap_or(u64::MAX)
}
