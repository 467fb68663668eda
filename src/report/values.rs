//! Configurations and problem sizes as results hold them: names and values.

use serde_json::Value;

use crate::result::Values;
use crate::spec::{Configuration, Spec};

/// A configuration by the names of its parameters.
#[must_use]
pub fn values(spec: &Spec, configuration: &Configuration) -> Values {
    let parameters = spec.parameters.iter().zip(&configuration.0);
    parameters.map(|(parameter, value)| (parameter.name.clone(), (*value).into())).collect()
}

/// The configuration that has these values of parameters; a parameter without a value is 0.
#[must_use]
pub fn configuration(spec: &Spec, values: &Values) -> Configuration {
    let value = |name: &String| values.get(name).and_then(Value::as_i64).unwrap_or_default();
    Configuration(spec.parameters.iter().map(|parameter| value(&parameter.name)).collect())
}

/// The problem sizes of a spec.
pub(super) fn problem(spec: &Spec) -> Values {
    spec.problem.iter().map(|(name, size)| (name.clone(), (*size).into())).collect()
}
