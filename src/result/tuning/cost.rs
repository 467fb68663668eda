//! The measurements of a run.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use autotune_engine::proof::{Answer, CostEstimate, Finding};

/// The measurements of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct CostReport {
    /// The time of each step.
    pub seconds: Seconds,
    /// The total memory of the greatest search, in MiB.
    pub memory_mib: f64,
    /// The memory of the deepest search stack, in MiB.
    pub stack_mib: f64,
    /// The expected cost, as estimated before the search; absent without a proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<EstimateReport>,
    /// True if the answer was known before: then the measurements are 0.
    pub cached: bool,
    /// The folder that holds the proof; absent if the proof was not kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artifacts: Option<String>,
}

/// The expected cost of a proof.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct EstimateReport {
    /// The number of events that one search steps through, in all models.
    pub events: u64,
    /// The memory of the greatest search, in MiB.
    pub memory_mib: f64,
    /// The time of all searches in seconds, without translation and compilation.
    pub search_seconds: f64,
}

/// The time of each step, in seconds.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Seconds {
    /// The time of enumeration, lowering and native evaluation.
    pub lowering: f64,
    /// The time of `spin -a`.
    pub spin: f64,
    /// The time of the C compiler.
    pub compiler: f64,
    /// The time of pan's searches.
    pub search: f64,
    /// The time of replays by pan and simulations by SPIN.
    pub replay: f64,
}

impl CostReport {
    /// The cost of an answer. `artifacts` is the folder that holds the proof; `None` if the proof is not kept.
    pub(super) fn new(answer: &Answer, artifacts: Option<String>) -> Self {
        let (lowering, spin) = (answer.cost.lowering, &answer.cost.spin);
        let expected_cost = match &answer.finding {
            Finding::Proved { proof, .. } => Some(proof.expected_cost),
            _ => None,
        };
        Self {
            seconds: Seconds {
                lowering: seconds(lowering),
                spin: seconds(spin.spin),
                compiler: seconds(spin.compiler),
                search: seconds(spin.search),
                replay: seconds(spin.replay),
            },
            memory_mib: spin.memory_mib,
            stack_mib: spin.stack_mib,
            estimate: expected_cost.map(EstimateReport::from),
            cached: false,
            artifacts,
        }
    }

    /// The cost of an answer that was known before. Its measurements are 0, not those of the earlier run.
    #[must_use]
    pub fn of_known() -> Self {
        let seconds = Seconds { lowering: 0.0, spin: 0.0, compiler: 0.0, search: 0.0, replay: 0.0 };
        Self { seconds, memory_mib: 0.0, stack_mib: 0.0, estimate: None, cached: true, artifacts: None }
    }
}

impl From<CostEstimate> for EstimateReport {
    fn from(cost: CostEstimate) -> Self {
        Self { events: cost.events, memory_mib: rounded(cost.memory_mib), search_seconds: rounded(cost.seconds) }
    }
}

fn seconds(time: Duration) -> f64 {
    rounded(time.as_secs_f64())
}

fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}
