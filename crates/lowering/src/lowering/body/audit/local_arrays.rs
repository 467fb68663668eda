//! The local arrays that a spec names, and the local memory that a work group needs for them.

use crate::lowering::exact::Exact;
use crate::lowering::stop::{LoweringProblem, LoweringStop, values};
use crate::spec::{AsyncCopy, Banks, EvaluationError, Expression, LocalAccess, Pattern, Scope, Spec, Statement};
use autotune_machine::machine::MOST_PENDING;

/// The named local arrays of one configuration, each with its size in bytes, in the order of the body.
#[derive(Debug, Default)]
pub(in crate::lowering) struct LocalArrays(Vec<(String, u64)>);

impl LocalArrays {
    /// Collects the arrays that the work items of a group access: those whose shape the spec states, and those that copies
    /// fill.
    pub(in crate::lowering) fn new(spec: &Spec, scope: &Scope, work_group: u64) -> Result<Self, LoweringStop> {
        let mut arrays = Self::default();
        let mut copies = Vec::new();
        arrays.collect(&spec.body, scope, &mut copies)?;
        for copy in copies {
            let bytes = started(copy, scope, work_group)?.saturating_mul(stages(&spec.body, false, copy, scope)?);
            arrays.needs(&copy.to, bytes);
        }
        Ok(arrays)
    }

    /// Bytes of all arrays; 2^64 - 1 if the sum does not fit 64 bits, more than any machine has.
    pub(in crate::lowering) fn bytes(&self) -> u64 {
        self.0.iter().fold(0, |sum: u64, (_, bytes)| sum.saturating_add(*bytes))
    }

    /// Checks that the arrays fit the local memory that the spec states.
    pub(in crate::lowering) fn fit(&self, stated: &Expression, scope: &Scope) -> Result<(), LoweringStop> {
        let available = stated.count(scope)?.unsigned_abs();
        let needed = self.bytes();
        if needed <= available {
            return Ok(());
        }
        let arrays = self.0.iter().map(|(name, bytes)| format!("`{name}` {bytes}")).collect::<Vec<_>>().join(", ");
        let values = values(stated, scope);
        Err(LoweringStop::At(stated.place(), LoweringProblem::LocalArrays { needed, available, arrays, values }))
    }

    fn collect<'a>(
        &mut self,
        statements: &'a [Statement],
        scope: &Scope,
        copies: &mut Vec<&'a AsyncCopy>,
    ) -> Result<(), LoweringStop> {
        for statement in statements {
            match statement {
                Statement::Local(local) => self.add(local, scope)?,
                Statement::Copy(copy) => copies.push(copy),
                Statement::Loop(repeated) if repeated.count.count(scope)? > 0 => {
                    self.collect(&repeated.body, scope, copies)?;
                }
                Statement::Branch(branch) => {
                    self.collect(&branch.then, scope, copies)?;
                    self.collect(&branch.otherwise, scope, copies)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds the array of an access. An array that is accessed in several shapes has the largest.
    fn add(&mut self, local: &LocalAccess, scope: &Scope) -> Result<(), LoweringStop> {
        let (Some((_, array)), Banks::Pattern(pattern)) = (&local.array, &local.banks) else { return Ok(()) };
        let Pattern::Index(index) = &**pattern else { return Ok(()) };
        if *local.per_item.mean(scope)?.numer() == 0 {
            return Ok(());
        }
        let mut bytes = local.bytes.positive(scope)?.unsigned_abs();
        for extent in &index.shape {
            bytes = bytes.saturating_mul(extent.positive(scope)?.unsigned_abs());
        }
        self.needs(array, bytes);
        Ok(())
    }

    /// Adds an array of at least so many bytes.
    fn needs(&mut self, array: &str, bytes: u64) {
        match self.0.iter_mut().find(|(known, _)| known == array) {
            Some((_, known)) => *known = (*known).max(bytes),
            None => self.0.push((array.to_owned(), bytes)),
        }
    }
}

/// Bytes that one execution of a copy by a group brings to local memory, rounded down.
fn started(copy: &AsyncCopy, scope: &Scope, work_group: u64) -> Result<u64, EvaluationError> {
    let access = &copy.access;
    let items = access.items.as_ref().map_or(Ok(work_group), |items| items.count(scope).map(i64::unsigned_abs))?;
    let mut bytes = Exact::from(access.per_item.mean(scope)?) * Exact::from(items);
    for size in [&access.bytes, &access.vector] {
        bytes = bytes * Exact::from(size.positive(scope)?.unsigned_abs());
    }
    Ok(bytes.floor().unwrap_or(u64::MAX))
}

/// Stages that a copy fills: among the starts that a wait leaves pending and the one that is read meanwhile, those that fill
/// its array. The starts of a loop go round with it.
fn stages(statements: &[Statement], is_loop: bool, copy: &AsyncCopy, scope: &Scope) -> Result<u64, EvaluationError> {
    let mut stages = 1;
    let (mut starts, mut pending) = (Vec::new(), None);
    let mut is_open = false;
    for statement in statements {
        match statement {
            Statement::Copy(one) if one.queue == copy.queue => {
                if !std::mem::replace(&mut is_open, true) {
                    starts.push(false);
                }
                if let Some(fills) = starts.last_mut() {
                    *fills |= one.to == copy.to;
                }
                continue;
            }
            Statement::Wait(wait) if wait.queue == copy.queue => {
                pending = pending.max(Some(wait.pending.count(scope)?.unsigned_abs()));
            }
            Statement::Loop(inner) => {
                stages = stages.max(self::stages(&inner.body, true, copy, scope)?);
                let starts_too = |one: &Statement| matches!(one, Statement::Copy(one) if one.queue == copy.queue);
                if Statement::all(&inner.body).any(starts_too) {
                    // They lie between, and none of them is one of this list.
                    starts.push(false);
                }
            }
            Statement::Branch(branch) => {
                for side in [&branch.then, &branch.otherwise] {
                    stages = stages.max(self::stages(side, is_loop, copy, scope)?);
                }
            }
            _ => {}
        }
        is_open = false;
    }
    let together = pending.unwrap_or(0).min(MOST_PENDING) + 1;
    let round = if is_loop || starts.iter().all(|fills| *fills) { usize::MAX } else { 0 };
    let filled = |first: usize| {
        let (behind, around) = (starts[first..].iter(), starts.iter().cycle().take(round));
        behind.chain(around).zip(0..together).filter(|(fills, _)| **fills).count() as u64
    };
    Ok((0..starts.len()).map(filled).max().unwrap_or(0).max(stages))
}
