//! Lowering on the abstract processor of the model-checking paper: a statement costs its count times a fixed price.

pub(super) mod executed;
mod messages;
mod products;
mod traced;

use super::exact::Exact;
use super::launch::Geometry;
use super::lowered::Lowered;
use super::stop::{LoweringProblem, LoweringStop};
use crate::gpu::Lockstep;
use crate::lowering::phases::origin::Origin;
use crate::spec::{AsyncCopy, Branch, Expression, Scope, Spec, Statement};
use autotune_kernel::source::TracedKernel;
use autotune_machine::machine::{LONGEST, Program, Server, Statement as Step, critical_path};

pub(crate) use products::MACS_PER_TICK;

/// Lowers one configuration.
pub(super) fn lower(
    spec: &Spec,
    gpu: &Lockstep,
    scope: &Scope,
    geometry: &Geometry,
    source: Option<&TracedKernel>,
) -> Result<Lowered, LoweringStop> {
    let work_group = geometry.work_group;
    let (body, executed) = match source {
        Some(traced) => {
            let (body, executed) = traced::body(traced, gpu, warps_per_group(gpu, geometry));
            (body, Some(executed))
        }
        None => (Walk { gpu, scope, origins: Vec::new() }.body(&spec.body, false)?, None),
    };
    let program = program(gpu, geometry, body);
    Ok(Lowered { program, work_group, occupancy: None, work: None, executed, has_open_edges: false })
}

/// The program of a launch whose warps run this body.
pub(super) fn program(gpu: &Lockstep, geometry: &Geometry, body: Vec<Step>) -> Program {
    let passes = geometry.work_group.div_ceil(gpu.processing_elements);
    let without_messages = Program {
        multiprocessors: gpu.multiprocessors,
        dispatchers: gpu.dispatchers,
        groups: geometry.groups,
        resident_groups: 1,
        warps_per_group: warps_per_group(gpu, geometry),
        passes: passes.saturating_mul(geometry.times),
        launch: gpu.launch_ticks.saturating_mul(geometry.times),
        body,
    };
    messages::with_messages(without_messages, passes, gpu.message_ticks)
}

/// The warps of a group, which the dispatchers serve.
fn warps_per_group(gpu: &Lockstep, geometry: &Geometry) -> u64 {
    geometry.work_group.div_ceil(gpu.warp_size()).min(gpu.dispatchers)
}

/// The origins of the uses and barriers of the program: each has one statement.
pub(super) fn origins(
    spec: &Spec,
    gpu: &Lockstep,
    scope: &Scope,
    geometry: &Geometry,
    source: Option<&TracedKernel>,
) -> Result<Vec<Origin>, LoweringStop> {
    let (body, origins) = if let Some(traced) = source {
        let warps = warps_per_group(gpu, geometry);
        (traced::body(traced, gpu, warps).0, traced::origins(traced, gpu, warps))
    } else {
        let mut walk = Walk { gpu, scope, origins: Vec::new() };
        (walk.body(&spec.body, false)?, walk.origins)
    };
    Ok(messages::origins_with_messages(&body, origins, gpu.message_ticks))
}

struct Walk<'a> {
    gpu: &'a Lockstep,
    scope: &'a Scope,
    /// The origins of the statements lowered so far.
    origins: Vec<Origin>,
}

impl Walk<'_> {
    fn body(&mut self, statements: &[Statement], divergent: bool) -> Result<Vec<Step>, LoweringStop> {
        let mut lowered = Vec::new();
        for statement in statements {
            match statement {
                Statement::Load(access) | Statement::Copy(AsyncCopy { access, .. }) => {
                    lowered.extend(self.cost(statement, &access.per_item, self.gpu.load_ticks().into())?);
                }
                Statement::Store(access) => {
                    lowered.extend(self.cost(statement, &access.per_item, self.gpu.store_ticks().into())?);
                }
                Statement::Local(access) => {
                    lowered.extend(self.cost(statement, &access.per_item, self.gpu.local_memory_ticks.into())?);
                }
                Statement::Compute(compute) => {
                    lowered.extend(self.cost(statement, &compute.per_item, self.gpu.compute_ticks().into())?);
                }
                Statement::Matrix(product) => {
                    let macs = product.macs(self.scope)?;
                    lowered.extend(self.cost(statement, &product.per_warp, Exact::ratio(macs, MACS_PER_TICK))?);
                }
                // Nothing is started: each copy and load took its time where it stands.
                Statement::Wait(_) => {}
                Statement::Barrier(barrier) if divergent => {
                    return Err(LoweringStop::At(barrier.place, LoweringProblem::DivergentBarrier));
                }
                Statement::Barrier(barrier) => {
                    self.origins.push(Origin::of_place(barrier.place));
                    lowered.push(if barrier.is_of_grid { Step::barrier_of_grid(0) } else { Step::barrier(0) });
                }
                Statement::Branch(branch) if branch.divergent.holds(self.scope)? => {
                    lowered.extend(self.body(&branch.then, true)?);
                    lowered.extend(self.body(&branch.otherwise, true)?);
                }
                Statement::Branch(branch) => lowered.extend(self.side(branch, divergent)?),
                Statement::Loop(repeated) => {
                    let count = repeated.count.count(self.scope)?.unsigned_abs();
                    if count > 0 {
                        let body = self.body(&repeated.body, divergent)?;
                        lowered.push(Step::Loop { count, body });
                    }
                }
            }
        }
        Ok(lowered)
    }

    /// The side of a branch that all work items take: the one that takes longer, the first on a tie.
    fn side(&mut self, branch: &Branch, divergent: bool) -> Result<Vec<Step>, LoweringStop> {
        let begin = self.origins.len();
        let then = self.body(&branch.then, divergent)?;
        let middle = self.origins.len();
        let otherwise = self.body(&branch.otherwise, divergent)?;
        if critical_path(&otherwise) > critical_path(&then) {
            self.origins.drain(begin..middle);
            return Ok(otherwise);
        }
        self.origins.truncate(middle);
        Ok(then)
    }

    /// A `use` of the warp's own dispatcher; `None` if it takes no time.
    fn cost(
        &mut self,
        statement: &Statement,
        per_item: &Expression,
        price: Exact,
    ) -> Result<Option<Step>, LoweringStop> {
        let count = Exact::from(per_item.mean(self.scope)?);
        let too_much = || LoweringStop::At(statement.place(), LoweringProblem::TooMuch);
        let ticks = (count * price).ceil().filter(|ticks| *ticks <= LONGEST).ok_or_else(too_much)?;
        let lowered = Step::Use { server: Server::Dispatcher, occupancy: ticks, latency: ticks };
        if ticks == 0 {
            return Ok(None);
        }
        self.origins.push(Origin::of_place(statement.place()));
        Ok(Some(lowered))
    }
}
