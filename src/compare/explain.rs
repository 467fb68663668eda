//! One configuration explained: why it cannot run, or where its time goes; how far it is from the fastest, and which
//! change of one parameter would help most.

mod path;
mod refusal;

use crate::space;
use thiserror::Error;

use super::Predictor;
use super::near::NearError;
use crate::compare::near;
use crate::gpu::{Occupancy, Profile};
use crate::limits::Limits;
use crate::lowering::{Feasibility, Lowered, Lowering, LoweringError};
use crate::machine::{Server, TooManyEvents, busy, evaluate};
use crate::proof::TuningError;
use crate::space::{Pruning, Space, SpaceError, each};
use crate::spec::{Configuration, Spec, SpecError};

pub use path::{PathShare, WaitCause};
pub use refusal::Refusal;

/// What is known of a configuration.
#[derive(Debug)]
pub struct Explanation {
    /// Why it cannot run, or where its time goes.
    pub fate: Result<Account, Refusal>,
    /// The natively fastest configuration of all and its ticks; none if none can run.
    pub fastest: Option<(Configuration, u64)>,
    /// Of each parameter that has another value with which it runs, the best of these, the fastest first.
    pub changes: Vec<Change>,
}

/// Where the time of a configuration goes.
#[derive(Debug)]
pub struct Account {
    /// Its native time.
    pub ticks: u64,
    /// Of these, before the first group starts.
    pub launch: u64,
    /// Work groups and warps that fit a multiprocessor at a time.
    pub resident: (u64, u64),
    /// Those of the largest wave: fewer, if the launch has no more.
    pub wave: (u64, u64),
    /// What keeps more of them away; none on a lockstep GPU.
    pub occupancy: Option<Occupancy>,
    /// Ticks during which each server is busy, behind the launch: they work side by side.
    pub servers: [(Server, u128); 3],
    /// The critical path: with the launch, its ticks add up to the time.
    pub path: Result<Vec<PathShare>, TooManyEvents>,
}

/// Another value of one parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Which of the spec's parameters.
    pub parameter: usize,
    /// Its value.
    pub value: i64,
    /// The native time with it.
    pub ticks: u64,
}

/// Why a configuration cannot be explained.
#[derive(Debug, Error)]
pub enum ExplainError {
    /// The spec cannot be used.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// It cannot be lowered, though nothing refuses it.
    #[error(transparent)]
    Lowering(#[from] LoweringError),
    /// Another configuration cannot be assessed.
    #[error(transparent)]
    Analysis(#[from] SpaceError),
    /// The fastest cannot be found.
    #[error(transparent)]
    Tuning(#[from] TuningError),
    /// Of several that are as fast none can be preferred.
    #[error(transparent)]
    Near(#[from] NearError),
    /// Its own time is not known.
    #[error("its time is not known: {0}")]
    NoTime(Box<dyn std::error::Error + Send + Sync>),
}

/// Explains a configuration.
///
/// # Errors
/// When it or those that it is compared with cannot be evaluated.
pub fn explain(
    spec: &Spec,
    profile: &Profile,
    configuration: &Configuration,
    limits: &Limits,
) -> Result<Explanation, ExplainError> {
    let lowering = Lowering::new(spec, profile);
    let fate = match lowering.lower(configuration)? {
        Feasibility::Infeasible(infeasible) => {
            let scope = spec.scope(lowering.names(), configuration)?;
            Err(Refusal::of(spec, &scope, infeasible))
        }
        Feasibility::Feasible(lowered) => Ok(account(spec, &lowering, configuration, &lowered)?),
    };
    Ok(Explanation {
        fate,
        fastest: fastest(spec, profile, limits)?,
        changes: changes(spec, profile, &lowering, configuration)?,
    })
}

/// Accounts for the time of a lowered configuration.
///
/// # Errors
/// When its own time takes too many events.
pub fn account(
    spec: &Spec,
    lowering: &Lowering,
    configuration: &Configuration,
    lowered: &Lowered,
) -> Result<Account, ExplainError> {
    let program = &lowered.program;
    program.check_length().map_err(|why| ExplainError::NoTime(why.into()))?;
    let time = evaluate(program, super::predictor::MOST_EVENTS).map_err(|why| ExplainError::NoTime(why.into()))?;
    let origins = lowering.origins(configuration)?.unwrap_or_default();
    let with_warps = |groups: u64| (groups, groups.saturating_mul(program.warps_per_group));
    Ok(Account {
        ticks: time.ticks,
        launch: program.launch,
        resident: with_warps(program.resident_groups),
        wave: with_warps(program.largest_wave()),
        occupancy: lowered.occupancy,
        servers: busy(program),
        path: path::critical(spec, program, &origins),
    })
}

/// A model's cost that is a number of ticks.
fn whole(cost: f64) -> Option<u64> {
    num_traits::ToPrimitive::to_u64(&cost)
}

fn fastest(spec: &Spec, profile: &Profile, limits: &Limits) -> Result<Option<(Configuration, u64)>, ExplainError> {
    let survey = space::survey(spec, profile, None, limits)?.unwrap_or_default();
    let estimates = space::estimate(spec, &survey, Pruning::Best(1), limits)?;
    let pick = near::fastest(spec, profile, &survey, &estimates)?;
    Ok(pick.map(|pick| (survey.entries[pick.entry].configuration.clone(), pick.ticks)))
}

fn changes(
    spec: &Spec,
    profile: &Profile,
    lowering: &Lowering,
    configuration: &Configuration,
) -> Result<Vec<Change>, ExplainError> {
    let space = Space::new(spec, lowering.names())?;
    let mut changes = Vec::new();
    for (parameter, domain) in space.domains().iter().enumerate() {
        let values: Vec<i64> = domain.iter().copied().filter(|value| *value != configuration.0[parameter]).collect();
        let neighbours = values.iter().map(|value| {
            let mut neighbour = configuration.clone();
            neighbour.0[parameter] = *value;
            neighbour
        });
        let times = each(spec, profile, &neighbours.collect::<Vec<_>>(), |case| Predictor::Machine.predict(case))?;
        let known = values.iter().zip(times).filter_map(|(value, time)| Some((whole(time.ok()?.ok()?)?, *value)));
        changes.extend(known.min().map(|(ticks, value)| Change { parameter, value, ticks }));
    }
    changes.sort_by_key(|change| change.ticks);
    Ok(changes)
}

#[cfg(test)]
mod tests;
