//! Private arrays that clang leaves in memory: other compilers may keep them in registers, which are much faster.

use std::collections::BTreeSet;

use super::launches;
use super::warning::{Warning, WarningKind};
use crate::lowering::{Feasibility, Lowering, PrivateArray, TracedKernel};
use crate::space::Space;
use crate::spec::{Configuration, Spec};

/// A warning for each private array in memory: of the first configuration and, if the whole space is asked for, of one
/// with great values, whose arrays are the largest.
pub(super) fn in_memory(
    spec: &Spec,
    lowering: &Lowering,
    space: &Space,
    (first, traced): (&Configuration, &TracedKernel),
    whole_space: bool,
) -> Vec<Warning> {
    let mut told = BTreeSet::new();
    let mut warnings = Vec::new();
    let mut tell = |configuration: &Configuration, traced: &TracedKernel| {
        for array in traced.private_arrays() {
            if told.insert(array.name.clone()) {
                warnings.extend(warning(spec, configuration, &array));
            }
        }
    };
    tell(first, traced);
    if whole_space
        && let Some(great) = launches::great(space, first)
        && let Ok(Some(Feasibility::Feasible(traced))) = lowering.trace(&great)
    {
        tell(&great, &traced);
    }
    warnings
}

fn warning(spec: &Spec, configuration: &Configuration, array: &PrivateArray) -> Option<Warning> {
    let message = format!("{} with {}", array.message(), spec.label(configuration));
    Some(Warning::in_source(WarningKind::PrivateArray, array.place.as_ref()?, message, PrivateArray::HELP))
}
