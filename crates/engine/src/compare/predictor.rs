//! The predictors of fast configurations.

mod cost;
mod unit;

use autotune_lowering::models::efficiency::{Weights, efficiency};
use autotune_lowering::models::maxplus::{self, Kernel};
use autotune_lowering::models::predict::predict;
use autotune_lowering::space::{Case, MOST_EVENTS};
use autotune_machine::machine::evaluate;

pub use cost::{PredictedCost, Prediction};
pub use unit::Unit;

/// A predictor of fast configurations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Predictor {
    /// The abstract machine's time by the native evaluator, in ticks.
    Machine,
    /// The longest path through the kernel's graph, in ticks.
    MaxPlus(maxplus::Variant),
    /// The wave model's time, in microseconds.
    Waves,
    /// The efficiency R: the larger, the better.
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

    /// The unit of its costs.
    #[must_use]
    pub fn unit(self) -> Unit {
        match self {
            Self::Machine | Self::MaxPlus(_) => Unit::Ticks,
            Self::Waves => Unit::Microseconds,
            Self::Efficiency => Unit::None,
        }
    }

    /// The cost of a configuration.
    ///
    /// # Errors
    /// If the predictor does not apply to the configuration or cannot be computed.
    pub fn predict(self, case: &Case) -> Prediction {
        match self {
            Self::Machine => machine_ticks(case),
            Self::MaxPlus(model) => max_plus_ticks(case, model),
            Self::Waves => Ok(PredictedCost::Real(predict(case.profile, case.lowered)?.microseconds)),
            Self::Efficiency => relative_efficiency(case),
        }
    }
}

/// The native evaluator's time of the lowered program, in ticks.
fn machine_ticks(case: &Case) -> Prediction {
    let program = &case.lowered.program;
    program.check_length()?;
    Ok(PredictedCost::Ticks(evaluate(program, MOST_EVENTS)?.ticks.into()))
}

/// The longest path through the kernel's graph by one of the max-plus models, in ticks.
fn max_plus_ticks(case: &Case, model: maxplus::Variant) -> Prediction {
    let kernel = Kernel::new(case.spec, case.profile, case.scope, case.lowered.program_and_parts())?;
    Ok(PredictedCost::Ticks(kernel.time(model)?))
}

/// R with the profile's weights.
fn relative_efficiency(case: &Case) -> Prediction {
    let weights = Weights::new(case.profile);
    let efficiency = efficiency(case.spec, case.profile, case.scope, case.lowered, &weights)?;
    Ok(PredictedCost::Efficiency(efficiency.r))
}
