//! The rule that an infeasible configuration breaks.

use serde::Serialize;

use crate::lowering::Infeasible;
use crate::spec::{Scope, Spec};

/// A rule that a configuration breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The text of the spec's constraint, or the name of the GPU's limit.
    pub rule: String,
    /// For a limit, the amount needed and the amount available; for a constraint, its text.
    pub reason: String,
    /// The constraint's line in the spec, from 1; `None` for a limit.
    pub line: Option<u32>,
    /// The names in the constraint and their values; empty for a limit.
    pub values: Vec<(String, i64)>,
}

impl Refusal {
    pub(super) fn of(spec: &Spec, scope: &Scope, infeasible: &Infeasible) -> Self {
        let broken = |text: &str| matches!(infeasible, Infeasible::Constraint(broken) if text == broken);
        let constraint = spec.constraints.iter().find(|constraint| broken(constraint.text()));
        let values = constraint.map_or(Vec::new(), |constraint| scope.values_in(constraint));
        Self {
            rule: infeasible.rule().to_owned(),
            reason: infeasible.to_string(),
            line: constraint.map(|constraint| constraint.place().line),
            values: values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        }
    }
}
