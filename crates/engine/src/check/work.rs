//! Work invariance: a problem takes the same stores and operations for every division into work groups.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use rayon::prelude::*;

use super::finding::CheckFinding;
use super::matter::{Amount, Matter, Work};
use super::sample::{Question, Sample};
use autotune_base::limits::Limits;
use autotune_lowering::lowering::{Exact, Lowering, StoredBytes, Subject, subjects};
use autotune_lowering::space::Space;
use autotune_lowering::spec::{Configuration, Expression, OperationKind as Operation, Spec};

/// The allowed ratio of stored bytes, in hundredths: partial groups store beyond the edge.
const STORED_HUNDREDTHS: u32 = 110;

/// The allowed ratio of operations, in hundredths: shapes of tiles change addresses and guards.
const OPERATIONS_HUNDREDTHS: u32 = 200;

/// An amount of work.
trait Compared: Copy + PartialOrd {
    /// True if it is more than this many hundredths of the least amount.
    fn exceeds(self, least: Self, hundredths: u32) -> bool;
    fn shown(self) -> String;
}

impl Compared for Exact {
    fn exceeds(self, least: Self, hundredths: u32) -> bool {
        self * Self::from(100) > least * Self::from(u64::from(hundredths))
    }

    fn shown(self) -> String {
        self.to_string()
    }
}

impl Compared for f64 {
    fn exceeds(self, least: Self, hundredths: u32) -> bool {
        self * 100.0 > least * Self::from(hundredths)
    }

    fn shown(self) -> String {
        format!("{self:.0}")
    }
}

/// A finding for each array and each kind of operations whose amount is clearly greater in some configurations.
pub(super) fn of_body(spec: &Spec, lowering: &Lowering, space: &Space, limits: &Limits) -> Vec<CheckFinding> {
    let subjects = subjects(spec);
    let judged = |subject: &Subject<'_>| {
        // Tuning saves addresses, loops and guards: their number may vary.
        let is_overhead = matches!(subject, Subject::Operations { kind: Operation::Any, .. });
        !is_overhead && !spec.varies.iter().any(|meant| meant == subject.name())
    };
    if !subjects.iter().any(judged) {
        return Vec::new();
    }
    let Some(Sample { configurations, of }) = Sample::new(space, None, Question::Work, limits) else {
        return Vec::new();
    };
    let sampled = Some(configurations.len()).filter(|compared| *compared < of);
    let amounts = |configuration: &Configuration| {
        limits.exceeded().is_none().then(|| lowering.amounts(configuration).ok().flatten())?
    };
    let amounts: Vec<Option<Vec<Exact>>> = configurations.par_iter().map(amounts).collect();
    let varying = |(position, subject): (usize, &Subject<'_>)| {
        let (work, hundredths) = match subject {
            Subject::Stored { array, .. } => (Work::Stored((*array).to_owned()), STORED_HUNDREDTHS),
            Subject::Operations { kind, .. } => (Work::Operations(*kind), OPERATIONS_HUNDREDTHS),
            Subject::Products { .. } => (Work::Products, OPERATIONS_HUNDREDTHS),
        };
        let known = configurations.iter().zip(&amounts);
        let known = known.filter_map(|(one, amounts)| Some((one, [amounts.as_ref()?[position]; 2])));
        let (least, greatest) = varying(spec, known, hundredths)?;
        let matter = Matter::WorkVaries { work, least, greatest, sampled };
        Some(CheckFinding::in_text(matter, &spec.source, subject.place()))
    };
    subjects.iter().enumerate().filter(|(_, subject)| judged(subject)).filter_map(varying).collect()
}

/// A finding for each array that surely gets more stores from some of the compared configurations of a kernel's source
/// than from others: the source says what a work item does, and only the user how many there are.
pub(super) fn of_source(spec: &Spec, lowering: &Lowering, compared: &[Configuration]) -> Vec<CheckFinding> {
    let Some(place) = spec.launch.work_items.first().map(Expression::place) else { return Vec::new() };
    // What cannot be lowered is an error elsewhere.
    let stored = |one: &Configuration| lowering.stored_bytes(one).ok().flatten();
    let stored: Vec<_> = compared.par_iter().map(stored).collect();
    let known: Vec<_> =
        compared.iter().zip(&stored).filter_map(|(one, stored)| Some((one, stored.as_ref()?))).collect();
    let arrays: BTreeSet<&String> = known.iter().flat_map(|(_, stored)| stored.keys()).collect();
    let is_judged = |array: &&String| !spec.varies.contains(array);
    let varying = |array: &String| {
        let bytes = |(one, stored): &(_, &std::collections::BTreeMap<String, StoredBytes>)| {
            (*one, stored.get(array).copied().unwrap_or_default())
        };
        let (mut least, mut greatest) = varying(spec, known.iter().map(bytes), STORED_HUNDREDTHS)?;
        // A last group may store less.
        least.amount.insert_str(0, "at most ");
        greatest.amount.insert_str(0, "at least ");
        let work = Work::StoredBySource(array.clone());
        let matter = Matter::WorkVaries { work, least, greatest, sampled: None };
        Some(CheckFinding::in_text(matter, &spec.source, place))
    };
    arrays.into_iter().filter(is_judged).filter_map(varying).collect()
}

/// The configurations with the least and the greatest amount, if these surely differ by more than is allowed. Each amount is
/// known as the least and the most that it can be.
fn varying<'a, A: Compared>(
    spec: &Spec,
    mut amounts: impl Iterator<Item = (&'a Configuration, [A; 2])>,
    hundredths: u32,
) -> Option<(Amount, Amount)> {
    let (first, [at_least, at_most]) = amounts.next()?;
    let (mut least, mut greatest) = ((first, at_most), (first, at_least));
    for (configuration, [at_least, at_most]) in amounts {
        if at_most.partial_cmp(&least.1)? == Ordering::Less {
            least = (configuration, at_most);
        }
        if at_least.partial_cmp(&greatest.1)? == Ordering::Greater {
            greatest = (configuration, at_least);
        }
    }
    let shown = |(configuration, amount): (&Configuration, A)| Amount {
        amount: amount.shown(),
        label: spec.label(configuration),
    };
    greatest.1.exceeds(least.1, hundredths).then(|| (shown(least), shown(greatest)))
}
