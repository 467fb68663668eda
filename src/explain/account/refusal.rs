//! The rule that an infeasible configuration breaks.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::lowering::Infeasible;
use crate::spec::{Scope, Spec};

/// A rule that a configuration breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "RefusalReport", deny_unknown_fields)]
pub struct Refusal {
    /// The text of a constraint of the spec, or the name of a limit of the GPU.
    pub rule: String,
    /// For a limit, the amount needed and the amount available; for a constraint, its text.
    pub reason: String,
    /// The constraint's line in the spec, counted from 1; null for a limit.
    pub line: Option<u32>,
    /// The names in the constraint and their values; empty for a limit.
    #[schemars(with = "BTreeMap<String, i64>")]
    pub values: Map<String, Value>,
}

impl Refusal {
    pub(super) fn new(spec: &Spec, scope: &Scope, infeasible: &Infeasible) -> Self {
        let broken = |text: &str| matches!(infeasible, Infeasible::Constraint(broken) if text == broken);
        let constraint = spec.constraints.iter().find(|constraint| broken(constraint.text()));
        let values = constraint.map_or(Vec::new(), |constraint| scope.values_in(constraint));
        Self {
            rule: infeasible.rule().to_owned(),
            reason: infeasible.to_string(),
            line: constraint.map(|constraint| constraint.place().line),
            values: values.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect(),
        }
    }
}
