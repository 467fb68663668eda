//! What a user should know of a description that is no error: the tool tunes what it is told, and an optimiser finds every
//! hole in a description.

use serde::{Deserialize, Serialize};

use crate::gpu::{Implausible, Profile, implausible};
use crate::space::Space;
use crate::spec::{Parameter, Spec};
use crate::text::{Place, Source};

mod work;

/// A warning and its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// What it is about.
    pub kind: WarningKind,
    /// One line.
    pub message: String,
    /// The file that it is about, as messages call it.
    pub file: String,
    /// A line of the file, counted from 1.
    pub line: u32,
    /// A character of the line, counted from 1.
    pub column: u32,
    /// How to mend it, or to say that it is meant.
    pub help: String,
}

/// What a warning is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WarningKind {
    /// What the kernel stores or computes depends on the configuration.
    WorkVaries,
    /// A parameter of several values changes nothing.
    UnusedParameter,
    /// A value of the profile is one that no GPU has.
    ImplausibleProfile,
}

impl Warning {
    fn new(kind: WarningKind, source: &Source, place: Place, message: String, help: &str) -> Self {
        let (file, line, column) = (source.name().to_owned(), place.line, place.column);
        Self { kind, message, file, line, column, help: help.to_owned() }
    }
}

/// Everything to be told of a kernel and a GPU: first the parameters, then the work, then the profile, which was read from
/// `profile_text`. What cannot be evaluated is no warning: it is an error elsewhere. The work is compared only where
/// `whole_space` is asked about.
#[must_use]
pub fn warnings(spec: &Spec, profile: &Profile, profile_text: &Source, whole_space: bool) -> Vec<Warning> {
    let Ok(space) = Space::new(spec, &profile.names(spec.resources.dynamic)) else { return Vec::new() };
    let mut found: Vec<Warning> = spec
        .unused()
        .into_iter()
        .filter(|unused| space.domain(&unused.name).is_some_and(|values| values.len() > 1))
        .map(unused)
        .collect();
    if whole_space {
        found.extend(work::varying(spec, profile, &space));
    }
    found.extend(implausible(profile).iter().map(|value| odd(value, profile_text)));
    found
}

fn unused(parameter: &Parameter) -> Warning {
    let message = format!(
        "no launch, resource, statement or constraint uses the parameter `{}`: its values are all alike to the tool",
        parameter.name
    );
    let help = &format!("use it in the spec, give it one value, or say `unused: [{}]`", parameter.name);
    Warning::new(WarningKind::UnusedParameter, &parameter.source, parameter.place, message, help)
}

fn odd(found: &Implausible, profile: &Source) -> Warning {
    let Implausible { key, value, plausible: (least, most), is_odd } = found;
    let message = if *is_odd {
        format!("`{key}` is {value}, and on every GPU so far it is a power of two")
    } else {
        format!("`{key}` is {value}, and GPUs so far have {least} to {most}")
    };
    // In a flow mapping a key begins no line.
    let place = profile.key(key).unwrap_or_else(|| profile.place(0));
    Warning::new(
        WarningKind::ImplausibleProfile,
        profile,
        place,
        message,
        "is it meant, and in the unit that the profile's comments name?",
    )
}

#[cfg(test)]
mod tests;
