//! A whole space in lists.

use std::ops::ControlFlow;

use autotune::space::{LISTED, Space, Visit};
use autotune::spec::{Configuration, Spec, SpecError};

/// The configurations of a space.
pub(crate) struct ListedSpace {
    /// The configurations that the constraints allow, in the space's order.
    pub(crate) feasible: Vec<Configuration>,
    /// The number of configurations that count for each constraint of the spec.
    #[allow(dead_code)]
    pub(crate) excluded: Vec<u128>,
    /// The other configurations, in the space's order, with the constraint that each counts for; `None` for a large space.
    #[allow(dead_code)]
    pub(crate) infeasible: Option<Vec<(Configuration, usize)>>,
}

impl ListedSpace {
    /// Lists the space of a spec.
    pub(crate) fn of(spec: &Spec, space: &Space) -> Result<Self, SpecError> {
        let mut feasible = Vec::new();
        let mut excluded = vec![0; spec.constraints.len()];
        let mut infeasible = (space.size() <= LISTED).then(Vec::new);
        space.visit(&mut |visit| {
            match visit {
                Visit::Feasible(values) => feasible.push(Configuration(values.to_vec())),
                Visit::Excluded { chosen, next, constraint, configurations } => {
                    excluded[constraint] += configurations;
                    if let Some(list) = &mut infeasible {
                        space
                            .each_completion(chosen, next, &mut |configuration| list.push((configuration, constraint)));
                    }
                }
            }
            ControlFlow::Continue(())
        })?;
        Ok(Self { feasible, excluded, infeasible })
    }
}
