//! The enumeration of a space: depth first, one parameter a level, without the subtrees that a constraint excludes.

use std::ops::ControlFlow;

use super::{Space, Visit};
use crate::spec::{Expression, FaultAt, Lookup, Names, Slot, Spec, SpecError};

/// The depths at which constraints can be tried and `let`s evaluated. A depth is the number of parameters with values.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// By depth, the constraints that can first be tried there, in the spec's order.
    constraints: Vec<Vec<usize>>,
    /// By depth, the `let`s that can first be evaluated there.
    lets: Vec<Vec<usize>>,
    /// For each `let`, the `let`s that it is computed from and then itself, in the spec's order.
    inputs: Vec<Vec<usize>>,
}

impl Plan {
    pub(super) fn new(spec: &Spec, names: &Names) -> Self {
        let levels = spec.parameters.len() + 1;
        let mut depths: Vec<usize> = Vec::new();
        let mut inputs: Vec<Vec<usize>> = Vec::new();
        let mut lets = vec![Vec::new(); levels];
        for (position, (_, expression)) in spec.lets.iter().enumerate() {
            let depth = depth(expression, names, &depths);
            let direct = expression.slots().into_iter().filter(|slot| *slot >= names.first_let());
            let mut all: Vec<_> = direct.flat_map(|slot| inputs[slot - names.first_let()].clone()).collect();
            all.push(position);
            all.sort_unstable();
            all.dedup();
            lets[depth].push(position);
            depths.push(depth);
            inputs.push(all);
        }
        let mut constraints = vec![Vec::new(); levels];
        for (position, expression) in spec.constraints.iter().enumerate() {
            constraints[depth(expression, names, &depths)].push(position);
        }
        Self { constraints, lets, inputs }
    }
}

/// The depth at which an expression can be evaluated; `lets` holds the depths of the `let`s above it.
fn depth(expression: &Expression, names: &Names, lets: &[usize]) -> usize {
    let of_slot = |slot: Slot| match slot.checked_sub(names.first_let()) {
        Some(position) => lets[position],
        None => (slot + 1).saturating_sub(names.first_parameter()),
    };
    expression.slots().into_iter().map(of_slot).max().unwrap_or(0)
}

/// The state of a `let`.
#[derive(Debug, Clone)]
enum Known {
    /// The `let` is not yet evaluated.
    Not,
    /// The value is in the `let`'s slot.
    Value,
    /// The `let` cannot be evaluated.
    Fault(Culprit),
}

/// The part of an expression that cannot be evaluated.
#[derive(Debug, Clone)]
struct Culprit {
    /// The `let` that contains the part; `None` if the evaluated expression itself does.
    of_let: Option<usize>,
    fault: FaultAt,
}

impl From<FaultAt> for Culprit {
    fn from(fault: FaultAt) -> Self {
        Self { of_let: None, fault }
    }
}

/// The values of the parameters so far, and of the `let`s that were needed.
struct Values<'a> {
    spec: &'a Spec,
    plan: &'a Plan,
    first_let: Slot,
    slots: Vec<i64>,
    lets: Vec<Known>,
}

impl Lookup for Values<'_> {
    type Stop = Culprit;

    fn value(&mut self, slot: Slot) -> Result<i64, Culprit> {
        if let Some(position) = slot.checked_sub(self.first_let) {
            self.know(position)?;
        }
        Ok(self.slots[slot])
    }
}

impl Values<'_> {
    /// Evaluates a `let` unless it is known since its parameters last changed; the `let`s that it needs come first.
    fn know(&mut self, position: usize) -> Result<(), Culprit> {
        let plan = self.plan;
        if matches!(self.lets[position], Known::Not) {
            for &input in &plan.inputs[position] {
                if matches!(self.lets[input], Known::Not) {
                    self.compute(input);
                }
            }
        }
        match &self.lets[position] {
            Known::Fault(culprit) => Err(culprit.clone()),
            Known::Not | Known::Value => Ok(()),
        }
    }

    fn compute(&mut self, position: usize) {
        let spec = self.spec;
        self.lets[position] = match spec.lets[position].1.evaluate_with(self) {
            Ok(value) => {
                self.slots[self.first_let + position] = value;
                Known::Value
            }
            Err(culprit) => Known::Fault(Culprit { of_let: culprit.of_let.or(Some(position)), ..culprit }),
        };
    }
}

