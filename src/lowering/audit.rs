//! What the statements of one configuration do, held against what its spec declares: subscripts against shapes, `items`
//! against the work group, local arrays against the local memory. On the way it sums up what the whole launch stores and
//! computes.

use crate::spec::{
    Access, Banks, Branch, Compute, EvaluationError, Expression, LocalAccess, Pattern, Scope, Spec, Statement,
};

use super::exact::Exact;
use super::launch::Geometry;
use super::stop::{Problem, Stop};
use super::subject::{Subject, subjects};

mod local_arrays;
mod subscripts;

pub(super) use local_arrays::LocalArrays;
use subscripts::Ranges;

/// What was found in one configuration.
#[derive(Debug)]
pub(super) struct Audit {
    /// What is wrong, in the order of the spec.
    pub(super) problems: Vec<Stop>,
    /// What the whole launch does, in the order of [`subjects`].
    pub(super) amounts: Vec<Exact>,
}

/// Looks at every statement that somebody executes.
pub(super) fn audit(spec: &Spec, scope: &Scope, geometry: &Geometry) -> Audit {
    let subjects = subjects(spec);
    let launch = spec.launch.var.is_some().then_some(geometry.times);
    let mut walk =
        Walk { scope, geometry, subjects: &subjects, counts: launch.into_iter().collect(), problems: Vec::new() };
    let executions = Exact::from(geometry.groups) * Exact::from(geometry.times);
    let amounts = walk.body(&spec.body, executions, false);
    let Walk { mut problems, .. } = walk;
    problems.extend(LocalArrays::of(spec, scope).and_then(|arrays| arrays.fit(spec, scope)).err());
    Audit { problems, amounts }
}

struct Walk<'a> {
    scope: &'a Scope,
    geometry: &'a Geometry,
    subjects: &'a [Subject<'a>],
    /// Iterations of the loops around that have a counter, outermost first.
    counts: Vec<u64>,
    problems: Vec<Stop>,
}

