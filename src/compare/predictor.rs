//! The predictors of fast configurations.

mod cost;
mod efficiency;
mod machine;
mod max_plus;
mod waves;

use crate::gpu::Profile;
use crate::lowering::Feasibility;
use crate::models::maxplus;
use crate::space::{Case, SpaceError, each};
use crate::spec::{Configuration, Spec};

pub use cost::{PredictedCost, Prediction};
pub(super) use machine::MOST_EVENTS;

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

/// The assessment of a configuration.
#[derive(Debug)]
pub enum Assessment {
    /// The configuration is infeasible, for this reason.
    Refused(String),
    /// The cost by each of the predictors, in their order.
    Predicted(Vec<Prediction>),
}

/// Assesses configurations, in their order. They may have any values: those outside the spec's domains and constraints
/// are refused.
///
/// # Errors
/// If a configuration cannot be lowered, although no rule refuses it: the error names the first.
pub fn assess(
    spec: &Spec,
    profile: &Profile,
    models: &[Predictor],
    configurations: &[Configuration],
) -> Result<Vec<Assessment>, SpaceError> {
    let ask = |case: &Case| models.iter().map(|model| model.predict(case)).collect();
    let answers = each(spec, profile, configurations, ask)?;
    let assessment = |answer| match answer {
        Feasibility::Feasible(costs) => Assessment::Predicted(costs),
        Feasibility::Infeasible(reason) => Assessment::Refused(reason),
    };
    Ok(answers.into_iter().map(assessment).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "
kernel: halves
parameters: { WG: { values: [0, 1, 2, 32, 64] } }
let: { groups: 64 / WG }
constraints: [ WG > 0, WG != 2 ]
launch: { work_items: 64, work_group: WG }
body: [ { compute: { per_item: groups } } ]
";

    #[test]
    fn configurations_are_refused_or_predicted_in_their_order() {
        let spec = Spec::parse(SPEC, "halves.yaml").unwrap();
        let profile = Profile::resolve("volta").unwrap();
        // 0 would divide by zero were it not excluded; 7 is in no domain.
        let configurations: Vec<_> = [32, 0, 2, 7, 64].map(|value| Configuration(vec![value])).into();
        let assessments = assess(&spec, &profile, &Predictor::ALL, &configurations).unwrap();
        let told: Vec<_> = assessments
            .iter()
            .map(|assessment| match assessment {
                Assessment::Refused(reason) => reason.as_str(),
                Assessment::Predicted(costs) if costs.iter().all(Result::is_ok) => "predicted",
                Assessment::Predicted(_) => "failed",
            })
            .collect();
        assert_eq!(told, ["predicted", "WG > 0", "WG != 2", "7 is not in the domain of WG", "predicted"]);
    }
}
