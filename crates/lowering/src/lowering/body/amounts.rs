//! The amounts that all launches of a configuration store and compute, summed over all launched work items.

use num_rational::Ratio;

use super::subject::{Subject, subjects};
use crate::lowering::exact::Exact;
use crate::lowering::launch::Geometry;
use crate::spec::{Access, Branch, Compute, EvaluationError, Expression, MatrixProduct, Scope, Spec, Statement};

/// The amount of each of [`subjects`], in their order: bytes stored, or operations.
pub(in crate::lowering) fn amounts(
    spec: &Spec,
    scope: &Scope,
    geometry: &Geometry,
    warp_size: u64,
) -> Result<Vec<Exact>, EvaluationError> {
    let walk = Walk { scope, geometry, warp_size, subjects: &subjects(spec) };
    walk.body(&spec.body, Exact::from(geometry.groups) * Exact::from(geometry.times))
}

struct Walk<'a> {
    scope: &'a Scope,
    geometry: &'a Geometry,
    warp_size: u64,
    subjects: &'a [Subject<'a>],
}

impl Walk<'_> {
    /// The amounts of statements that all groups together execute `executions` times.
    fn body(&self, statements: &[Statement], executions: Exact) -> Result<Vec<Exact>, EvaluationError> {
        let mut amounts = vec![Exact::ZERO; self.subjects.len()];
        for statement in statements {
            match statement {
                Statement::Load(_)
                | Statement::Local(_)
                | Statement::Copy(_)
                | Statement::Wait(_)
                | Statement::Barrier(_) => {}
                Statement::Store(access) => {
                    let subject = Subject::Stored { array: &access.array, place: access.place };
                    self.add(&mut amounts, subject, executions * self.stored(access)?);
                }
                Statement::Compute(compute) => {
                    let subject = Subject::Operations { kind: compute.kind, place: compute.place };
                    self.add(&mut amounts, subject, executions * self.computed(compute)?);
                }
                Statement::Matrix(product) => {
                    let subject = Subject::Products { place: product.place };
                    self.add(&mut amounts, subject, executions * self.multiplied(product)?);
                }
                Statement::Branch(branch) => add_all(&mut amounts, &self.branch(branch, executions)?),
                Statement::Loop(repeated) => {
                    let count = repeated.count.count(self.scope)?.unsigned_abs();
                    if count > 0 {
                        add_all(&mut amounts, &self.body(&repeated.body, executions * Exact::from(count))?);
                    }
                }
            }
        }
        Ok(amounts)
    }

    fn add(&self, amounts: &mut [Exact], subject: Subject<'_>, amount: Exact) {
        if let Some(known) = self.subjects.iter().position(|known| known.is_same(&subject)) {
            amounts[known] += amount;
        }
    }

    /// The amounts of a branch: of both sides if it splits warps, else of the larger side, since the taken one is not
    /// known.
    fn branch(&self, branch: &Branch, executions: Exact) -> Result<Vec<Exact>, EvaluationError> {
        let mut amounts = self.body(&branch.then, executions)?;
        let others = self.body(&branch.otherwise, executions)?;
        if branch.divergent.holds(self.scope)? {
            add_all(&mut amounts, &others);
        } else {
            for (amount, other) in amounts.iter_mut().zip(others) {
                *amount = amount.max(other);
            }
        }
        Ok(amounts)
    }

    /// Bytes that a group stores; the average over the groups if the kernel skips work items beyond `work_items`.
    fn stored(&self, access: &Access) -> Result<Exact, EvaluationError> {
        let size =
            |expression: &Expression| expression.positive(self.scope).map(|size| Exact::from(size.unsigned_abs()));
        let mut accesses = self.accesses(&access.per_item, access.items.as_ref())?;
        if access.items.is_none() && access.guarded.holds(self.scope)? {
            accesses = accesses * self.taking_part();
        }
        Ok(accesses * size(&access.bytes)? * size(&access.vector)?)
    }

    fn computed(&self, compute: &Compute) -> Result<Exact, EvaluationError> {
        self.accesses(&compute.per_item, compute.items.as_ref())
    }

    /// Products of a group's warps.
    fn multiplied(&self, product: &MatrixProduct) -> Result<Exact, EvaluationError> {
        let warps = Exact::from(self.geometry.work_group.div_ceil(self.warp_size));
        Ok(Exact::from(product.per_warp.mean(self.scope)?) * Exact::from(product.macs(self.scope)?) * warps)
    }

    /// Repetitions of a statement by all work items of a group together.
    fn accesses(&self, per_item: &Expression, items: Option<&Expression>) -> Result<Exact, EvaluationError> {
        let per_item: Ratio<u64> = per_item.mean(self.scope)?;
        let group = self.geometry.work_group;
        let items = items.map_or(Ok(group), |items| items.count(self.scope).map(i64::unsigned_abs))?;
        Ok(Exact::from(per_item) * Exact::from(items.min(group)))
    }

    /// The fraction of the launched work items that are not beyond `work_items`.
    fn taking_part(&self) -> Exact {
        let Geometry { dims, grid, rest, .. } = self.geometry;
        (0..3).fold(Exact::ONE, |part, axis| {
            let launched = Exact::from(grid[axis]) * Exact::from(dims[axis]);
            part * launched.saturating_sub(Exact::from(dims[axis] - rest[axis])) / launched
        })
    }
}

fn add_all(amounts: &mut [Exact], more: &[Exact]) {
    for (amount, more) in amounts.iter_mut().zip(more) {
        *amount += *more;
    }
}
