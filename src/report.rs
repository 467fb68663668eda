//! Results from what was found: each function makes one of [`crate::result`], and computes what that holds.

mod accuracy;
mod analysis;
mod cache;
mod comparison;
mod diagnosis;
mod efficiency;
mod evaluation;
mod explanation;
mod gpus;
mod graph;
mod locality;
mod page;
mod plan;
mod plot;
mod prediction;
mod restrictions;
mod tuning;
mod validation;

use serde_json::Value;

use crate::result::Values;
use crate::spec::{Configuration, Spec};

pub use accuracy::accuracy;
pub use analysis::analysis;
pub use cache::cache;
pub use comparison::comparison;
pub use diagnosis::diagnosis;
pub use efficiency::efficiency;
pub use evaluation::evaluation;
pub use explanation::explanation;
pub use gpus::gpus;
pub use graph::{GraphSubject, graph};
pub use locality::locality;
pub use page::page;
pub use plan::planned;
pub use plot::{comparison_plot, validation_plot};
pub use prediction::prediction;
pub use restrictions::{RestrictionsError, restrictions, restrictions_of_kept};
pub use tuning::tuning;
pub use validation::validation;

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
fn problem(spec: &Spec) -> Values {
    spec.problem.iter().map(|(name, size)| (name.clone(), (*size).into())).collect()
}
