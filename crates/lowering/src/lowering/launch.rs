//! The launch of a configuration and the limits that it may exceed.

pub(super) mod infeasible;
pub(super) mod registers;

use super::lowered::Attempt;
use super::{Feasibility, Infeasible, LimitRule};
use crate::gpu::Occupancy;
use crate::lowering::body::audit::LocalArrays;
use crate::spec::{EvaluationError, Expression, GpuNames, Scope, Spec};
use autotune_kernel::source::middle;
use autotune_machine::machine::ProgramError;
use registers::{RegisterUse, ToldRegisters};

/// The sizes of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Geometry {
    /// Work items of a group along x, y, z.
    pub dims: [u64; 3],
    /// Groups of a launch along x, y, z.
    pub grid: [u64; 3],
    /// Work items of the last group along x, y, z.
    pub(super) rest: [u64; 3],
    /// Work items of a group: the product of `dims`.
    pub work_group: u64,
    /// Work groups of a launch.
    pub(crate) groups: u64,
    /// The number of launches.
    pub times: u64,
    /// True if the launch is repeated, so that it finds in L2 what fits there.
    pub(crate) is_warm: bool,
    /// Bytes of local memory of a group.
    pub local_memory: u64,
    /// Registers of a work item, as the spec or the compiler says them.
    pub(super) told: ToldRegisters,
}

/// The launch of a feasible configuration.
#[derive(Debug)]
pub struct Launched {
    /// The values of all names, `concurrent` among them.
    pub scope: Scope,
    /// The launch's groups and work items.
    pub geometry: Geometry,
    /// The registers of a work item.
    pub registers: RegisterUse,
    /// The occupancy of a multiprocessor; `None` on a lockstep GPU, where one group is resident.
    pub(crate) occupancy: Option<Occupancy>,
    /// Groups that run together on the whole GPU.
    pub(crate) concurrent: u64,
}

/// The sizes of a launch, if the spec and the GPU's limits allow them: constraints, then work group, local memory and
/// registers. Expressions after the first broken limit are not evaluated. `spills` is true if registers beyond the limit
/// spill, so that they have no limit.
pub(super) fn geometry(spec: &Spec, names: &GpuNames, spills: bool, scope: &Scope) -> Attempt<Geometry> {
    if let Some(excluding) = excluding(spec, scope)? {
        return Ok(Feasibility::Infeasible(Infeasible::Constraint(excluding.text().to_owned())));
    }
    let dims = sizes(&spec.launch.work_group, scope)?;
    let work_group = dims.iter().try_fold(1, |product: u128, size| product.checked_mul((*size).into()));
    let Some(work_group) = work_group.filter(|items| *items <= wide(names.max_work_group)) else {
        return Ok(beyond(LimitRule::WorkGroup, work_group, names.max_work_group));
    };
    let local_memory = match &spec.resources.local_memory {
        Some(stated) => stated.count(scope)?.unsigned_abs(),
        // The walk over the body reports expressions that cannot be evaluated.
        None => LocalArrays::new(spec, scope, saturated(work_group)).map_or(0, |arrays| arrays.bytes()),
    };
    if u128::from(local_memory) > wide(names.local_memory) {
        return Ok(beyond(LimitRule::LocalMemory, u128::from(local_memory), names.local_memory));
    }
    let registers = registers(spec, names, scope)?;
    if !spills && registers > wide(names.register_limit) {
        return Ok(beyond(LimitRule::Registers, registers, names.register_limit));
    }
    let spilled = spec.resources.spilled.as_ref().map(|words| words.count(scope)).transpose()?;
    let spilled = spilled.map(i64::unsigned_abs);
    let compiled_for = spec.resources.compiled_for.as_ref().map(|items| items.positive(scope)).transpose()?;
    let work_items = sizes(&spec.launch.work_items, scope)?;
    let grid: [u64; 3] = std::array::from_fn(|axis| work_items[axis].div_ceil(dims[axis]));
    let rest = std::array::from_fn(|axis| work_items[axis] - (grid[axis] - 1) * dims[axis]);
    // A product that does not fit can only be shown by its factors.
    let groups = grid.into_iter().try_fold(1, u64::checked_mul).ok_or(ProgramError::Grid { grid })?;
    Ok(Feasibility::Feasible(Geometry {
        dims,
        grid,
        rest,
        work_group: saturated(work_group),
        groups,
        times: spec.launch.times.positive(scope)?.unsigned_abs(),
        is_warm: spec.launch.is_warm,
        local_memory,
        told: ToldRegisters::stated(saturated(registers), spilled)
            .with_waiting(waiting(spec, names, scope)?)
            .fitted_to(compiled_for.map(i64::unsigned_abs)),
    }))
}

impl Geometry {
    /// The group that stands for the others: the one in the middle of the launch.
    pub fn middle(&self) -> [u64; 3] {
        self.grid.map(middle)
    }

    /// The launch, unless its local memory is beyond the GPU's.
    pub(super) fn within(self, names: &GpuNames) -> Feasibility<Self> {
        if u128::from(self.local_memory) > wide(names.local_memory) {
            return beyond(LimitRule::LocalMemory, u128::from(self.local_memory), names.local_memory);
        }
        Feasibility::Feasible(self)
    }
}

/// The refusal of a launch beyond a limit of the GPU.
fn beyond(rule: LimitRule, needed: impl Into<Option<u128>>, available: i64) -> Feasibility<Geometry> {
    Feasibility::Infeasible(Infeasible::limit(rule, needed, available))
}

/// The first constraint that excludes the configuration. A constraint that cannot be evaluated is an error only if no
/// other excludes the configuration.
fn excluding<'a>(spec: &'a Spec, scope: &Scope) -> Result<Option<&'a Expression>, EvaluationError> {
    let mut without_value = None;
    for constraint in &spec.constraints {
        match constraint.holds(scope) {
            Ok(true) => {}
            Ok(false) => return Ok(Some(constraint)),
            Err(error) => without_value = without_value.or(Some(error)),
        }
    }
    without_value.map_or(Ok(None), Err)
}

/// Registers of a work item. With AMD's compiler, words that are kept for reuse take registers too.
fn registers(spec: &Spec, names: &GpuNames, scope: &Scope) -> Result<u128, EvaluationError> {
    let stated = wide(spec.resources.registers.count(scope)?);
    if names.amd == 0 { Ok(stated) } else { Ok(stated + wide(spec.resources.live.count(scope)?)) }
}

/// Words of a work item that wait for reuse and are not among its registers.
fn waiting(spec: &Spec, names: &GpuNames, scope: &Scope) -> Result<u64, EvaluationError> {
    if names.amd == 0 { Ok(spec.resources.live.count(scope)?.unsigned_abs()) } else { Ok(0) }
}

/// Sizes along x, y and z; missing ones are 1.
fn sizes(expressions: &[Expression], scope: &Scope) -> Result<[u64; 3], EvaluationError> {
    let mut sizes = [1; 3];
    for (size, expression) in sizes.iter_mut().zip(expressions) {
        *size = expression.positive(scope)?.unsigned_abs();
    }
    Ok(sizes)
}

fn wide(number: i64) -> u128 {
    number.unsigned_abs().into()
}

/// Saturates at 64 bits; the checks of the program refuse such a number.
fn saturated(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
