//! The time of an extracted body beside that of its source.

use crate::gpu::Profile;
use crate::lowering::{Feasibility, Lowering};
use crate::spec::{Configuration, Spec};
use autotune_kernel::source::SourceReader;
use autotune_machine::machine::evaluate;

/// The most events of a program that are run for a comparison.
const MOST_EVENTS: u64 = 1 << 22;

/// The thousandths of its source's time that a body may take more or less.
const NEAR: u64 = 2;

/// True if a body, as the text of a spec, takes nearly the time of its source. A body that cannot be compared does: it cannot be
/// mended by another one.
pub(super) fn is_near(
    source: &Lowering<'_>,
    text: &str,
    (spec, profile, reader): (&Spec, &Profile, &SourceReader),
    configuration: &Configuration,
) -> bool {
    let Ok(extracted) = Spec::parse(text, spec.source.name()) else { return true };
    let body = Lowering::new(&extracted, profile, reader);
    let Some(body) = ticks(&body, configuration) else { return true };
    let Some(source) = ticks(source, configuration) else { return true };
    body.abs_diff(source).saturating_mul(1000) <= source.saturating_mul(NEAR)
}

/// The ticks of a configuration; `None` if it does not run, or takes too many events.
fn ticks(lowering: &Lowering<'_>, configuration: &Configuration) -> Option<u64> {
    match lowering.lower(configuration) {
        Ok(Feasibility::Feasible(lowered)) => Some(evaluate(&lowered.program, MOST_EVENTS).ok()?.ticks),
        _ => None,
    }
}
