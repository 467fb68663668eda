//! The launch of a configuration and the limits that it may exceed.

use super::audit::LocalArrays;
use super::lowered::Attempt;
use super::{Feasibility, Infeasible, LimitRule};
use crate::machine::ProgramError;
use crate::source::{LaunchBounds, RegisterSource, Registers};
use crate::spec::{EvaluationError, Expression, GpuNames, Scope, Spec};

/// The sizes of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Geometry {
    /// Work items of a group along x, y, z.
    pub(crate) dims: [u64; 3],
    /// Groups of a launch along x, y, z.
    pub(crate) grid: [u64; 3],
    /// Work items of the last group along x, y, z.
    pub(super) rest: [u64; 3],
    /// Work items of a group: the product of `dims`.
    pub(crate) work_group: u64,
    /// Work groups of a launch.
    pub(crate) groups: u64,
    /// The number of launches.
    pub(crate) times: u64,
    /// Bytes of local memory of a group.
    pub(crate) local_memory: u64,
    /// Registers of a work item.
    pub(crate) registers: u64,
    /// Words of a work item that a back end spills; `None` if what is beyond the limit of registers spills.
    pub(super) spilled: Option<u64>,
    /// The groups for which the compiler leaves registers: what a work item needs beyond them spills. 0 if the number of
    /// registers is not an estimate.
    pub(super) fitted_groups: u64,
    /// Work items of the largest group for which the kernel is compiled; `None` if nothing bounds them.
    pub(super) fitted_items: Option<u64>,
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
        None => LocalArrays::of(spec, scope).map_or(0, |arrays| arrays.bytes()),
    };
    if u128::from(local_memory) > wide(names.local_memory) {
        return Ok(beyond(LimitRule::LocalMemory, u128::from(local_memory), names.local_memory));
    }
    let registers = registers(spec, names, scope)?;
    if !spills && registers > wide(names.register_limit) {
        return Ok(beyond(LimitRule::Registers, registers, names.register_limit));
    }
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
        local_memory,
        registers: saturated(registers),
        spilled: None,
        fitted_groups: 0,
        fitted_items: None,
    }))
}

impl Geometry {
    /// Takes the registers that a compiler gives a work item, and the launches for which it does so.
    pub(super) fn compiled(&mut self, registers: &Registers, bounds: &LaunchBounds) {
        self.registers = registers.value.into();
        self.fitted_items = bounds.most_items;
        if registers.source == RegisterSource::Estimate {
            self.fitted_groups = bounds.least_groups.unwrap_or(1).max(1);
        } else {
            self.spilled = Some(registers.spilled_bytes.unwrap_or(0).div_ceil(4));
        }
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
