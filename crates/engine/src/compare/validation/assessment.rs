//! The assessments of configurations that were run.

use super::load::MachineLoad;
use crate::compare::{Prediction, Predictor};
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::lowering::Feasibility;
use autotune_lowering::space::{Case, SpaceError, each};
use autotune_lowering::spec::{Configuration, Spec};

/// The assessment of a configuration.
#[derive(Debug)]
pub(super) enum Assessment {
    /// The configuration is infeasible, for this reason.
    Refused(String),
    /// The cost by each of the predictors, in their order, and the load on the machine.
    Predicted { costs: Vec<Prediction>, load: MachineLoad },
}

impl Assessment {
    /// The cost by the predictor of this index; `None` if it does not apply or the configuration was refused.
    pub(super) fn cost(&self, place: usize) -> Option<f64> {
        match self {
            Self::Predicted { costs, .. } => Some(costs[place].as_ref().ok()?.value()),
            Self::Refused(_) => None,
        }
    }

    /// The load on the machine; `None` if the configuration was refused.
    pub(super) fn load(&self) -> Option<&MachineLoad> {
        match self {
            Self::Predicted { load, .. } => Some(load),
            Self::Refused(_) => None,
        }
    }
}

/// Assesses configurations, in their order. They may have any values: those outside the spec's domains and constraints
/// are refused.
///
/// # Errors
/// If a configuration cannot be lowered, although no rule refuses it: the error names the first.
pub(super) fn assess(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    models: &[Predictor],
    configurations: &[Configuration],
) -> Result<Vec<Assessment>, SpaceError> {
    let machine = models.iter().position(|model| *model == Predictor::Machine);
    let ask = |case: &Case| {
        let costs: Vec<Prediction> = models.iter().map(|model| model.predict(case)).collect();
        let load = match machine {
            Some(place) => MachineLoad::new(case, &costs[place]),
            None => MachineLoad::new(case, &Predictor::Machine.predict(case)),
        };
        Assessment::Predicted { costs, load }
    };
    let answers = each(spec, profile, reader, configurations, ask)?;
    let assessment = |answer| match answer {
        Feasibility::Feasible(predicted) => predicted,
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
        let assessments = assess(&spec, &profile, &SourceReader::default(), &Predictor::ALL, &configurations).unwrap();
        let told: Vec<_> = assessments
            .iter()
            .map(|assessment| match assessment {
                Assessment::Refused(reason) => reason.as_str(),
                Assessment::Predicted { costs, .. } if costs.iter().all(Result::is_ok) => "predicted",
                Assessment::Predicted { .. } => "failed",
            })
            .collect();
        assert_eq!(told, ["predicted", "WG > 0", "WG != 2", "7 is not in the domain of WG", "predicted"]);
    }
}
