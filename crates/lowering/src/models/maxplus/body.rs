//! The parts of a kernel on a lockstep GPU: a spec's body, statement by statement.
//!
//! t and T are the profile's, by default GMT, and everything else is an operation.

use super::parts::{KernelError, Operation, Part, Read, Write};
use super::phases::barrier_name;
use crate::gpu::Lockstep;
use crate::lowering::MACS_PER_TICK;
use crate::spec::{Access, AsyncCopy, Barrier, Compute, Expression, MATRIX, Scope, Spec, Statement};
use autotune_base::text::Place;

/// The parts of a spec's body.
pub(super) fn parts(spec: &Spec, gpu: &Lockstep, scope: &Scope) -> Result<Vec<Part>, KernelError> {
    Walk { gpu, scope }.body(&spec.body)
}

struct Walk<'a> {
    gpu: &'a Lockstep,
    scope: &'a Scope,
}

impl Walk<'_> {
    fn body(&self, statements: &[Statement]) -> Result<Vec<Part>, KernelError> {
        let mut parts = Vec::new();
        // True if the statement before is a load of this body.
        let mut loading = false;
        for statement in statements {
            let before = parts.len();
            match statement {
                Statement::Load(access) | Statement::Copy(AsyncCopy { access, .. }) => {
                    if let Some(read) = self.read(access)? {
                        match parts.last_mut() {
                            Some(Part::Reads(reads)) if loading => reads.push(read),
                            _ => parts.push(Part::Reads(vec![read])),
                        }
                        loading = true;
                    }
                    continue;
                }
                Statement::Store(access) => parts.extend(self.write(access)?),
                Statement::Local(access) => {
                    let price = [self.gpu.local_memory_ticks, 1];
                    parts.extend(self.operation("local", access.place, &access.per_item, price)?);
                }
                Statement::Compute(compute) => parts.extend(self.compute(compute)?),
                Statement::Matrix(product) => {
                    let price = [product.macs(self.scope)?, MACS_PER_TICK];
                    parts.extend(self.operation(MATRIX, product.place, &product.per_warp, price)?);
                }
                Statement::Wait(_) => {}
                Statement::Barrier(stated) => parts.push(barrier(stated)),
                Statement::Branch(branch) => {
                    let sides = [self.body(&branch.then)?, self.body(&branch.otherwise)?];
                    if branch.divergent.holds(self.scope)? {
                        parts.extend(sides.into_iter().flatten());
                    } else if sides.iter().any(|side| !side.is_empty()) {
                        parts.push(Part::Branch(sides));
                    }
                }
                Statement::Loop(repeated) => {
                    let count = self.count(&repeated.count)?;
                    if count > 0 {
                        let body = self.body(&repeated.body)?;
                        parts.extend((!body.is_empty()).then_some(Part::Loop { count, body }));
                    }
                }
            }
            // A statement of count 0 adds no part, so it does not separate loads.
            loading &= parts.len() == before;
        }
        Ok(parts)
    }

    fn read(&self, access: &Access) -> Result<Option<Read>, KernelError> {
        let accesses = self.whole(&access.per_item)?;
        let read = Read {
            name: access.array.clone(),
            line: Some(access.place.line),
            accesses: accesses.into(),
            ticks: self.gpu.load_ticks(),
            delay: self.gpu.load_delay(),
            wait: 0,
            uses: Vec::new(),
        };
        Ok((accesses > 0).then_some(read))
    }

    fn write(&self, access: &Access) -> Result<Option<Part>, KernelError> {
        let accesses = self.whole(&access.per_item)?;
        let write = Write {
            name: access.array.clone(),
            line: Some(access.place.line),
            accesses: accesses.into(),
            ticks: self.gpu.store_ticks(),
            delay: self.gpu.store_delay(),
            wait: 0,
            uses: Vec::new(),
        };
        Ok((accesses > 0).then_some(Part::Write(write)))
    }

    fn compute(&self, compute: &Compute) -> Result<Option<Part>, KernelError> {
        self.operation("compute", compute.place, &compute.per_item, [self.gpu.compute_ticks(), 1])
    }

    /// An operation of `price` ticks, which `shared` lanes divide among them.
    fn operation(
        &self,
        name: &str,
        place: Place,
        per_item: &Expression,
        [price, shared]: [u64; 2],
    ) -> Result<Option<Part>, KernelError> {
        let (accesses, of) = per_item.mean(self.scope)?.into_raw();
        let ticks = u128::from(accesses).saturating_mul(price.into()).div_ceil(u128::from(of) * u128::from(shared));
        let operation = Operation { name: name.to_owned(), line: Some(place.line), ticks, uses: Vec::new() };
        Ok((ticks > 0).then_some(Part::Operation(operation)))
    }

    /// The whole part of a mean number of accesses. The fraction takes 0 ticks here, so that a bound stays a bound.
    fn whole(&self, per_item: &Expression) -> Result<u64, KernelError> {
        Ok(per_item.mean(self.scope)?.to_integer())
    }

    fn count(&self, expression: &Expression) -> Result<u64, KernelError> {
        Ok(expression.count(self.scope)?.unsigned_abs())
    }
}

fn barrier(stated: &Barrier) -> Part {
    let name = barrier_name(stated.is_of_grid).to_owned();
    Part::Barrier(Operation { name, line: Some(stated.place.line), ticks: 0, uses: Vec::new() })
}
