//! The local arrays that a spec names, and the local memory that a work group needs for them.

use crate::lowering::stop::{LoweringProblem, Stop, values};
use crate::spec::{Banks, Expression, LocalAccess, Pattern, Scope, Spec, Statement};

/// The named local arrays of one configuration, each with its size in bytes, in the order of the body.
#[derive(Debug, Default)]
pub(in crate::lowering) struct LocalArrays(Vec<(String, u64)>);

impl LocalArrays {
    /// Collects the arrays that a work item accesses and whose shape the spec states.
    pub(in crate::lowering) fn new(spec: &Spec, scope: &Scope) -> Result<Self, Stop> {
        let mut arrays = Self::default();
        arrays.collect(&spec.body, scope)?;
        Ok(arrays)
    }

    /// Bytes of all arrays; 2^64 - 1 if the sum does not fit 64 bits, more than any machine has.
    pub(in crate::lowering) fn bytes(&self) -> u64 {
        self.0.iter().fold(0, |sum: u64, (_, bytes)| sum.saturating_add(*bytes))
    }

    /// Checks that the arrays fit the local memory that the spec states.
    pub(in crate::lowering) fn fit(&self, stated: &Expression, scope: &Scope) -> Result<(), Stop> {
        let available = stated.count(scope)?.unsigned_abs();
        let needed = self.bytes();
        if needed <= available {
            return Ok(());
        }
        let arrays = self.0.iter().map(|(name, bytes)| format!("`{name}` {bytes}")).collect::<Vec<_>>().join(", ");
        let values = values(stated, scope);
        Err(Stop::At(stated.place(), LoweringProblem::LocalArrays { needed, available, arrays, values }))
    }

    fn collect(&mut self, statements: &[Statement], scope: &Scope) -> Result<(), Stop> {
        for statement in statements {
            match statement {
                Statement::Local(local) => self.add(local, scope)?,
                Statement::Loop(repeated) if repeated.count.count(scope)? > 0 => self.collect(&repeated.body, scope)?,
                Statement::Branch(branch) => {
                    self.collect(&branch.then, scope)?;
                    self.collect(&branch.otherwise, scope)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds the array of an access. An array that is accessed in several shapes has the largest.
    fn add(&mut self, local: &LocalAccess, scope: &Scope) -> Result<(), Stop> {
        let (Some((_, array)), Banks::Pattern(pattern)) = (&local.array, &local.banks) else { return Ok(()) };
        let Pattern::Index(index) = &**pattern else { return Ok(()) };
        if *local.per_item.mean(scope)?.numer() == 0 {
            return Ok(());
        }
        let mut bytes = local.bytes.positive(scope)?.unsigned_abs();
        for extent in &index.shape {
            bytes = bytes.saturating_mul(extent.positive(scope)?.unsigned_abs());
        }
        match self.0.iter_mut().find(|(known, _)| known == array) {
            Some((_, known)) => *known = (*known).max(bytes),
            None => self.0.push((array.clone(), bytes)),
        }
        Ok(())
    }
}
