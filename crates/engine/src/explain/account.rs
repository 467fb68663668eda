//! The explanation of one configuration: the rule that it breaks or the split of its time, its distance from the
//! fastest, and the change of one parameter that would help most.

mod path;
mod refusal;

use num_traits::ToPrimitive;
use serde::Serialize;
use thiserror::Error;

use super::launch::group_may_not_launch;
use super::lines::KernelLines;
use crate::compare::near::NearError;
use crate::compare::{Fastest, Predictor};
use autotune_base::limits::Limits;
use autotune_base::ticks::Ticks;
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::{Limit, Profile};
use autotune_lowering::lowering::{Feasibility, Lowered, Lowering, LoweringError};
use autotune_lowering::space::{MOST_EVENTS, Space, SpaceError, allowed, each};
use autotune_lowering::spec::{Configuration, Spec, SpecError};
use autotune_machine::machine::{Server, busy, evaluate};

pub use path::{PathShare, WaitCause};
pub use refusal::Refusal;

/// The explanation of a configuration.
#[derive(Debug)]
pub struct Explanation {
    /// The split of its time, or the rule that it breaks.
    pub outcome: Result<Account, Refusal>,
    /// The natively fastest configuration of the space and its ticks; `None` if no configuration is feasible, or if
    /// `not_compiled` is not 0.
    pub fastest: Option<(Configuration, Ticks)>,
    /// The number of configurations that the constraints allow, if they are too many to be compiled for the fastest one; else
    /// 0.
    pub not_compiled: usize,
    /// For each parameter with another feasible value, the best of these values; the fastest change first.
    pub changes: Vec<Change>,
}

/// The most configurations of a kernel's source that are compiled to look for the fastest.
const MOST_COMPILED: usize = 1_000;

/// The split of a configuration's time.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "TimeReport", deny_unknown_fields))]
pub struct Account {
    /// The whole time by the native evaluator, in ticks.
    pub ticks: Ticks,
    /// The whole time in microseconds; null on a lockstep GPU, which does not have a clock.
    pub microseconds: Option<f64>,
    /// The ticks before the first group starts.
    pub launch: u64,
    /// The number of work groups that fit a multiprocessor at a time.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub resident_groups: u64,
    /// The number of warps of all groups that fit.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub warps: u64,
    /// The limit that keeps further groups from fitting; null on a lockstep GPU.
    pub limit: Option<Limit>,
    /// The number of work groups of the largest wave. It is less than the number that fit if the launch does not have
    /// more for a multiprocessor.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub wave_groups: u64,
    /// The number of warps of all groups of the largest wave.
    #[cfg_attr(feature = "schemas", schemars(range(min = 1)))]
    pub wave_warps: u64,
    /// The busy time of each server after launch; of the dispatchers, the one with the most warps. Servers work in
    /// parallel.
    pub servers: Vec<ServerShare>,
    /// The critical path after launch by cause, the largest share first; its ticks and `launch` add up to `ticks`.
    /// Null if the path cannot be computed.
    pub path: Option<Vec<PathShare>>,
    /// The reason why there is no critical path; absent if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_path: Option<String>,
    /// The reason why the launch may fail, and the remedy; absent if it surely launches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_not_launch: Option<String>,
}

