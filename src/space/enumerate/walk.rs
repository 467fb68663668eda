//! The enumeration of a space: depth first, one parameter a level, without the subtrees that a constraint excludes.

use std::ops::ControlFlow;

use super::plan::Plan;
use super::{Space, Visit};
use crate::spec::{Configuration, FaultAt, Lookup, Slot, Spec, SpecError};

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

impl Space<'_> {
    /// Returns the position in the spec of the constraint that excludes a configuration; `None` if the configuration is
    /// allowed.
    ///
    /// # Errors
    /// If a constraint cannot be evaluated and no other excludes the configuration.
    pub fn excluded_by(&self, configuration: &Configuration) -> Result<Option<usize>, SpecError> {
        let domains: Vec<_> = configuration.0.iter().map(|value| vec![*value]).collect();
        let mut excluded_by = None;
        let mut visit = |visit: Visit<'_>| {
            if let Visit::Excluded { constraint, .. } = visit {
                excluded_by = Some(constraint);
            }
            ControlFlow::Break(())
        };
        Walk::new(self, &domains, &mut visit).run()?;
        Ok(excluded_by)
    }

    /// Enumerates the space in its order until `visit` breaks. Configurations that a constraint excludes together are
    /// one visit.
    ///
    /// # Errors
    /// If a constraint cannot be evaluated for a configuration that no other excludes.
    pub fn visit(&self, visit: &mut dyn FnMut(Visit<'_>) -> ControlFlow<()>) -> Result<(), SpecError> {
        if self.size() == 0 {
            return Ok(());
        }
        Walk::new(self, &self.domains, visit).run()
    }
}
