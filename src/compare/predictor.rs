//! The predictors of fast configurations.

mod cost;
mod efficiency;
mod machine;
mod max_plus;
mod waves;

use crate::models::maxplus;
use crate::space::Case;

pub use cost::{PredictedCost, Prediction};

/// A predictor of fast configurations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Predictor {
    /// The abstract machine's time by the native evaluator, in ticks.
    Machine,
    /// The longest path through the kernel's graph, in ticks.
    MaxPlus(maxplus::Variant),
    /// The wave model's time, in microseconds.
    Waves,
    /// The inverse of the efficiency.
    Efficiency,
}

impl Predictor {
    /// All predictors, in the order of results.
    pub const ALL: [Self; 6] = [
        Self::Machine,
        Self::MaxPlus(maxplus::Variant::Naive),
        Self::MaxPlus(maxplus::Variant::Operations),
        Self::MaxPlus(maxplus::Variant::Serialized),
        Self::Waves,
        Self::Efficiency,
    ];

    /// The predictor's name in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Machine => "machine",
            Self::MaxPlus(model) => model.name(),
            Self::Waves => "waves",
            Self::Efficiency => "efficiency",
        }
    }

    /// The cost of a configuration.
    ///
    /// # Errors
    /// If the predictor does not apply to the configuration or cannot be computed.
    pub fn predict(self, case: &Case) -> Prediction {
        match self {
            Self::Machine => machine::ticks(case),
            Self::MaxPlus(model) => max_plus::ticks(case, model),
            Self::Waves => waves::microseconds(case),
            Self::Efficiency => efficiency::inverse(case),
        }
    }
}
