//! The explanation of one configuration: the rule that it breaks or the split of its time, its distance from the
//! fastest, and the change of one parameter that would help most.

mod path;
mod refusal;

use thiserror::Error;

use super::lines::KernelLines;
use crate::compare::near::NearError;
use crate::compare::{Fastest, Predictor};
use crate::gpu::{Occupancy, Profile};
use crate::limits::Limits;
use crate::lowering::{Feasibility, Lowered, Lowering, LoweringError};
use crate::machine::{Server, TooManyEvents, busy, evaluate};
use crate::source::SourceReader;
use crate::space::{MOST_EVENTS, Space, SpaceError, each};
use crate::spec::{Configuration, Spec, SpecError};
use crate::ticks::Ticks;
use crate::user_error::{ExitStatus, UserError};

pub use path::{PathShare, WaitCause};
pub use refusal::Refusal;

/// The explanation of a configuration.
#[derive(Debug)]
pub struct Explanation {
    /// The split of its time, or the rule that it breaks.
    pub outcome: Result<Account, Refusal>,
    /// The natively fastest configuration of the space and its ticks; `None` if no configuration is feasible.
    pub fastest: Option<(Configuration, Ticks)>,
    /// For each parameter with another feasible value, the best of these values; the fastest change first.
    pub changes: Vec<Change>,
}

/// The split of a configuration's time.
#[derive(Debug)]
pub struct Account {
    /// The native time, in ticks.
    pub ticks: Ticks,
    /// The ticks of it before the first group starts.
    pub launch: u64,
    /// The work groups and warps that fit a multiprocessor at a time.
    pub resident: (u64, u64),
    /// The work groups and warps of the largest wave: fewer than fit if the launch does not have more.
    pub wave: (u64, u64),
    /// The limit of the resident groups; `None` on a lockstep GPU.
    pub occupancy: Option<Occupancy>,
    /// The ticks for which each server is busy after launch; servers work in parallel.
    pub servers: [(Server, u128); 3],
    /// The critical path after launch: with the launch, its ticks add up to the time.
    pub path: Result<Vec<PathShare>, TooManyEvents>,
}

/// A change of one parameter's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The index of the spec's parameter.
    pub parameter: usize,
    /// The new value.
    pub value: i64,
    /// The native time with it, in ticks.
    pub ticks: Ticks,
}

/// A reason for which a configuration cannot be explained.
#[derive(Debug, Error)]
pub enum ExplainError {
    /// A spec that cannot be used.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A configuration that cannot be lowered, although no rule refuses it.
    #[error(transparent)]
    Lowering(#[from] LoweringError),
    /// Another configuration that cannot be assessed.
    #[error(transparent)]
    Analysis(#[from] SpaceError),
    /// A failure in the search for the fastest configuration.
    #[error(transparent)]
    Near(#[from] NearError),
    /// A configuration whose own time cannot be computed.
    #[error("its time cannot be computed: {0}")]
    NoTime(Box<dyn std::error::Error + Send + Sync>),
}

impl UserError for ExplainError {
    fn status(&self) -> ExitStatus {
        match self {
            Self::Analysis(error) => error.status(),
            Self::Near(error) => error.status(),
            Self::Spec(_) | Self::Lowering(_) | Self::NoTime(_) => ExitStatus::Unusable,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Spec(error) => error.help(),
            Self::Lowering(error) => error.help(),
            Self::Analysis(error) => error.help(),
            Self::Near(error) => error.help(),
            Self::NoTime(_) => Some("a smaller problem size has fewer events, `--set NAME=VALUE`".to_owned()),
        }
    }
}

/// Explains a configuration.
///
/// # Errors
/// If the configuration, or those with which it is compared, cannot be evaluated.
pub fn explain(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    configuration: &Configuration,
    limits: &Limits,
) -> Result<Explanation, ExplainError> {
    let lowering = Lowering::new(spec, profile, reader);
    let outcome = match lowering.lower(configuration)? {
        Feasibility::Infeasible(infeasible) => {
            let scope = spec.scope(lowering.names(), configuration)?;
            Err(Refusal::of(spec, &scope, &infeasible))
        }
        Feasibility::Feasible(lowered) => Ok(account(spec, &lowering, configuration, &lowered)?),
    };
    Ok(Explanation {
        outcome,
        fastest: fastest(spec, profile, reader, limits)?,
        changes: changes(spec, profile, reader, &lowering, configuration)?,
    })
}

/// Accounts for the time of a lowered configuration.
///
/// # Errors
/// If its own time takes too many events.
pub fn account(
    spec: &Spec,
    lowering: &Lowering,
    configuration: &Configuration,
    lowered: &Lowered,
) -> Result<Account, ExplainError> {
    let program = &lowered.program;
    program.check_length().map_err(|why| ExplainError::NoTime(why.into()))?;
    let time = evaluate(program, MOST_EVENTS).map_err(|why| ExplainError::NoTime(why.into()))?;
    let origins = lowering.origins(configuration)?.feasible().unwrap_or_default();
    let with_warps = |groups: u64| (groups, groups.saturating_mul(program.warps_per_group));
    Ok(Account {
        ticks: time.ticks.into(),
        launch: program.launch,
        resident: with_warps(program.resident_groups),
        wave: with_warps(program.largest_wave()),
        occupancy: lowered.occupancy,
        servers: busy(program),
        path: path::critical(spec, &KernelLines::of(lowering, configuration)?, program, &origins),
    })
}

fn fastest(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    limits: &Limits,
) -> Result<Option<(Configuration, Ticks)>, ExplainError> {
    let fastest = Fastest::of(spec, profile, reader, None, limits)?;
    Ok(fastest.configuration().cloned().zip(fastest.pick.map(|pick| pick.ticks)))
}

fn changes(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
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
        let times =
            each(spec, profile, reader, &neighbours.collect::<Vec<_>>(), |case| Predictor::Machine.predict(case))?;
        let known =
            values.iter().zip(times).filter_map(|(value, time)| Some((time.feasible()?.ok()?.ticks()?, *value)));
        changes.extend(known.min().map(|(ticks, value)| Change { parameter, value, ticks }));
    }
    changes.sort_by_key(|change| change.ticks);
    Ok(changes)
}

#[cfg(test)]
mod tests;
