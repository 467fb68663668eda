//! The max-plus models' predictions, as a part of a result.

use serde::{Deserialize, Serialize};

use super::values::{Values, values};
use autotune_base::ticks::Ticks;
use autotune_engine::compare::Relative;
use autotune_engine::compare::cross_check::CrossCheck;
use autotune_lowering::models::maxplus::{Times, Variant};
use autotune_lowering::space::Survey;
use autotune_lowering::spec::Spec;

/// The max-plus models' predictions beside a proof.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct AnalysisReport {
    /// The optimum's times by the models, in ticks. `naive` and `operations` never exceed the machine's time.
    pub max_plus: Times,
    /// Kendall's tau-b of each model's times with the native times; null if either of the two ties everything.
    pub kendall_tau: TauReport,
    /// The number of feasible configurations that were compared: all of them, or a fixed random sample, in either case
    /// without those whose evaluation takes too many events.
    pub of: usize,
    /// The first choice of the model with the greatest tau.
    pub winner: WinnerReport,
}

/// Kendall's tau-b of each max-plus model with the machine.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct TauReport {
    /// Tau of the model `naive`, which has only global memory; null if the model or the machine ties everything.
    #[cfg_attr(test, schemars(range(min = -1, max = 1)))]
    pub max_plus_naive: Option<f64>,
    /// Tau of the model `operations`, which has memory and operations; null if the model or the machine ties
    /// everything.
    #[cfg_attr(test, schemars(range(min = -1, max = 1)))]
    pub max_plus_operations: Option<f64>,
    /// Tau of the model `serialized`, which also has the waits for other reads; null if the model or the machine ties
    /// everything.
    #[cfg_attr(test, schemars(range(min = -1, max = 1)))]
    pub max_plus_serialized: Option<f64>,
}

/// A max-plus model's first choice. A model that ties several configurations first chooses none of them.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct WinnerReport {
    /// The model's name.
    #[cfg_attr(test, schemars(extend("enum" = Variant::ALL.map(Variant::name))))]
    pub model: String,
    /// The configuration; of several of equal time the first in the space's order.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub parameters: Values,
    /// The number of other configurations of equal time by the model.
    pub equals: usize,
    /// The native time of `parameters` in ticks; null if its evaluation takes too many events.
    pub ticks: Option<Ticks>,
    /// The native time of the first choice divided by the optimum's, over all orders of the configurations of equal time;
    /// absent if their evaluation takes too many events, and in results of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative: Option<Relative>,
}

/// A max-plus model's time of the optimum, and the quality of its ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelOpinion {
    /// The model's name.
    pub name: &'static str,
    /// The optimum's time by the model, in ticks.
    pub ticks: u128,
    /// Tau-b with the machine, from -1 to 1; `None` if the model or the machine ties everything.
    pub tau: Option<f64>,
}

impl AnalysisReport {
    /// The report of the max-plus models beside a proof. `compared` holds their rankings of the survey's
    /// configurations.
    #[must_use]
    pub fn new(spec: &Spec, survey: &Survey, compared: &CrossCheck) -> Self {
        let winner = compared.winner;
        let [max_plus_naive, max_plus_operations, max_plus_serialized] = compared.kendall_tau;
        Self {
            max_plus: compared.times,
            kendall_tau: TauReport { max_plus_naive, max_plus_operations, max_plus_serialized },
            of: compared.of,
            winner: WinnerReport {
                model: winner.model.name().to_owned(),
                parameters: values(spec, &survey.entries.get(winner.entry).configuration),
                equals: winner.equals,
                ticks: winner.ticks,
                relative: winner.relative,
            },
        }
    }

    /// The times and rank correlations of the models `naive`, `operations` and `serialized`.
    #[must_use]
    pub fn opinions(&self) -> [ModelOpinion; 3] {
        let Self { max_plus, kendall_tau, .. } = self;
        [
            (Variant::Naive, kendall_tau.max_plus_naive),
            (Variant::Operations, kendall_tau.max_plus_operations),
            (Variant::Serialized, kendall_tau.max_plus_serialized),
        ]
        .map(|(model, tau)| ModelOpinion { name: model.name(), ticks: max_plus.by(model), tau })
    }

    /// The tau-b of the model with the greatest tau, from -1 to 1; `None` if it is not defined.
    #[must_use]
    pub fn winners_tau(&self) -> Option<f64> {
        self.opinions().into_iter().find(|opinion| opinion.name == self.winner.model)?.tau
    }
}