pub(super) struct Walk<'a, 'v> {
    space: &'a Space<'a>,
    domains: &'a [Vec<i64>],
    visit: &'v mut dyn FnMut(Visit<'_>) -> ControlFlow<()>,
    values: Values<'a>,
    /// Constraints that cannot be evaluated for the chosen values; an error if no other constraint excludes them.
    faulty: Vec<(usize, Culprit)>,
}

impl<'a, 'v> Walk<'a, 'v> {
    pub(super) fn new(
        space: &'a Space<'a>,
        domains: &'a [Vec<i64>],
        visit: &'v mut dyn FnMut(Visit<'_>) -> ControlFlow<()>,
    ) -> Self {
        let values = Values {
            spec: space.spec,
            plan: &space.plan,
            first_let: space.scope.names.first_let(),
            slots: space.scope.values.clone(),
            lets: vec![Known::Not; space.spec.lets.len()],
        };
        Self { space, domains, visit, values, faulty: Vec::new() }
    }

    pub(super) fn run(mut self) -> Result<(), SpecError> {
        self.descend(0).map(|_| ())
    }

    /// Visits all configurations that begin with the first `depth` values.
    fn descend(&mut self, depth: usize) -> Result<ControlFlow<()>, SpecError> {
        let mark = self.faulty.len();
        let flow = match self.exclude(depth) {
            Some(constraint) => {
                let first = self.space.scope.names.first_parameter();
                (self.visit)(Visit::Excluded {
                    chosen: &self.values.slots[first..first + depth],
                    constraint,
                    configurations: self.space.completions[depth],
                })
            }
            None if depth == self.domains.len() => self.arrive()?,
            None => self.branch(depth)?,
        };
        self.faulty.truncate(mark);
        Ok(flow)
    }

    fn branch(&mut self, depth: usize) -> Result<ControlFlow<()>, SpecError> {
        let domains = self.domains;
        let slot = self.space.scope.names.first_parameter() + depth;
        for value in &domains[depth] {
            self.values.slots[slot] = *value;
            for &position in &self.space.plan.lets[depth + 1] {
                self.values.lets[position] = Known::Not;
            }
            if self.descend(depth + 1)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The first constraint of this depth that excludes the chosen values.
    fn exclude(&mut self, depth: usize) -> Option<usize> {
        let space = self.space;
        for &constraint in &space.plan.constraints[depth] {
            match space.spec.constraints[constraint].evaluate_with(&mut self.values) {
                Ok(0) => return Some(constraint),
                Ok(_) => {}
                Err(culprit) => self.faulty.push((constraint, culprit)),
            }
        }
        None
    }

    /// Visits a whole configuration that no constraint excludes.
    fn arrive(&mut self) -> Result<ControlFlow<()>, SpecError> {
        if let Some((constraint, culprit)) = self.faulty.iter().min_by_key(|(constraint, _)| *constraint) {
            return Err(self.error(*constraint, culprit));
        }
        let first = self.space.scope.names.first_parameter();
        let chosen = &self.values.slots[first..first + self.domains.len()];
        Ok((self.visit)(Visit::Feasible(chosen)))
    }

    fn error(&self, constraint: usize, culprit: &Culprit) -> SpecError {
        let spec = self.space.spec;
        let expression = culprit.of_let.map_or(&spec.constraints[constraint], |position| &spec.lets[position].1);
        let known = |slot: Slot| match slot.checked_sub(self.values.first_let) {
            Some(position) => matches!(self.values.lets[position], Known::Value).then(|| self.values.slots[slot]),
            None => Some(self.values.slots[slot]),
        };
        expression.failure_among(&culprit.fault, &self.space.scope.names, known).into()
    }
}
