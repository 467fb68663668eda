//! Launches of a kernel's source that leave a part of the problem undone, or do it twice: the source says what a work
//! item does, and only the user how many there are.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::warning::{Warning, WarningKind};
use crate::lowering::{Lowering, StoredBytes};
use crate::space::Space;
use crate::spec::{Configuration, Expression, Spec};

/// The most configurations that are compared: each is compiled and executed.
const MOST_COMPARED: usize = 8;

/// The allowed ratio of stored bytes.
const ALLOWED: f64 = 1.1;

/// A warning for each array to which some configurations surely store more than others.
pub(super) fn varying(spec: &Spec, lowering: &Lowering, space: &Space, first: &Configuration) -> Vec<Warning> {
    let Some(place) = spec.launch.work_items.first().map(Expression::place) else { return Vec::new() };
    let compared = around(space, first);
    // What cannot be lowered is an error elsewhere.
    let stored = |one: &Configuration| lowering.stored_bytes(one).ok().flatten();
    let stored: Vec<Option<BTreeMap<String, StoredBytes>>> = compared.par_iter().map(stored).collect();
    let known: Vec<(&Configuration, &BTreeMap<String, StoredBytes>)> =
        compared.iter().zip(&stored).filter_map(|(one, stored)| Some((one, stored.as_ref()?))).collect();
    let arrays: BTreeSet<&String> = known.iter().flat_map(|(_, stored)| stored.keys()).collect();
    let is_judged = |array: &&String| !spec.varies.contains(array);
    let warning = |array: &String| {
        let all = || known.iter().map(|(one, stored)| (*one, stored.get(array).copied().unwrap_or_default()));
        let (fewer, [_, most]) = all().min_by(|(_, one), (_, other)| one[1].total_cmp(&other[1]))?;
        let (more, [least, _]) = all().max_by(|(_, one), (_, other)| one[0].total_cmp(&other[0]))?;
        (least > most * ALLOWED).then(|| {
            let message = format!(
                "the bytes stored to `{array}` depend on the configuration: at most {most:.0} with {}, at least {least:.0} with {}",
                spec.label(fewer),
                spec.label(more)
            );
            let help = format!(
                "the same problem should take the same work: correct `work_items`; if the difference is intended, \
                 write `varies: [{array}]`"
            );
            Warning::new(WarningKind::WorkVaries, &spec.source, place, message, &help)
        })
    };
    arrays.into_iter().filter(is_judged).filter_map(warning).collect()
}

/// A configuration with great values: from the first one, each parameter in turn takes its greatest value that no constraint
/// excludes; `None` if that is the first one.
pub(super) fn great(space: &Space, first: &Configuration) -> Option<Configuration> {
    let mut great = first.clone();
    for (at, domain) in space.domains().iter().enumerate() {
        let mut others = domain.iter().rev().map(|value| changed(&great, at, *value));
        great = others.find(|other| matches!(space.excluded_by(other), Ok(None))).unwrap_or(great);
    }
    (great != *first).then_some(great)
}

/// A configuration with another value of the parameter at a position.
fn changed(configuration: &Configuration, at: usize, value: i64) -> Configuration {
    let mut other = configuration.clone();
    other.0[at] = value;
    other
}

/// A configuration, and those that have another value of one parameter.
fn around(space: &Space, first: &Configuration) -> Vec<Configuration> {
    let others = space.domains().iter().enumerate().filter_map(|(at, domain)| {
        let differs = domain.iter().rev().map(|value| changed(first, at, *value)).filter(|other| other != first);
        differs.into_iter().find(|other| matches!(space.excluded_by(other), Ok(None)))
    });
    std::iter::once(first.clone()).chain(others).take(MOST_COMPARED).collect()
}
