//! The order of trying constraints and evaluating `let`s, and the parameters that they depend on.

use crate::spec::{Expression, Names, Slot, Spec};

/// The depths where constraints can be tried and `let`s evaluated. A depth is the number of parameters with values.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// The constraints in the order they can be tried: by depth, then in the spec's order.
    pub(super) constraints: Vec<usize>,
    /// The depth of each constraint, in the spec's order.
    pub(super) depths: Vec<usize>,
    /// By depth, the `let`s that can first be evaluated there.
    pub(super) lets: Vec<Vec<usize>>,
    /// For each `let`, the `let`s that it is computed from and then itself, in the spec's order.
    pub(super) inputs: Vec<Vec<usize>>,
    /// For each parameter, the `let`s that depend on it and that a constraint needs, in the spec's order.
    pub(super) dependent_lets: Vec<Vec<usize>>,
    /// The `let`s that a constraint needs, in the spec's order.
    pub(super) needed_lets: Vec<usize>,
    /// By depth and `let`: the depth where the `let` last depended on a new value.
    pub(super) last_changes: Vec<Vec<usize>>,
    of_constraints: Vec<Dependence>,
}

/// For each parameter, true if an expression depends on it, directly or through a `let`.
type Dependence = Vec<bool>;

impl Plan {
    pub(super) fn new(spec: &Spec, names: &Names) -> Self {
        let parameters = spec.parameters.len();
        let mut of_lets: Vec<Dependence> = Vec::new();
        let mut inputs: Vec<Vec<usize>> = Vec::new();
        let mut lets = vec![Vec::new(); parameters + 1];
        for (position, (_, expression)) in spec.lets.iter().enumerate() {
            let dependence = dependence(expression, names, &of_lets);
            let mut all: Vec<_> = lets_in(expression, names).flat_map(|input| inputs[input].clone()).collect();
            all.push(position);
            all.sort_unstable();
            all.dedup();
            lets[depth(&dependence)].push(position);
            of_lets.push(dependence);
            inputs.push(all);
        }
        let of_constraints: Vec<_> =
            spec.constraints.iter().map(|expression| dependence(expression, names, &of_lets)).collect();
        let depths: Vec<_> = of_constraints.iter().map(|dependence| depth(dependence)).collect();
        let mut constraints: Vec<_> = (0..spec.constraints.len()).collect();
        constraints.sort_by_key(|constraint| depths[*constraint]);

        let direct = spec.constraints.iter().flat_map(|expression| lets_in(expression, names));
        let mut needed_lets: Vec<_> = direct.flat_map(|position| inputs[position].clone()).collect();
        needed_lets.sort_unstable();
        needed_lets.dedup();
        let needing =
            |parameter: usize| needed_lets.iter().copied().filter(|needed| of_lets[*needed][parameter]).collect();
        let dependent_lets = (0..parameters).map(needing).collect();
        let last_change = |known: usize| of_lets.iter().map(|dependence| depth(&dependence[..known])).collect();
        let last_changes = (0..=parameters).map(last_change).collect();
        Self { constraints, depths, lets, inputs, dependent_lets, needed_lets, last_changes, of_constraints }
    }

    /// True if a constraint depends on a parameter.
    pub(super) fn depends(&self, constraint: usize, parameter: usize) -> bool {
        self.of_constraints[constraint][parameter]
    }
}

/// The `let`s that an expression names.
fn lets_in(expression: &Expression, names: &Names) -> impl Iterator<Item = usize> {
    let first_let = names.first_let();
    expression.slots().into_iter().filter_map(move |slot| slot.checked_sub(first_let))
}

/// The parameters that an expression depends on; `lets` holds those of the `let`s above it.
fn dependence(expression: &Expression, names: &Names, lets: &[Dependence]) -> Dependence {
    let parameters: std::ops::Range<Slot> = names.first_parameter()..names.first_let();
    let slots = expression.slots();
    let mut dependence: Vec<_> = parameters.map(|slot| slots.contains(&slot)).collect();
    for position in lets_in(expression, names) {
        dependence.iter_mut().zip(&lets[position]).for_each(|(depends, through)| *depends |= through);
    }
    dependence
}

/// The depth where an expression can be evaluated.
fn depth(dependence: &[bool]) -> usize {
    dependence.iter().rposition(|depends| *depends).map_or(0, |last| last + 1)
}
