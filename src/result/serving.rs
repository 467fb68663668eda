//! The messages of `autotune suggest --serve`, a line of JSON each (`schemas/serve_request.json`,
//! `schemas/serve_reply.json`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::values::{Values, problem, values};
use super::{SuggestReport, SuggestionQuestion};
use crate::measuring::{CorrectedSpace, RefusedRun};

/// A line that `autotune suggest --serve` reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "request", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(test, schemars(deny_unknown_fields))]
pub enum ServeRequest {
    /// Asks for the next configurations; the reply is an `autotune.suggest/1`.
    Next {
        /// The greatest number of configurations; 1 if it is absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, schemars(range(min = 1, max = 1000)))]
        count: Option<usize>,
    },
    /// Adds a run.
    Tell {
        /// The configuration: a value for each parameter.
        parameters: BTreeMap<String, i64>,
        /// The time in the unit of the space; null if the run failed.
        time: Option<f64>,
    },
    /// Asks for the candidates with their predicted times, the best first.
    Ranked {
        /// The greatest number of configurations; all if it is absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, schemars(range(min = 1)))]
        count: Option<usize>,
    },
}

/// A line that `autotune suggest --serve` writes: first the space, then an answer to each line that it reads.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ServeReply {
    /// The first line.
    Space(ServedSpace),
    /// The answer to `next`.
    Next(SuggestReport),
    /// The answer to `tell`.
    Told(ToldReport),
    /// The answer to `ranked`.
    Ranked(RankedReport),
    /// The answer to a line that cannot be used; the next line is read all the same.
    Error(ErrorReport),
}

impl ServeReply {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.serve/1";
}

/// The space that configurations are suggested from.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ServedSpace {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = ServeReply::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The problem sizes.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub problem: Values,
    /// The names of the parameters, in the order of the spec.
    pub parameters: Vec<String>,
    /// The unit of the times of runs: `ms`, or `ticks` on a GPU without a clock.
    pub unit: &'static str,
    /// The number of configurations that can run.
    pub feasible: usize,
    /// The number of those that may be suggested: the best predictions.
    pub candidates: usize,
}

/// The use that a run was.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ToldReport {
    /// True if the run corrects the ranking.
    pub told: bool,
    /// The reason why the run corrects nothing; absent if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The candidates.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct RankedReport {
    /// The candidates, the best prediction first.
    pub ranked: Vec<RankedConfiguration>,
}

/// A candidate and its predicted time.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct RankedConfiguration {
    /// The configuration.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The predicted time in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicted_ms: Option<f64>,
    /// The predicted time in ticks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicted_ticks: Option<f64>,
}

/// A line that cannot be used.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ErrorReport {
    /// The fault.
    pub error: String,
    /// Advice; absent if the message says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl ServedSpace {
    /// The report of a space before its first run.
    #[must_use]
    pub fn new(question: &SuggestionQuestion, space: &CorrectedSpace) -> Self {
        Self {
            schema: ServeReply::SCHEMA,
            kernel: question.spec.kernel.clone(),
            gpu: question.gpu.to_owned(),
            problem: problem(question.spec),
            parameters: question.spec.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
            unit: if question.has_clock() { "ms" } else { "ticks" },
            feasible: space.feasible(),
            candidates: space.ranked().count(),
        }
    }
}

impl ToldReport {
    /// The use of an added run; `refused` is the run if it corrects nothing.
    #[must_use]
    pub fn new(refused: Option<RefusedRun>) -> Self {
        let reason = refused.map(|refused| refused.reason);
        Self { told: reason.is_none(), reason }
    }
}

impl RankedReport {
    /// The report of the candidates with the best predictions, at most `count`.
    #[must_use]
    pub fn new(question: &SuggestionQuestion, space: &CorrectedSpace, count: usize) -> Self {
        let ranked = space.ranked().take(count).map(|(configuration, predicted)| {
            let [predicted_ms, predicted_ticks] = question.in_units(predicted);
            RankedConfiguration { parameters: values(question.spec, configuration), predicted_ms, predicted_ticks }
        });
        Self { ranked: ranked.collect() }
    }
}
