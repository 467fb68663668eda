//! All findings about a description: a kernel, its space and a GPU.

use super::finding::CheckFinding;
use super::matter::Matter;
use super::{execution, footprints, queues, work};
use autotune_base::text::Source;
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::{Profile, implausible};
use autotune_lowering::lowering::Lowering;
use autotune_lowering::space::Space;
use autotune_lowering::spec::{Configuration, Spec};

/// Returns the findings about a kernel and a GPU: first the parameters, then the queues, then the work and the footprints, then the
/// kernel's source, then the profile, which was read from `profile_text`. Expressions that cannot be evaluated are ignored; they are errors
/// elsewhere. If a question is about `only` one configuration, none are compared.
#[must_use]
pub fn findings(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    profile_text: &Source,
    only: Option<&Configuration>,
) -> Vec<CheckFinding> {
    let lowering = Lowering::new(spec, profile, reader);
    let Ok(space) = Space::new(spec, lowering.names()) else { return Vec::new() };
    let limits = &reader.tools().limits();
    let mut found = unused_parameters(spec, &space);
    found.extend(queues::unawaited(spec));
    if only.is_none() {
        found.extend(work::of_body(spec, &lowering, &space, limits));
        found.extend(footprints::contradicting(spec, &lowering, &space, limits));
    }
    found.extend(execution::of_source(spec, &lowering, &space, only, limits));
    found.extend(implausible(profile).into_iter().map(|value| {
        // In a flow mapping, a key does not begin a line.
        let place = profile_text.key(value.key).unwrap_or_else(|| profile_text.place(0));
        CheckFinding::in_text(Matter::ImplausibleProfile(value), profile_text, place)
    }));
    found
}

/// A finding for each parameter with several values that nothing uses.
fn unused_parameters(spec: &Spec, space: &Space) -> Vec<CheckFinding> {
    let unused = spec.unused().into_iter();
    let unused = unused.filter(|parameter| space.domain(&parameter.name).is_some_and(|values| values.len() > 1));
    unused
        .map(|parameter| {
            let matter = Matter::UnusedParameter(parameter.name.clone());
            CheckFinding::in_text(matter, &parameter.source, parameter.place)
        })
        .collect()
}
