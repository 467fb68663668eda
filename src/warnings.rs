//! Warnings about valid descriptions: the tool tunes the description that it is given, and an optimiser finds every
//! hole in it.

mod findings;
mod footprints;
mod launches;
mod private_arrays;
mod warning;
mod work;

use crate::gpu::{Implausible, Profile, implausible};
use crate::space::Space;
use crate::spec::{Parameter, Spec};
use crate::text::Source;

/// Returns the warnings about a kernel and a GPU: first the parameters, then the work and the footprints, then the
/// kernel's source, then the profile, which was read from `profile_text`. Expressions that cannot be evaluated are ignored; they are errors
/// elsewhere. Configurations are compared only if `whole_space` is true.
#[must_use]
pub fn warnings(spec: &Spec, profile: &Profile, profile_text: &Source, whole_space: bool) -> Vec<Warning> {
    let Ok(space) = Space::new(spec, &profile.names(spec.has_dynamic_local_memory())) else { return Vec::new() };
    let mut found: Vec<Warning> = spec
        .unused()
        .into_iter()
        .filter(|unused| space.domain(&unused.name).is_some_and(|values| values.len() > 1))
        .map(unused)
        .collect();
    if whole_space {
        found.extend(work::varying(spec, profile, &space));
        found.extend(footprints::contradicting(spec, profile, &space));
    }
    found.extend(findings::of_source(spec, profile, &space, whole_space));
    found.extend(implausible(profile).iter().map(|value| odd(value, profile_text)));
    found
}

fn unused(parameter: &Parameter) -> Warning {
    let message = format!(
        "no launch, resource, statement or constraint uses the parameter `{}`: all its values give the same time",
        parameter.name
    );
    let help = &format!("use it in the spec, give it one value, or write `unused: [{}]`", parameter.name);
    Warning::new(WarningKind::UnusedParameter, &parameter.source, parameter.place, message, help)
}

fn odd(found: &Implausible, profile: &Source) -> Warning {
    let Implausible { key, value, plausible: (least, most), is_odd } = found;
    let message = if *is_odd {
        format!("`{key}` is {value}, but a power of two on every GPU so far")
    } else {
        format!("`{key}` is {value}, but GPUs so far have {least} to {most}")
    };
    // In a flow mapping, a key does not begin a line.
    let place = profile.key(key).unwrap_or_else(|| profile.place(0));
    Warning::new(
        WarningKind::ImplausibleProfile,
        profile,
        place,
        message,
        "check the value, and its unit in the comments of the shipped profiles",
    )
}

#[cfg(test)]
mod tests;
pub use warning::{Warning, WarningKind};
