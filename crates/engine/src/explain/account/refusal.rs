//! The rule that an infeasible configuration breaks.

use serde::Serialize;
use serde_json::{Map, Value};

use super::super::launch::BOUNDS;
use autotune_lowering::lowering::{Infeasible, LimitRule};
use autotune_lowering::spec::{Scope, Spec};

/// A rule that a configuration breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "RefusalReport", deny_unknown_fields))]
pub struct Refusal {
    /// The text of a constraint of the spec, or the name of a limit of the GPU.
    pub rule: String,
    /// For a limit, the amount needed and the amount available; for a constraint, its text.
    pub reason: String,
    /// The constraint's line in the spec, counted from 1; null for a limit.
    pub line: Option<u32>,
    /// The names in the constraint and their values; empty for a limit.
    #[cfg_attr(feature = "schemas", schemars(with = "std::collections::BTreeMap<String, i64>"))]
    pub values: Map<String, Value>,
    /// A change of the source with which the configuration can run; null if none is known.
    pub remedy: Option<String>,
}

impl Refusal {
    pub(super) fn new(spec: &Spec, scope: &Scope, infeasible: &Infeasible) -> Self {
        let broken = |text: &str| matches!(infeasible, Infeasible::Constraint(broken) if text == broken);
        let constraint = spec.constraints.iter().find(|constraint| broken(constraint.text()));
        let values = constraint.map_or(Vec::new(), |constraint| scope.values_in(constraint));
        let is_compiled =
            spec.kernel_source.is_some() && spec.resources.registers.count(scope).is_ok_and(|stated| stated == 0);
        let is_unbounded = is_compiled && infeasible.broken_limit() == Some(LimitRule::Registers);
        Self {
            rule: infeasible.rule().to_owned(),
            reason: infeasible.to_string(),
            line: constraint.map(|constraint| constraint.place().line),
            values: values.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect(),
            remedy: is_unbounded.then(|| BOUNDS.to_owned()),
        }
    }
}
