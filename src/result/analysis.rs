//! The formulas' opinion, as a part of a result.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Integers, Values};
use crate::result::Times;

/// The max-plus models beside a proof; left out with `--no-analysis`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct AnalysisReport {
    /// The optimum's times by the models, in ticks; naive and operations are never above its time.
    pub max_plus: Times,
    /// Tau-b of each model's values with the native times; null where one of the two is the same for all.
    pub kendall_tau: TauReport,
    /// The number of feasible configurations that were compared: all, or those of a fixed random sample that take few enough
    /// events.
    pub of: usize,
    /// The first choice of the model with the greatest tau: the optimum or a tie if the model puts one of them first.
    pub winner: WinnerReport,
}

/// The rank correlation of each max-plus model with the machine.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct TauReport {
    /// Of global memory alone.
    #[schemars(range(min = -1, max = 1))]
    pub max_plus_naive: Option<f64>,
    /// Of memory and operations.
    #[schemars(range(min = -1, max = 1))]
    pub max_plus_operations: Option<f64>,
    /// Of memory, operations and waiting for the reads of others.
    #[schemars(range(min = -1, max = 1))]
    pub max_plus_serialized: Option<f64>,
}

/// A max-plus model's first choice.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct WinnerReport {
    /// The model.
    #[schemars(extend("enum" = ["max_plus_naive", "max_plus_operations", "max_plus_serialized"]))]
    pub model: String,
    /// The configuration.
    #[schemars(with = "Integers")]
    pub parameters: Values,
    /// The number of others that the model puts first too.
    pub equals: usize,
    /// The configuration's native time; null if it takes too many events.
    pub ticks: Option<u64>,
}

/// A max-plus model's time of the optimum, and how well the model ranks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelOpinion {
    /// The model.
    pub name: &'static str,
    /// Its time of the optimum, in ticks.
    pub ticks: u128,
    /// Its rank correlation with the machine; `None` where one of the two ranks nothing.
    pub tau: Option<f64>,
}

impl AnalysisReport {
    /// The opinion of each model.
    #[must_use]
    pub fn opinions(&self) -> [ModelOpinion; 3] {
        let Self { max_plus, kendall_tau, .. } = self;
        [
            ("max_plus_naive", max_plus.naive, kendall_tau.max_plus_naive),
            ("max_plus_operations", max_plus.operations, kendall_tau.max_plus_operations),
            ("max_plus_serialized", max_plus.serialized, kendall_tau.max_plus_serialized),
        ]
        .map(|(name, ticks, tau)| ModelOpinion { name, ticks, tau })
    }

    /// The rank correlation of the model that agrees best.
    #[must_use]
    pub fn winners_tau(&self) -> Option<f64> {
        self.opinions().into_iter().find(|opinion| opinion.name == self.winner.model)?.tau
    }
}
