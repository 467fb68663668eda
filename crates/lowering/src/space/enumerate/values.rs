//! The values of the parameters that an enumeration has chosen, and of the `let`s that it needs.

use super::subject::Space;
use crate::spec::{FaultAt, Lookup, Slot, SpecError};

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
pub(super) struct Culprit {
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
pub(super) struct Values<'a> {
    space: &'a Space<'a>,
    first_parameter: Slot,
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

impl<'a> Values<'a> {
    /// The values before the first is chosen.
    pub(super) fn new(space: &'a Space<'a>) -> Self {
        Self {
            space,
            first_parameter: space.scope.names.first_parameter(),
            first_let: space.scope.names.first_let(),
            slots: space.scope.values.clone(),
            lets: vec![Known::Not; space.spec.lets.len()],
        }
    }

    /// Sets a parameter's value and leaves the `let`s as they are, which nobody may ask for before the parameter is
    /// chosen again.
    pub(super) fn set(&mut self, parameter: usize, value: i64) {
        self.slots[self.first_parameter + parameter] = value;
    }

    /// Gives a parameter a value, behind those of all parameters before it.
    pub(super) fn choose(&mut self, parameter: usize, value: i64) {
        self.set(parameter, value);
        for &position in &self.space.plan.lets[parameter + 1] {
            self.lets[position] = Known::Not;
        }
    }

    /// The values of all parameters. Those that are not yet chosen have no meaning.
    pub(super) fn chosen(&self) -> &[i64] {
        &self.slots[self.first_parameter..self.first_let]
    }

    /// Evaluates a `let` unless it is known since its parameters last changed; the `let`s that it needs come first.
    fn know(&mut self, position: usize) -> Result<(), Culprit> {
        let plan = &self.space.plan;
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
        let spec = self.space.spec;
        self.lets[position] = match spec.lets[position].1.evaluate_with(self) {
            Ok(value) => {
                self.slots[self.first_let + position] = value;
                Known::Value
            }
            Err(culprit) => Known::Fault(Culprit { of_let: culprit.of_let.or(Some(position)), ..culprit }),
        };
    }

    /// The error of the first of some constraints, in the spec's order, that cannot be evaluated for the values of all
    /// parameters; `None` if there are none.
    pub(super) fn first_error(&mut self, faulty: &[(usize, Culprit)]) -> Option<SpecError> {
        let (constraint, culprit) = faulty.iter().min_by_key(|(constraint, _)| *constraint)?;
        let spec = self.space.spec;
        let expression = culprit.of_let.map_or(&spec.constraints[*constraint], |position| &spec.lets[position].1);
        // The error shows all values, also those that the evaluation did not come to.
        let (slots, first_let) = (expression.slots(), self.first_let);
        for position in slots.into_iter().filter_map(|slot| slot.checked_sub(first_let)) {
            let _ = self.know(position);
        }
        let known = |slot: Slot| match slot.checked_sub(first_let) {
            Some(position) => matches!(self.lets[position], Known::Value).then(|| self.slots[slot]),
            None => Some(self.slots[slot]),
        };
        Some(expression.failure_among(&culprit.fault, &self.space.scope.names, known).into())
    }
}
