//! What models predict of a kernel's configurations, without a model checker, and how far rankings agree.
//!
//! A [`Model`] gives each feasible configuration a cost; what is less is better, and only its order matters. A model is added
//! here alone: a variant, its name, and the function that computes its cost from a [`Case`].

pub mod agreement;
pub mod compare;
pub mod cross_check;
mod efficiency;
pub mod explain;
pub mod histogram;
pub mod landscape;
mod machine;
mod max_plus;
pub mod near;
pub mod roofline;
pub mod statements;
mod term;
mod waves;

use std::error::Error;
use std::ops::ControlFlow;

use rayon::prelude::*;
use thiserror::Error;

use crate::gpu::Profile;
use crate::lowering::{Lowered, Lowering, LoweringError, Outcome};
use crate::maxplus;
use crate::spec::{Configuration, Scope, Space, Spec, SpecError, Visit};

pub use term::Term;

/// A space of more configurations than these, without those that constraints exclude, is refused.
const MOST_CONFIGURATIONS: usize = 4_000_000;

/// Something that predicts which configurations are fast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Model {
    /// The abstract machine's time, by the native evaluator; in ticks.
    Machine,
    /// The longest path through the kernel's graph; in ticks.
    MaxPlus(maxplus::Model),
    /// The wave model's time; in microseconds.
    Waves,
    /// The inverse of the efficiency.
    Efficiency,
}

/// One feasible configuration, with all that a model may look at.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// The kernel, its problem sizes set.
    pub spec: &'a Spec,
    /// The GPU.
    pub profile: &'a Profile,
    /// The values of the parameters.
    pub configuration: &'a Configuration,
    /// The values of all names.
    pub scope: &'a Scope,
    /// The program that it becomes on the abstract machine.
    pub lowered: &'a Lowered,
}

/// What a model says of a configuration: its cost, or why it says nothing.
pub type Prediction = Result<f64, Box<dyn Error + Send + Sync>>;

impl Model {
    /// All of them, in the order of results.
    pub const ALL: [Self; 6] = [
        Self::Machine,
        Self::MaxPlus(maxplus::Model::Naive),
        Self::MaxPlus(maxplus::Model::Operations),
        Self::MaxPlus(maxplus::Model::Serialized),
        Self::Waves,
        Self::Efficiency,
    ];

    /// What results call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Machine => "machine",
            Self::MaxPlus(model) => model.name(),
            Self::Waves => "waves",
            Self::Efficiency => "efficiency",
        }
    }

    /// What it says of a configuration.
    ///
    /// # Errors
    /// When it says nothing, the reason.
    pub fn predict(self, case: &Case) -> Prediction {
        match self {
            Self::Machine => machine::ticks(case),
            Self::MaxPlus(model) => max_plus::ticks(case, model),
            Self::Waves => waves::microseconds(case),
            Self::Efficiency => efficiency::inverse(case),
        }
    }
}

/// What became of a configuration.
#[derive(Debug)]
pub enum Assessment {
    /// It cannot run, for this reason.
    Refused(String),
    /// What each of the models says, in their order.
    Predicted(Vec<Prediction>),
}

/// Why configurations cannot be assessed.
#[derive(Debug, Error)]
pub enum AnalysisError {
    /// The spec cannot be used.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// There are too many.
    #[error("constraints and domains leave more than {most} configurations")]
    TooManyConfigurations {
        /// How many there may be.
        most: usize,
    },
    /// A configuration cannot be lowered.
    #[error("configuration {configuration}: {why}")]
    Lowering {
        /// Which.
        configuration: String,
        /// Why.
        why: Box<LoweringError>,
    },
}

impl AnalysisError {
    /// How to mend it.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        match self {
            Self::Spec(error) => error.help(),
            Self::Lowering { why, .. } => why.help(),
            Self::TooManyConfigurations { .. } => Some("narrower domains or more constraints leave fewer".to_owned()),
        }
    }
}

/// What the models say of some configurations, in their order. Any values will do: those outside the spec's domains and
/// constraints are refused.
///
/// # Errors
/// The first configuration that cannot be lowered, though nothing refuses it.
pub fn assess(
    spec: &Spec,
    profile: &Profile,
    models: &[Model],
    configurations: &[Configuration],
) -> Result<Vec<Assessment>, AnalysisError> {
    let ask = |case: &Case| models.iter().map(|model| model.predict(case)).collect();
    let answers = each(spec, profile, configurations, ask)?;
    Ok(answers.into_iter().map(|answer| answer.map_or_else(Assessment::Refused, Assessment::Predicted)).collect())
}

/// The configurations that the spec's constraints allow, in the space's order.
///
/// # Errors
/// When the space cannot be enumerated, or holds too much.
pub fn allowed(spec: &Spec, profile: &Profile) -> Result<Vec<Configuration>, AnalysisError> {
    let mut allowed = Vec::new();
    Space::new(spec, &profile.names(spec.resources.dynamic))?.visit(&mut |visit| {
        if let Visit::Feasible(values) = visit {
            allowed.push(Configuration(values.to_vec()));
        }
        if allowed.len() > MOST_CONFIGURATIONS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if allowed.len() > MOST_CONFIGURATIONS {
        return Err(AnalysisError::TooManyConfigurations { most: MOST_CONFIGURATIONS });
    }
    Ok(allowed)
}

/// Asks something of each of some configurations, in their order; of one that is refused, the reason.
///
/// # Errors
/// As [`assess`].
pub fn each<T: Send>(
    spec: &Spec,
    profile: &Profile,
    configurations: &[Configuration],
    ask: impl Fn(&Case) -> T + Sync,
) -> Result<Vec<Result<T, String>>, AnalysisError> {
    let lowering = Lowering::new(spec, profile);
    let space = Space::new(spec, lowering.names())?;
    let ask = |configuration| ask_one(spec, profile, &lowering, &space, configuration, &ask);
    configurations.par_iter().map(ask).collect::<Vec<_>>().into_iter().collect()
}

fn ask_one<T>(
    spec: &Spec,
    profile: &Profile,
    lowering: &Lowering,
    space: &Space,
    configuration: &Configuration,
    ask: impl Fn(&Case) -> T,
) -> Result<Result<T, String>, AnalysisError> {
    if let Some(reason) = refusal(spec, space, configuration)? {
        return Ok(Err(reason));
    }
    let outcome = lowering.lower(configuration);
    let why = |why| AnalysisError::Lowering { configuration: spec.label(configuration), why: Box::new(why) };
    match outcome.map_err(why)? {
        Outcome::Infeasible(infeasible) => Ok(Err(infeasible.reason)),
        Outcome::Feasible(lowered) => {
            let scope = spec.scope(lowering.names(), configuration)?;
            let case = Case { spec, profile, configuration, scope: &scope, lowered: &lowered };
            Ok(Ok(ask(&case)))
        }
    }
}

/// Why the spec alone excludes a configuration, if it does.
fn refusal(spec: &Spec, space: &Space, configuration: &Configuration) -> Result<Option<String>, SpecError> {
    let values = configuration.0.iter().zip(space.domains()).zip(&spec.parameters);
    for ((value, domain), parameter) in values {
        if !domain.contains(value) {
            return Ok(Some(format!("{value} is not in the domain of {}", parameter.name)));
        }
    }
    let excluding = space.excluded_by(configuration)?;
    Ok(excluding.map(|constraint| spec.constraints[constraint].text().to_owned()))
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
        let assessments = assess(&spec, &profile, &Model::ALL, &configurations).unwrap();
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
