//! The order in which constraints can be tried and `let`s evaluated.

use crate::spec::{Expression, Names, Slot, Spec};

/// The depths at which constraints can be tried and `let`s evaluated. A depth is the number of parameters with values.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// By depth, the constraints that can first be tried there, in the spec's order.
    pub(super) constraints: Vec<Vec<usize>>,
    /// By depth, the `let`s that can first be evaluated there.
    pub(super) lets: Vec<Vec<usize>>,
    /// For each `let`, the `let`s that it is computed from and then itself, in the spec's order.
    pub(super) inputs: Vec<Vec<usize>>,
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