impl Walk<'_> {
    /// What some statements do that are executed so often, each time by all groups; `guarded` where not every work item
    /// need take part.
    fn body(&mut self, statements: &[Statement], executions: Exact, guarded: bool) -> Vec<Exact> {
        let mut amounts = vec![Exact::ZERO; self.subjects.len()];
        for statement in statements {
            let done = match statement {
                Statement::Load(access) => self.access(access, executions, guarded).map(|_| None),
                Statement::Store(access) => self
                    .access(access, executions, guarded)
                    .map(|bytes| Some((Subject::Stored { array: &access.array, place: access.place }, bytes))),
                Statement::Local(local) => self.local(local, guarded).map(|()| None),
                Statement::Compute(compute) => self
                    .compute(compute, executions)
                    .map(|number| Some((Subject::Operations { kind: compute.kind, place: compute.place }, number))),
                Statement::Barrier(_) => Ok(None),
                Statement::Branch(branch) => {
                    add(&mut amounts, &self.branch(branch, executions));
                    Ok(None)
                }
                Statement::Loop(repeated) => repeated.count.count(self.scope).map_err(Stop::from).map(|count| {
                    if count > 0 {
                        let count = count.unsigned_abs();
                        self.counts.extend(repeated.var.is_some().then_some(count));
                        let done = self.body(&repeated.body, executions * Exact::from(count), guarded);
                        self.counts.truncate(self.counts.len() - usize::from(repeated.var.is_some()));
                        add(&mut amounts, &done);
                    }
                    None
                }),
            };
            match done {
                Ok(None) => {}
                Ok(Some((subject, amount))) => {
                    let known = self.subjects.iter().position(|known| known.is_same(&subject));
                    if let Some(known) = known {
                        amounts[known] += amount;
                    }
                }
                Err(problem) => self.problems.push(problem),
            }
        }
        amounts
    }

    /// Both sides of a branch that splits warps; of another the one that does more, for nobody knows which it is.
    fn branch(&mut self, branch: &Branch, executions: Exact) -> Vec<Exact> {
        let mut amounts = self.body(&branch.then, executions, true);
        let others = self.body(&branch.otherwise, executions, true);
        match branch.divergent.holds(self.scope) {
            Ok(true) => add(&mut amounts, &others),
            Ok(false) => {
                for (amount, other) in amounts.iter_mut().zip(others) {
                    *amount = amount.max(other);
                }
            }
            Err(why) => self.problems.push(why.into()),
        }
        amounts
    }

    /// Bytes that all work items move.
    fn access(&mut self, access: &Access, executions: Exact, guarded: bool) -> Result<Exact, Stop> {
        let (per_item, items) = self.share(&access.per_item, access.items.as_ref())?;
        if !per_item.is_positive() || items == 0 {
            return Ok(Exact::ZERO);
        }
        let own = access.var.is_some().then_some(per_item);
        self.subscripts(&access.pattern, own, items, &access.vector, guarded || access.guarded.holds(self.scope)?)?;
        let width = Exact::from(self.size(&access.bytes)?) * Exact::from(self.size(&access.vector)?);
        Ok(executions * per_item * Exact::from(items) * width)
    }

    fn local(&mut self, local: &LocalAccess, guarded: bool) -> Result<(), Stop> {
        let (per_item, items) = self.share(&local.per_item, local.items.as_ref())?;
        let own = local.var.is_some().then_some(per_item);
        match &local.banks {
            Banks::Pattern(pattern) if per_item.is_positive() && items > 0 => {
                self.subscripts(pattern, own, items, &local.vector, guarded || local.guarded.holds(self.scope)?)
            }
            _ => Ok(()),
        }
    }

    /// Operations of all work items.
    fn compute(&self, compute: &Compute, executions: Exact) -> Result<Exact, Stop> {
        let (per_item, items) = self.share(&compute.per_item, compute.items.as_ref())?;
        Ok(executions * per_item * Exact::from(items))
    }

    /// How often a work item executes a statement, and how many of a group do.
    fn share(&self, per_item: &Expression, items: Option<&Expression>) -> Result<(Exact, u64), Stop> {
        let per_item = per_item.mean(self.scope)?.into();
        let group = self.geometry.work_group;
        let Some(expression) = items else { return Ok((per_item, group)) };
        let items = expression.count(self.scope)?.unsigned_abs();
        if items > group {
            let values = values(expression, self.scope);
            return Err(Stop::At(expression.place(), Problem::Items { items, group, values }));
        }
        Ok((per_item, items))
    }

    /// That an access stays inside its array.
    fn subscripts(
        &self,
        pattern: &Pattern,
        own: Option<Exact>,
        items: u64,
        vector: &Expression,
        guarded: bool,
    ) -> Result<(), Stop> {
        let Pattern::Index(index) = pattern else { return Ok(()) };
        // The counter of the access itself is the innermost.
        let own = own.and_then(Exact::ceil);
        let counts: Vec<u64> = self.counts.iter().copied().chain(own).collect();
        let ranges = Ranges { geometry: self.geometry, items, counts: &counts, names: &index.counters };
        ranges.check(index, self.scope, self.size(vector)?, guarded)
    }

    fn size(&self, expression: &Expression) -> Result<u64, EvaluationError> {
        expression.positive(self.scope).map(i64::unsigned_abs)
    }
}

fn add(amounts: &mut [Exact], more: &[Exact]) {
    for (amount, more) in amounts.iter_mut().zip(more) {
        *amount += *more;
    }
}

/// The names in an expression and their values: `TS = 16, size = 1024`.
pub(super) fn values(expression: &Expression, scope: &Scope) -> String {
    let named = scope.values_in(expression).into_iter().map(|(name, value)| format!("{name} = {value}"));
    named.collect::<Vec<_>>().join(", ")
}
