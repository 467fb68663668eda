//! Work invariance: a problem takes the same stores and operations for every division into work groups.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use rayon::prelude::*;

use super::warning::{Warning, WarningKind};
use crate::gpu::Profile;
use crate::lowering::{Exact, Lowering, Subject, subjects};
use crate::space::{MOST_CONFIGURATIONS, Space, Visit};
use crate::spec::{Configuration, OperationKind as Operation, Spec};

/// The most configurations that are compared; of a larger space, an evenly spread selection.
const MOST_COMPARED: usize = 100_000;

/// The most steps of an enumeration that only looks for a warning.
const MOST_VISITS: usize = 10_000_000;

/// The allowed ratio of stored bytes, in hundredths: partial groups store beyond the edge.
const STORED_HUNDREDTHS: u64 = 110;

/// The allowed ratio of operations, in hundredths: shapes of tiles change addresses and guards.
const OPERATIONS_HUNDREDTHS: u64 = 200;

/// The least and the greatest amount of one subject, each with the position of its first configuration.
struct Extremes {
    least: (Exact, usize),
    greatest: (Exact, usize),
}

/// A warning for each array and each kind of operations whose amount is clearly greater in some configurations.
pub(super) fn varying(spec: &Spec, profile: &Profile, space: &Space) -> Vec<Warning> {
    let subjects = subjects(spec);
    let judged = |subject: &Subject<'_>| {
        // Tuning saves addresses, loops and guards: their number may vary.
        let is_overhead = matches!(subject, Subject::Operations { kind: Operation::Any, .. });
        !is_overhead && !spec.varies.iter().any(|meant| meant == subject.name())
    };
    if !subjects.iter().any(judged) {
        return Vec::new();
    }
    let Some((configurations, of)) = spread(space) else { return Vec::new() };
    let sampled =
        if configurations.len() < of { format!(", of {} compared", configurations.len()) } else { String::new() };
    let lowering = Lowering::new(spec, profile);
    let amounts = |configuration: &Configuration| lowering.amounts(configuration).ok().flatten();
    let amounts: Vec<Option<Vec<Exact>>> = configurations.par_iter().map(amounts).collect();
    let mut warnings = Vec::new();
    for (position, subject) in subjects.iter().enumerate().filter(|(_, subject)| judged(subject)) {
        let all = amounts.iter().enumerate().filter_map(|(number, one)| Some((one.as_ref()?[position], number)));
        if let Some(Extremes { least, greatest }) = extremes(all)
            && exceeds(*subject, least.0, greatest.0)
        {
            let label = |number: usize| spec.label(&configurations[number]);
            let what = match subject {
                Subject::Stored { array, .. } => format!("the bytes stored to `{array}`"),
                Subject::Operations { kind, .. } => format!("the operations of kind `{}`", kind.name()),
            };
            let message = format!(
                "{what} depend on the configuration{sampled}: {} with {}, {} with {}",
                least.0,
                label(least.1),
                greatest.0,
                label(greatest.1)
            );
            let name = subject.name();
            let help = format!(
                "the same problem should take the same work; if the difference is intended, write `varies: [{name}]`"
            );
            warnings.push(Warning::new(WarningKind::WorkVaries, &spec.source, subject.place(), message, &help));
        }
    }
    warnings
}

/// The configurations that no constraint excludes, all or evenly spread, and their number; `None` if they are too many
/// to be tuned, or too few among too many to be found soon.
pub(super) fn spread(space: &Space) -> Option<(Vec<Configuration>, usize)> {
    let mut allowed = Vec::new();
    let mut every = 1;
    let (mut seen, mut visits) = (0_usize, 0_usize);
    // A constraint that cannot be evaluated ends the walk; the command reports that error.
    let _ = space.visit(&mut |visit| {
        visits += 1;
        if let Visit::Feasible(values) = visit {
            if seen.is_multiple_of(every) {
                allowed.push(Configuration(values.to_vec()));
            }
            seen += 1;
            if allowed.len() > MOST_COMPARED {
                // Every second one is kept, to make room for as many more.
                every *= 2;
                let mut number = 0;
                allowed.retain(|_| {
                    number += 1;
                    number % 2 == 1
                });
            }
        }
        if seen > MOST_CONFIGURATIONS || visits > MOST_VISITS {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    (seen <= MOST_CONFIGURATIONS && visits <= MOST_VISITS).then_some((allowed, seen))
}

fn extremes(mut amounts: impl Iterator<Item = (Exact, usize)>) -> Option<Extremes> {
    let first = amounts.next()?;
    let mut found = Extremes { least: first, greatest: first };
    for one in amounts {
        if one.0.partial_cmp(&found.least.0)? == Ordering::Less {
            found.least = one;
        }
        if one.0.partial_cmp(&found.greatest.0)? == Ordering::Greater {
            found.greatest = one;
        }
    }
    Some(found)
}

fn exceeds(subject: Subject<'_>, least: Exact, greatest: Exact) -> bool {
    let hundredths = match subject {
        Subject::Stored { .. } => STORED_HUNDREDTHS,
        Subject::Operations { .. } => OPERATIONS_HUNDREDTHS,
    };
    greatest * Exact::from(100) > least * Exact::from(hundredths)
}
