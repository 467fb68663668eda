//! Why a configuration cannot run.

use serde::Serialize;

use crate::lowering::Infeasible;
use crate::spec::{Scope, Spec};

/// A rule that a configuration breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// A constraint of the spec, or a limit of the GPU.
    pub rule: String,
    /// Of a limit, what is needed and what there is; else the constraint.
    pub reason: String,
    /// The constraint's line in the spec.
    pub line: Option<u32>,
    /// The names in the constraint and their values.
    pub values: Vec<(String, i64)>,
}

impl Refusal {
    pub(super) fn of(spec: &Spec, scope: &Scope, infeasible: Infeasible) -> Self {
        let Infeasible { rule, reason } = infeasible;
        // The reason of a limit has its values in it, that of a constraint is its text.
        let broken = |text: &str| text == rule && reason == rule;
        let constraint = spec.constraints.iter().find(|constraint| broken(constraint.text()));
        let values = constraint.map_or(Vec::new(), |constraint| scope.values_in(constraint));
        Self {
            rule,
            reason,
            line: constraint.map(|constraint| constraint.place().line),
            values: values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        }
    }
}
