//! Questions about some configurations, lowered one by one.

use std::ops::ControlFlow;

use super::enumerate::{LISTED, MOST_CONFIGURATIONS, Space, Visit};
use super::error::SpaceError;
use super::groups;
use crate::gpu::Profile;
use crate::lowering::{Feasibility, Lowered, Lowering};
use crate::spec::{Configuration, Scope, Spec, SpecError};
use autotune_kernel::source::SourceReader;

/// A feasible configuration, with everything that a predictor may look at.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// The kernel, with its problem sizes set.
    pub spec: &'a Spec,
    /// The GPU's profile.
    pub profile: &'a Profile,
    /// The values of the parameters.
    pub configuration: &'a Configuration,
    /// The values of all names.
    pub scope: &'a Scope,
    /// The program that it becomes on the abstract machine.
    pub lowered: &'a Lowered,
}

/// The configurations that the spec's constraints allow, in the space's order.
///
/// # Errors
/// If the space cannot be enumerated, or the constraints leave too many configurations.
pub fn allowed(spec: &Spec, profile: &Profile) -> Result<Vec<Configuration>, SpaceError> {
    let mut allowed = Vec::new();
    Space::new(spec, &profile.names(spec.has_dynamic_local_memory()))?.visit(&mut |visit| {
        if let Visit::Feasible(values) = visit {
            allowed.push(Configuration(values.to_vec()));
        }
        if allowed.len() > MOST_CONFIGURATIONS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if allowed.len() > MOST_CONFIGURATIONS {
        return Err(SpaceError::TooManyConfigurations { most: MOST_CONFIGURATIONS });
    }
    Ok(allowed)
}

/// The only configuration of a space, or the only one that its constraints allow; `None` if there are several, or too many
/// to see it soon.
///
/// # Errors
/// If the space cannot be enumerated.
pub fn only_configuration(spec: &Spec, profile: &Profile) -> Result<Option<Configuration>, SpaceError> {
    let space = Space::new(spec, &profile.names(spec.has_dynamic_local_memory()))?;
    if space.size() == 1 && spec.listed.is_none() {
        return Ok(Some(Configuration(space.domains().iter().map(|domain| domain[0]).collect())));
    }
    if space.size() > LISTED {
        return Ok(None);
    }
    let mut found = Vec::new();
    space.visit(&mut |visit| {
        if let Visit::Feasible(values) = visit {
            found.push(Configuration(values.to_vec()));
        }
        if found.len() > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    Ok(found.pop().filter(|_| found.is_empty()))
}

/// Asks something of each of the configurations, in their order. For a refused configuration, the reason is
/// a text.
///
/// # Errors
/// If a configuration cannot be lowered or its scope cannot be evaluated.
pub fn each<T: Send>(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    configurations: &[Configuration],
    ask: impl Fn(&Case) -> T + Sync,
) -> Result<Vec<Feasibility<T, String>>, SpaceError> {
    let lowering = Lowering::new(spec, profile, reader);
    let space = Space::new(spec, lowering.names())?;
    let ask = |configuration: &Configuration| ask_one(spec, profile, &lowering, &space, configuration, &ask);
    groups::each(&lowering, &configurations.iter().collect::<Vec<_>>(), ask).into_iter().collect()
}

fn ask_one<T>(
    spec: &Spec,
    profile: &Profile,
    lowering: &Lowering,
    space: &Space,
    configuration: &Configuration,
    ask: impl Fn(&Case) -> T,
) -> Result<Feasibility<T, String>, SpaceError> {
    if let Some(reason) = refusal(spec, space, configuration)? {
        return Ok(Feasibility::Infeasible(reason));
    }
    let outcome = lowering.lower(configuration);
    let why = |why| SpaceError::Lowering { configuration: spec.label(configuration), why: Box::new(why) };
    match outcome.map_err(why)? {
        Feasibility::Infeasible(infeasible) => Ok(Feasibility::Infeasible(infeasible.to_string())),
        Feasibility::Feasible(lowered) => {
            let scope = spec.scope(lowering.names(), configuration)?;
            let case = Case { spec, profile, configuration, scope: &scope, lowered: &lowered };
            Ok(Feasibility::Feasible(ask(&case)))
        }
    }
}

/// The reason why the spec alone excludes a configuration; `None` if the spec allows it.
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
