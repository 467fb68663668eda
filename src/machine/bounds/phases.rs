//! The bound by phases: a body is cut at its barriers.

use super::bound::{Bound, By};
use super::stretch::{End, Stretch};
use crate::machine::{Program, Statement};

/// The bounds of a body, for waves of any number of groups.
pub(super) struct Phases<'a, S> {
    program: &'a Program,
    whole: S,
    /// The bound by phases, in ticks; equal for any number of groups.
    ticks: u64,
}

/// A part of the body, as one stretch and as the phases between its barriers; `cut` is `None` if it has no barrier.
#[derive(Clone, Default)]
struct Part<S> {
    whole: S,
    cut: Option<Cut<S>>,
}

#[derive(Clone, Default)]
struct Cut<S> {
    /// The stretch before the first barrier.
    first: S,
    /// The lower bound, in ticks, of the phases from the first to the last barrier, with the costs of all barriers.
    between: u64,
    /// The stretch after the last barrier.
    last: S,
}

impl<'a, S: Stretch> Phases<'a, S> {
    pub(super) fn new(program: &'a Program) -> Self {
        let Part { whole, cut } = sequence(program, &program.body);
        let ticks = match cut {
            None => phase(program, &whole, End::Body),
            Some(Cut { first, between, last }) => {
                phase(program, &first, End::Barrier) + between + phase(program, &last, End::Body)
            }
        };
        Self { program, whole, ticks }
    }

    /// The greatest bound of a wave of `groups` groups; of equal bounds the first in the order of [`By`].
    pub(super) fn bound(&self, groups: u64) -> Bound {
        let whole = self.whole.bound(self.program, groups, End::Body);
        if self.ticks > whole.ticks { Bound { ticks: self.ticks, by: By::Phases } } else { whole }
    }
}

/// The lower bound, in ticks, of one phase of one group.
fn phase<S: Stretch>(program: &Program, stretch: &S, end: End) -> u64 {
    stretch.bound(program, 1, end).ticks
}

fn sequence<S: Stretch>(program: &Program, body: &[Statement]) -> Part<S> {
    body.iter()
        .map(|statement| part::<S>(program, statement))
        .fold(Part::default(), |sum, next| joined(program, sum, next))
}

/// Two parts, one after the other. A stretch may be long: it is copied at the first barrier alone.
fn joined<S: Stretch>(program: &Program, before: Part<S>, after: Part<S>) -> Part<S> {
    match (before.cut, after.cut) {
        (None, None) => Part { whole: before.whole + after.whole, cut: None },
        (Some(cut), None) => {
            Part { cut: Some(Cut { last: cut.last + after.whole.clone(), ..cut }), whole: before.whole + after.whole }
        }
        (None, Some(cut)) => Part {
            cut: Some(Cut { first: before.whole.clone() + cut.first, ..cut }),
            whole: before.whole + after.whole,
        },
        (Some(one), Some(other)) => {
            let between = phase(program, &(one.last + other.first), End::Barrier);
            let cut = Cut { first: one.first, between: one.between + between + other.between, last: other.last };
            Part { whole: before.whole + after.whole, cut: Some(cut) }
        }
    }
}

fn part<S: Stretch>(program: &Program, statement: &Statement) -> Part<S> {
    match statement {
        Statement::Barrier { cost } => {
            Part { whole: S::of(statement), cut: Some(Cut { between: *cost, ..Cut::default() }) }
        }
        Statement::Loop { count: 0, .. } => Part::default(),
        Statement::Loop { count, body } => {
            let Part { whole, cut } = sequence::<S>(program, body);
            let cut = cut.map(|cut| {
                // The way from an iteration's last barrier to the next one's first is a phase too.
                let around = phase(program, &(cut.last.clone() + cut.first.clone()), End::Barrier);
                Cut { between: count * cut.between + (count - 1) * around, ..cut }
            });
            Part { whole: whole.times(*count), cut }
        }
        _ => Part { whole: S::of(statement), cut: None },
    }
}
