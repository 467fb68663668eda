//! Configurations and problem sizes in the form of results: names and values.

use serde_json::{Map, Value};

use autotune_lowering::spec::{Configuration, Spec};

/// The names of parameters or problem sizes with their integer values, in the spec's order.
pub type Values = Map<String, Value>;

/// The schema of [`Values`].
#[cfg(test)]
pub(super) type Integers = std::collections::BTreeMap<String, i64>;

/// The values of a configuration by the names of its parameters, in the spec's order.
#[must_use]
pub fn values(spec: &Spec, configuration: &Configuration) -> Values {
    let parameters = spec.parameters.iter().zip(&configuration.0);
    parameters.map(|(parameter, value)| (parameter.name.clone(), (*value).into())).collect()
}

/// The configuration with these values of parameters. A parameter without an integer value is 0.
#[must_use]
pub fn configuration(spec: &Spec, values: &Values) -> Configuration {
    let value = |name: &String| values.get(name).and_then(Value::as_i64).unwrap_or_default();
    Configuration(spec.parameters.iter().map(|parameter| value(&parameter.name)).collect())
}

/// The problem sizes of a spec, by their names.
#[must_use]
pub fn problem(spec: &Spec) -> Values {
    spec.problem.iter().map(|(name, size)| (name.clone(), (*size).into())).collect()
}
