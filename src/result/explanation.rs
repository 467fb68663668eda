//! One configuration explained (`schemas/explanation.json`).

use serde::Serialize;

use super::tuning::is_zero;
use super::values::{Values, values};
use autotune_base::ticks::Ticks;
use autotune_engine::explain::{Account, Change, Explanation, NextChange, Refusal};
use autotune_lowering::spec::{Configuration, Spec};

/// The result of `autotune explain SPEC --gpu GPU --config A=1,B=2 --format json`: the rule that a configuration
/// breaks, or the split of its time. All times are in native ticks.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ExplanationReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = ExplanationReport::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The rule that the configuration breaks; null if it can run.
    pub refused: Option<Refusal>,
    /// The split of the configuration's time; null if it cannot run.
    pub time: Option<Account>,
    /// The natively fastest configuration; null if no configuration can run, or if it was not looked for.
    pub fastest: Option<FastestReport>,
    /// The number of allowed configurations of a kernel's source that are too many to be compiled for the fastest one. Absent
    /// if the fastest was looked for.
    #[serde(skip_serializing_if = "is_zero")]
    pub not_compiled: usize,
    /// The best other value of each parameter, among the values that the configuration can run with; a parameter
    /// without one is absent. The fastest change goes first.
    pub changes: Vec<ChangeReport>,
    /// The one change that the numbers suggest; null if they suggest nothing.
    pub next: Option<NextChange>,
}

impl ExplanationReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.explanation/1";

    /// The report of an explanation.
    #[must_use]
    pub fn new(
        spec: &Spec,
        gpu: &str,
        configuration: &Configuration,
        explanation: Explanation,
        next: Option<NextChange>,
    ) -> Self {
        let Explanation { outcome, fastest, not_compiled, changes } = explanation;
        let own = outcome.as_ref().ok().map(|account| account.ticks);
        let fastest = fastest.map(|(fastest, ticks)| FastestReport {
            parameters: values(spec, &fastest),
            ticks,
            relative: own.map(|own| quotient(own, ticks)),
        });
        let change = |Change { parameter, value, ticks }| ChangeReport {
            parameter: spec.parameters[parameter].name.clone(),
            value,
            ticks,
            relative: own.map(|own| quotient(ticks, own)),
        };
        let (time, refused) = match outcome {
            Ok(account) => (Some(account), None),
            Err(refusal) => (None, Some(refusal)),
        };
        Self {
            schema: Self::SCHEMA,
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            parameters: values(spec, configuration),
            refused,
            time,
            fastest,
            not_compiled,
            changes: changes.into_iter().map(change).collect(),
            next,
        }
    }
}

/// The natively fastest configuration of the space.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FastestReport {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The native time, in ticks.
    pub ticks: Ticks,
    /// The time of the explained configuration divided by this time; null if the explained configuration cannot run.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub relative: Option<f64>,
}

/// A change of one parameter's value.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ChangeReport {
    /// The parameter's name.
    pub parameter: String,
    /// The other value.
    pub value: i64,
    /// The native time with the other value, in ticks.
    pub ticks: Ticks,
    /// This time divided by that of the explained configuration; null if the explained configuration cannot run.
    #[cfg_attr(test, schemars(range(min = 0)))]
    pub relative: Option<f64>,
}

fn quotient(ticks: Ticks, other: Ticks) -> f64 {
    ticks.to_f64() / other.to_f64().max(1.0)
}
