//! Stated footprints against those that follow from the subscripts.

use rayon::prelude::*;

use super::finding::CheckFinding;
use super::matter::Matter;
use super::sample::{Question, Sample};
use autotune_base::limits::Limits;
use autotune_base::text::Place;
use autotune_lowering::lowering::{Contradiction, Exact, Lowering};
use autotune_lowering::space::Space;
use autotune_lowering::spec::{Access, AsyncCopy, Configuration, Pattern, Spec, Statement};

/// The contradictions at one place.
struct Found<'a> {
    place: Place,
    /// The contradiction that is farthest from the subscripts, and its configuration.
    worst: (Contradiction, &'a Configuration),
    /// The number of configurations with a contradiction.
    configurations: usize,
}

/// A finding for each stated footprint that contradicts its subscripts in some configuration.
pub(super) fn contradicting(spec: &Spec, lowering: &Lowering, space: &Space, limits: &Limits) -> Vec<CheckFinding> {
    if !states_what_follows(&spec.body) {
        return Vec::new();
    }
    let Some(Sample { configurations, .. }) = Sample::new(space, None, Question::Footprints, limits) else {
        return Vec::new();
    };
    // A configuration that cannot be lowered is an error elsewhere.
    let of = |configuration: &Configuration| {
        limits.exceeded().is_none().then(|| lowering.contradictions(configuration).ok().flatten())?
    };
    let contradictions: Vec<Option<Vec<Contradiction>>> = configurations.par_iter().map(of).collect();
    let feasible = contradictions.iter().flatten().count();
    let mut found: Vec<Found<'_>> = Vec::new();
    for (configuration, contradictions) in configurations.iter().zip(contradictions) {
        for contradiction in contradictions.into_iter().flatten() {
            match found.iter_mut().find(|footprint| footprint.place == contradiction.place) {
                Some(one) => one.add(contradiction, configuration),
                None => found.push(Found {
                    place: contradiction.place,
                    worst: (contradiction, configuration),
                    configurations: 1,
                }),
            }
        }
    }
    found.sort_by_key(|footprint| (footprint.place.line, footprint.place.column));
    found.into_iter().map(|footprint| footprint.finding(spec, feasible)).collect()
}

impl<'a> Found<'a> {
    fn add(&mut self, contradiction: Contradiction, configuration: &'a Configuration) {
        self.configurations += 1;
        if distance(&contradiction) > distance(&self.worst.0) {
            self.worst = (contradiction, configuration);
        }
    }

    fn finding(self, spec: &Spec, compared: usize) -> CheckFinding {
        let Self { place, worst: (worst, configuration), configurations } = self;
        let matter = Matter::FootprintContradicts { worst, label: spec.label(configuration), configurations, compared };
        CheckFinding::in_text(matter, &spec.source, place)
    }
}

/// The greater of stated and following bytes, divided by the lesser.
fn distance(contradiction: &Contradiction) -> f64 {
    let [stated, follows] = [Exact::from(contradiction.stated), contradiction.follows]
        .map(|bytes| bytes.to_f64().unwrap_or_default().max(1.0));
    (stated / follows).max(follows / stated)
}

/// True if an access has both subscripts and a stated footprint.
fn states_what_follows(statements: &[Statement]) -> bool {
    let is_stated = |access: &Access| access.footprint.group.is_some() || access.footprint.together.is_some();
    Statement::all(statements).any(|statement| match statement {
        Statement::Load(access) | Statement::Store(access) | Statement::Copy(AsyncCopy { access, .. }) => {
            matches!(access.pattern, Pattern::Index(_)) && is_stated(access)
        }
        _ => false,
    })
}
