//! The values that names can take while only the first parameters have one value each.

use super::plan::Plan;
use super::subject::Space;
use crate::spec::{Expression, Possible, Slot, Spec};

/// The values that names can take below the first values of an enumeration.
#[derive(Debug)]
pub(super) struct Open<'a> {
    spec: &'a Spec,
    plan: &'a Plan,
    first_parameter: Slot,
    first_let: Slot,
    /// By slot, without the `let`s.
    names: Vec<Possible>,
    /// By depth and `let`. An entry of a depth is valid where the `let` depends on the last of the known parameters.
    lets: Vec<Vec<Possible>>,
    /// The number of parameters with a value, or with the values of a part of the domain.
    depth: usize,
}

impl<'a> Open<'a> {
    /// The possible values while every parameter has all values of its domain, which is not empty.
    pub(super) fn new(space: &'a Space<'a>) -> Self {
        let names = &space.scope.names;
        let (first_parameter, first_let) = (names.first_parameter(), names.first_let());
        let known = space.scope.values[..first_parameter].iter().map(|value| Possible::one(*value));
        let domains = space.halves.iter().map(|halves| halves.part(0));
        let mut open = Self {
            spec: space.spec,
            plan: &space.plan,
            first_parameter,
            first_let,
            names: known.chain(domains).collect(),
            lets: vec![vec![Possible::one(0); space.spec.lets.len()]; space.spec.parameters.len() + 1],
            depth: 0,
        };
        open.compute(0, &space.plan.needed_lets);
        open
    }

    /// Gives a parameter some of the values of its domain. The parameters before it have one value each.
    pub(super) fn narrow(&mut self, parameter: usize, values: Possible) {
        let plan = self.plan;
        self.names[self.first_parameter + parameter] = values;
        self.compute(parameter + 1, &plan.dependent_lets[parameter]);
    }

    /// Gives a parameter all values of its domain again.
    pub(super) fn widen(&mut self, parameter: usize, values: Possible) {
        self.names[self.first_parameter + parameter] = values;
    }

    fn compute(&mut self, depth: usize, lets: &[usize]) {
        self.depth = depth;
        for &position in lets {
            self.lets[depth][position] = self.possible(&self.spec.lets[position].1);
        }
    }

    /// The values that an expression can take.
    pub(super) fn possible(&self, expression: &Expression) -> Possible {
        let changes = &self.plan.last_changes[self.depth];
        expression.possible(&|slot| match slot.checked_sub(self.first_let) {
            Some(position) => self.lets[changes[position]][position],
            None => self.names[slot],
        })
    }
}
