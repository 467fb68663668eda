//! Checks the statements of one configuration against the declarations of its spec: subscripts against shapes, `items`
//! against the work group, local arrays against the local memory.

mod local_arrays;
mod subscripts;

use std::cell::OnceCell;

use super::shared::Shared;
use crate::lowering::launch::Geometry;
use crate::lowering::stop::{LoweringProblem, LoweringStop, values};
use crate::spec::{Access, Banks, EvaluationError, Expression, LocalAccess, Pattern, Scope, Spec, Statement};
use subscripts::{Block, Ranges, blocks};

pub(in crate::lowering) use local_arrays::LocalArrays;

/// The errors in the statements that a work item executes, in the order of the body. Of `shared`, which may be empty, known
/// blocks belong to statements without errors.
pub(in crate::lowering) fn audit(
    spec: &Spec,
    scope: &Scope,
    geometry: &Geometry,
    shared: &[Shared],
) -> Vec<LoweringStop> {
    let launches = spec.launch.var.is_some().then_some(geometry.times);
    let counts = launches.into_iter().collect();
    let mut walk = Walk { scope, geometry, whole: OnceCell::new(), counts, problems: Vec::new() };
    for (position, statement) in spec.body.iter().enumerate() {
        if !matches!(shared.get(position), Some(Shared::Known(_))) {
            walk.body(std::slice::from_ref(statement), false);
        }
    }
    let mut problems = walk.problems;
    if let Some(stated) = &spec.resources.local_memory {
        problems.extend(
            LocalArrays::new(spec, scope, geometry.work_group).and_then(|arrays| arrays.fit(stated, scope)).err(),
        );
    }
    problems
}

struct Walk<'a> {
    scope: &'a Scope,
    geometry: &'a Geometry,
    /// The blocks of all work items, once an access has asked for them.
    whole: OnceCell<Vec<Block>>,
    /// Iterations of the surrounding loops with a counter, outermost first.
    counts: Vec<u64>,
    problems: Vec<LoweringStop>,
}

impl Walk<'_> {
    /// Checks statements; `guarded` is true if not every work item need take part.
    fn body(&mut self, statements: &[Statement], guarded: bool) {
        for statement in statements {
            let looked_at = match statement {
                Statement::Load(access) | Statement::Store(access) => self.access(access, guarded),
                Statement::Local(local) => self.local(local, guarded),
                Statement::Compute(compute) => {
                    self.items(compute.items.as_ref());
                    compute.per_item.mean(self.scope).map(drop).map_err(LoweringStop::from)
                }
                Statement::Copy(copy) => self.access(&copy.access, guarded),
                Statement::Matrix(product) => {
                    let numbers = product.macs(self.scope).and(product.local_bytes.count(self.scope));
                    numbers.and(product.per_warp.mean(self.scope)).map(drop).map_err(LoweringStop::from)
                }
                Statement::Wait(wait) => wait.pending.count(self.scope).map(drop).map_err(LoweringStop::from),
                Statement::Barrier(_) => Ok(()),
                Statement::Branch(branch) => {
                    self.body(&branch.then, true);
                    self.body(&branch.otherwise, true);
                    Ok(())
                }
                Statement::Loop(repeated) => {
                    repeated.count.count(self.scope).map_err(LoweringStop::from).map(|count| {
                        if count > 0 {
                            let around = self.counts.len();
                            self.counts.extend(repeated.var.is_some().then_some(count.unsigned_abs()));
                            self.body(&repeated.body, guarded);
                            self.counts.truncate(around);
                        }
                    })
                }
            };
            self.problems.extend(looked_at.err());
        }
    }

    fn access(&mut self, access: &Access, guarded: bool) -> Result<(), LoweringStop> {
        let items = self.items(access.items.as_ref());
        let repeated = (&access.per_item, access.var.is_some());
        self.subscripts(&access.pattern, repeated, items, &access.vector, guarded || access.guarded.holds(self.scope)?)
    }

    fn local(&mut self, local: &LocalAccess, guarded: bool) -> Result<(), LoweringStop> {
        let items = self.items(local.items.as_ref());
        let Banks::Pattern(pattern) = &local.banks else {
            return local.per_item.mean(self.scope).map(drop).map_err(LoweringStop::from);
        };
        let repeated = (&local.per_item, local.var.is_some());
        self.subscripts(pattern, repeated, items, &local.vector, guarded || local.guarded.holds(self.scope)?)
    }

    /// Work items of a group that execute a statement; all of them if the spec's number is wrong.
    fn items(&mut self, items: Option<&Expression>) -> u64 {
        let group = self.geometry.work_group;
        let Some(expression) = items else { return group };
        let problem = match expression.count(self.scope) {
            Ok(items) if items.unsigned_abs() <= group => return items.unsigned_abs(),
            Ok(items) => {
                let (items, values) = (items.unsigned_abs(), values(expression, self.scope));
                LoweringStop::At(expression.place(), LoweringProblem::Items { items, group, values })
            }
            Err(why) => why.into(),
        };
        self.problems.push(problem);
        group
    }

    /// Checks that an access stays inside its array. The pair is the number of repetitions and true if a counter
    /// numbers them.
    fn subscripts(
        &self,
        pattern: &Pattern,
        (per_item, has_counter): (&Expression, bool),
        items: u64,
        vector: &Expression,
        guarded: bool,
    ) -> Result<(), LoweringStop> {
        let per_item = per_item.mean(self.scope)?;
        let Pattern::Index(index) = pattern else { return Ok(()) };
        if *per_item.numer() == 0 || items == 0 {
            return Ok(());
        }
        // The counter of the access itself is the innermost, and counted repetitions are an integer.
        let own = has_counter.then(|| per_item.to_integer());
        let counts: Vec<u64> = self.counts.iter().copied().chain(own).collect();
        let some;
        let blocks = if items == self.geometry.work_group {
            self.whole.get_or_init(|| blocks(self.geometry, items))
        } else {
            some = blocks(self.geometry, items);
            &some
        };
        let ranges = Ranges { blocks, counts: &counts, names: &index.counters };
        ranges.check(index, self.scope, self.size(vector)?, guarded)
    }

    fn size(&self, expression: &Expression) -> Result<u64, EvaluationError> {
        expression.positive(self.scope).map(i64::unsigned_abs)
    }
}
