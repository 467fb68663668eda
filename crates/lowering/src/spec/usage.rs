//! The use of parameters in a spec.

use std::collections::BTreeSet;

use super::domain::Domain;
use super::expression::{Expression, GPU_NAMES, Slot};
use super::statement::{Access, Banks, LocalAccess, Pattern, Statement};
use super::{Launch, Parameter, Resources, Spec};

impl Spec {
    /// Returns the parameters that no launch, resource, statement or constraint uses, directly or through a `let`, and
    /// that the spec does not declare as `unused`.
    #[must_use]
    pub fn unused(&self) -> Vec<&Parameter> {
        let used = used(self);
        let unused = self.parameters.iter().zip(used).filter(|(_, used)| !used).map(|(parameter, _)| parameter);
        unused.filter(|parameter| !self.meant_unused.contains(&parameter.name)).collect()
    }

    /// True for the slot of a parameter, of a `let` or of `concurrent`: all others have one value in a space.
    pub(crate) fn slot_varies(&self, slot: Slot) -> bool {
        slot >= self.names.first_parameter()
    }

    /// True if domains or constraints use a name of the GPU, directly or through a `let`: another GPU may have another space.
    #[must_use]
    pub fn space_asks_gpu(&self) -> bool {
        let of_domains = self.parameters.iter().flat_map(|parameter| of_domain(&parameter.domain));
        let used = reached(self, of_domains.chain(&self.constraints));
        used[..GPU_NAMES.len()].contains(&true)
    }
}

impl Statement {
    /// The slots of the parameters and `let`s that the statement uses, and the statements in it; each once.
    pub(crate) fn slots(&self, spec: &Spec) -> Vec<Slot> {
        let ours = spec.names.first_parameter()..spec.names.concurrent();
        let slots = expressions(std::slice::from_ref(self)).into_iter().flat_map(Expression::slots);
        slots.filter(|slot| ours.contains(slot)).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// True if two configurations that differ in time or feasibility also differ in what the statement or the launch uses.
    pub(crate) fn depends_on_all(&self, spec: &Spec) -> bool {
        let own = expressions(std::slice::from_ref(self));
        spec.kernel_source.is_some() || parameters(spec, own.into_iter().chain(of_launch(spec))) == used(spec)
    }
}

/// For each parameter, in the order of the spec: true if it can change a configuration's time or feasibility.
pub(super) fn used(spec: &Spec) -> Vec<bool> {
    if spec.kernel_source.is_some() {
        // Parameters reach the source as macros.
        return vec![true; spec.parameters.len()];
    }
    let excluding = spec.constraints.iter();
    parameters(spec, expressions(&spec.body).into_iter().chain(of_launch(spec)).chain(excluding))
}

/// The expressions of the launch and of the resources.
fn of_launch(spec: &Spec) -> impl Iterator<Item = &Expression> {
    let Launch { work_items, work_group, shared, times, is_warm: _, var: _ } = &spec.launch;
    let Resources { local_memory, registers, live, spilled, spill_uses, compiled_for, dynamic: _ } = &spec.resources;
    let stated = work_items.iter().chain(work_group).chain(local_memory).chain(spilled).chain(spill_uses);
    stated.chain(compiled_for).chain(shared).chain([times, registers, live])
}

/// The expressions of statements and of those in them.
fn expressions(body: &[Statement]) -> Vec<&Expression> {
    let mut expressions = Vec::new();
    Statement::all(body).for_each(|statement| own(statement, &mut expressions));
    expressions
}

/// The expressions of a domain.
fn of_domain(domain: &Domain) -> Vec<&Expression> {
    match domain {
        Domain::Values(values) => values.iter().collect(),
        Domain::PowersOfTwo { from, to } => vec![from, to],
        Domain::Range { from, to, step } => vec![from, to, step],
    }
}

/// For each parameter, in the order of the spec: true if one of the expressions uses it, directly or through a `let`.
fn parameters<'a>(spec: &Spec, expressions: impl IntoIterator<Item = &'a Expression>) -> Vec<bool> {
    reached(spec, expressions)[spec.names.first_parameter()..spec.names.first_let()].to_vec()
}

/// For each slot up to the last `let`: true if one of the expressions uses it, directly or through a `let`.
fn reached<'a>(spec: &Spec, expressions: impl IntoIterator<Item = &'a Expression>) -> Vec<bool> {
    let first_let = spec.names.first_let();
    let mut used = vec![false; first_let + spec.lets.len()];
    for slot in expressions.into_iter().flat_map(Expression::slots) {
        if let Some(used) = used.get_mut(slot) {
            *used = true;
        }
    }
    // A `let` uses only names above it.
    for (position, (_, expression)) in spec.lets.iter().enumerate().rev() {
        if used[first_let + position] {
            expression.slots().into_iter().for_each(|slot| used[slot] = true);
        }
    }
    used
}

/// Appends the expressions of a statement; a loop's and a branch's statements are not its own.
fn own<'a>(statement: &'a Statement, expressions: &mut Vec<&'a Expression>) {
    match statement {
        Statement::Load(accessed) | Statement::Store(accessed) => access(accessed, expressions),
        Statement::Local(accessed) => local(accessed, expressions),
        Statement::Compute(compute) => {
            expressions.extend(
                [&compute.per_item, &compute.constants].into_iter().chain(&compute.chain).chain(&compute.items),
            );
        }
        Statement::Copy(copy) => {
            access(&copy.access, expressions);
            expressions.push(&copy.conflict);
        }
        Statement::Wait(wait) => expressions.push(&wait.pending),
        Statement::Matrix(product) => {
            expressions.extend(product.shape.iter().chain([&product.per_warp, &product.local_bytes]));
        }
        Statement::Barrier(_) => {}
        Statement::Branch(branch) => expressions.push(&branch.divergent),
        Statement::Loop(repeated) => expressions.push(&repeated.count),
    }
}

fn access<'a>(access: &'a Access, expressions: &mut Vec<&'a Expression>) {
    let Access { per_item, bytes, vector, guarded, ordered, atomic, in_flight, .. } = access;
    expressions.extend([per_item, bytes, vector, guarded, ordered, atomic, in_flight]);
    expressions.extend(access.items.iter().chain(&access.round_trips));
    expressions.extend(access.footprint.group.iter().chain(&access.footprint.together));
    expressions.extend(access.footprint.sectors.iter().chain(&access.footprint.lines).chain(&access.footprint.partial));
    expressions.extend(access.footprint.rows.iter().flat_map(|rows| [&rows.bytes, &rows.pitch]));
    pattern(&access.pattern, expressions);
}

fn local<'a>(access: &'a LocalAccess, expressions: &mut Vec<&'a Expression>) {
    let LocalAccess { per_item, bytes, vector, guarded, .. } = access;
    expressions.extend([per_item, bytes, vector, guarded].into_iter().chain(&access.items));
    match &access.banks {
        Banks::Pattern(one) => pattern(one, expressions),
        Banks::Conflict(ways) => expressions.push(ways),
    }
}

fn pattern<'a>(pattern: &'a Pattern, expressions: &mut Vec<&'a Expression>) {
    match pattern {
        Pattern::Lanes(stride) => expressions.push(stride),
        Pattern::Axes(strides) => expressions.extend(strides),
        Pattern::Index(index) => expressions.extend(index.subscripts.iter().chain(&index.shape)),
    }
}