/// The busy time of a server.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(rename = "ServerReport", deny_unknown_fields))]
pub struct ServerShare {
    /// The server's name.
    pub server: Server,
    /// The ticks over all waves when the server serves at least one warp.
    pub busy: u128,
    /// The server's utilisation: the share of the ticks after launch when it serves at least one warp.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0.0, max = 1.000_001)))]
    pub share: f64,
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

/// A reason why a configuration cannot be explained.
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
/// If the configuration, or those that it is compared with, cannot be evaluated.
pub fn explain(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    configuration: &Configuration,
    limits: &Limits,
) -> Result<Explanation, ExplainError> {
    let lowering = Lowering::new(spec, profile, reader);
    let outcome = outcome(spec, profile, &lowering, configuration)?;
    let not_compiled = not_compiled(spec, profile)?;
    let fastest = if not_compiled == 0 { fastest(spec, profile, reader, limits)? } else { None };
    let changes = changes(spec, profile, reader, &lowering, configuration)?;
    Ok(Explanation { outcome, fastest, not_compiled, changes })
}

/// The split of a configuration's time, or the rule that it breaks.
pub(super) fn outcome(
    spec: &Spec,
    profile: &Profile,
    lowering: &Lowering,
    configuration: &Configuration,
) -> Result<Result<Account, Refusal>, ExplainError> {
    Ok(match lowering.lower(configuration)? {
        Feasibility::Infeasible(infeasible) => {
            let scope = spec.scope(lowering.names(), configuration)?;
            Err(Refusal::new(spec, &scope, &infeasible))
        }
        Feasibility::Feasible(lowered) => match lowering.unsafe_edge(configuration).and_then(|why| why.refusal()) {
            Some(infeasible) => Err(Refusal::new(spec, &spec.scope(lowering.names(), configuration)?, &infeasible)),
            None => Ok(account(spec, profile, lowering, configuration, &lowered)?),
        },
    })
}

/// Accounts for the time of a lowered configuration.
///
/// # Errors
/// If its own time takes too many events.
pub fn account(
    spec: &Spec,
    profile: &Profile,
    lowering: &Lowering,
    configuration: &Configuration,
    lowered: &Lowered,
) -> Result<Account, ExplainError> {
    let program = &lowered.program;
    program.check_length().map_err(|why| ExplainError::NoTime(why.into()))?;
    let time = evaluate(program, MOST_EVENTS).map_err(|why| ExplainError::NoTime(why.into()))?;
    let origins = lowering.origins(configuration)?.feasible().unwrap_or_default();
    let ticks: Ticks = time.ticks.into();
    let warps = |groups: u64| groups.saturating_mul(program.warps_per_group);
    let (resident_groups, wave_groups) = (program.resident_groups, program.largest_wave());
    let behind_launch = real(ticks.get() - program.launch);
    let server = |(server, busy): (Server, u128)| ServerShare {
        server,
        busy,
        share: busy.to_f64().unwrap_or_default() / behind_launch.max(1.0),
    };
    let kernel = KernelLines::new(lowering, configuration)?;
    let path =
        path::critical(spec, &kernel, program, &origins, path::Whole { ticks, has_messages: profile.has_messages() });
    let no_path = path.as_ref().err().map(ToString::to_string);
    Ok(Account {
        ticks,
        microseconds: profile.microseconds(ticks.get()),
        launch: program.launch,
        resident_groups,
        warps: warps(resident_groups),
        limit: lowered.occupancy.map(|occupancy| occupancy.limit),
        wave_groups,
        wave_warps: warps(wave_groups),
        servers: busy(program).into_iter().map(server).collect(),
        path: path.ok(),
        no_path,
        may_not_launch: lowered.work.as_deref().and_then(group_may_not_launch),
    })
}

#[expect(clippy::cast_precision_loss, reason = "quotients are for the eye, ticks stand beside them")]
fn real(ticks: u64) -> f64 {
    ticks as f64
}

/// The number of allowed configurations of a kernel's source if one explanation does not compile them all; else 0.
fn not_compiled(spec: &Spec, profile: &Profile) -> Result<usize, SpaceError> {
    if spec.kernel_source.is_none() {
        return Ok(0);
    }
    let configurations = allowed(spec, profile)?.len();
    Ok(if configurations > MOST_COMPILED { configurations } else { 0 })
}

fn fastest(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    limits: &Limits,
) -> Result<Option<(Configuration, Ticks)>, ExplainError> {
    let fastest = Fastest::new(spec, profile, reader, None, limits)?;
    Ok(fastest.configuration().zip(fastest.pick.map(|pick| pick.ticks)))
}

/// For each parameter with another feasible value, the best of these values; the fastest change first.
pub(super) fn changes(
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
