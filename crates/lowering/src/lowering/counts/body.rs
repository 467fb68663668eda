//! The executions of a body's statements.

use crate::lowering::counts::{Amount, CountedAt, Counts, Quantity};
use crate::lowering::exact::Exact;
use crate::lowering::launch::Geometry;
use crate::lowering::stop::LoweringStop;
use crate::spec::{AsyncCopy, Barrier, Branch, EvaluationError, Expression, OperationKind, Scope, Spec, Statement};
use autotune_base::text::Place;

/// The executions of a group.
pub(in crate::lowering) fn of_body(
    spec: &Spec,
    scope: &Scope,
    geometry: &Geometry,
    warp_size: u64,
) -> Result<Counts, LoweringStop> {
    let walk = Walk { scope, work_group: geometry.work_group, warp_size };
    let mut counts = walk.body(&spec.body, Exact::ONE)?;
    counts.local_memory = [geometry.local_memory; 2];
    Ok(counts)
}

struct Walk<'a> {
    scope: &'a Scope,
    /// Work items of a group.
    work_group: u64,
    warp_size: u64,
}

impl Walk<'_> {
    /// The executions of statements that each work item reaches that many times.
    fn body(&self, statements: &[Statement], times: Exact) -> Result<Counts, EvaluationError> {
        let mut counts = Counts::default();
        for statement in statements {
            match statement {
                Statement::Load(access) | Statement::Store(access) | Statement::Copy(AsyncCopy { access, .. }) => {
                    let is_store = matches!(statement, Statement::Store(_));
                    let quantity = if is_store { Quantity::Stores } else { Quantity::Loads };
                    let share = times * self.share(&access.per_item, access.items.as_ref())?;
                    let amount = self.access(share, [&access.bytes, &access.vector])?;
                    counts.add(quantity, at(access.place, &access.array), amount);
                }
                Statement::Local(local) => {
                    let share = times * self.share(&local.per_item, local.items.as_ref())?;
                    let array = local.array.as_ref().map_or("", |(_, name)| name);
                    counts.add(
                        Quantity::Local,
                        at(local.place, array),
                        self.access(share, [&local.bytes, &local.vector])?,
                    );
                }
                Statement::Compute(compute) => {
                    let share = times * self.share(&compute.per_item, compute.items.as_ref())?;
                    let is_fp32 = compute.kind == OperationKind::Fp32;
                    let quantity = if is_fp32 { Quantity::Fp32 } else { Quantity::Other };
                    counts.add(quantity, at(compute.place, ""), Amount::without_bytes(share));
                }
                Statement::Matrix(product) => {
                    let share = times * self.share(&product.per_warp, None)?;
                    counts.add(Quantity::Other, at(product.place, ""), Amount::without_bytes(share));
                }
                Statement::Wait(_) => {}
                Statement::Barrier(Barrier { place, .. }) => {
                    counts.add(Quantity::Barriers, at(*place, ""), Amount::without_bytes(times));
                }
                Statement::Branch(branch) => counts.append(self.branch(branch, times)?),
                Statement::Loop(repeated) => {
                    let count = repeated.count.count(self.scope)?.unsigned_abs();
                    if count > 0 {
                        counts.append(self.body(&repeated.body, times * Exact::from(count))?);
                    }
                }
            }
        }
        Ok(counts)
    }

    /// The executions of a branch: of both sides if it splits warps, else of each quantity's larger side, since the
    /// taken one is not known.
    fn branch(&self, branch: &Branch, times: Exact) -> Result<Counts, EvaluationError> {
        let mut counts = self.body(&branch.then, times)?;
        let mut others = self.body(&branch.otherwise, times)?;
        if !branch.divergent.holds(self.scope)? {
            let lesser = |one: &Counts, two: &Counts, quantity| {
                let executions = |counts: &Counts| counts.sum(quantity).executions;
                two.sum(quantity).executions.saturating_sub(executions(one)).is_positive()
            };
            for quantity in Quantity::ALL {
                let loser = if lesser(&counts, &others, quantity) { &mut counts } else { &mut others };
                loser.without(quantity);
            }
        }
        counts.append(others);
        Ok(counts)
    }

    /// Executions of a statement by all warps of the group: repetitions, and warps with a work item that takes part.
    fn share(&self, per_item: &Expression, items: Option<&Expression>) -> Result<Exact, EvaluationError> {
        let per_item = Exact::from(per_item.mean(self.scope)?);
        let items = items.map_or(Ok(self.work_group), |items| items.count(self.scope).map(i64::unsigned_abs))?;
        Ok(per_item * Exact::from(items.min(self.work_group).div_ceil(self.warp_size)))
    }

    fn access(&self, executions: Exact, sizes: [&Expression; 2]) -> Result<Amount, EvaluationError> {
        let mut bytes = executions;
        for size in sizes {
            bytes = bytes * Exact::from(size.positive(self.scope)?.unsigned_abs());
        }
        Ok(Amount { bytes, ..Amount::without_bytes(executions) })
    }
}

fn at(place: Place, array: &str) -> CountedAt {
    CountedAt { file: None, line: place.line, array: array.to_owned() }
}
