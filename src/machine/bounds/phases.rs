//! The bound by phases: a body is cut at its barriers.

use super::bound::{Bound, By};
use super::stretch::Stretch;
use crate::machine::{Program, Statement};

/// The bounds of a body, for waves of any number of groups.
pub(super) struct Phases<'a> {
    program: &'a Program,
    whole: Stretch,
    /// The bound by phases, in ticks; equal for any number of groups.
    ticks: u64,
}

/// A part of the body, as one stretch and as the phases between its barriers; `cut` is `None` if it has no barrier.
#[derive(Clone, Copy, Default)]
struct Part {
    whole: Stretch,
    cut: Option<Cut>,
}

#[derive(Clone, Copy, Default)]
struct Cut {
    /// The stretch before the first barrier.
    first: Stretch,
    /// The lower bound, in ticks, of the phases from the first to the last barrier, with the costs of all barriers.
    between: u64,
    /// The stretch after the last barrier.
    last: Stretch,
}

impl<'a> Phases<'a> {
    pub(super) fn new(program: &'a Program) -> Self {
        let Part { whole, cut } = sequence(program, &program.body);
        let ticks = match cut {
            None => phase(program, whole),
            Some(Cut { first, between, last }) => phase(program, first) + between + phase(program, last),
        };
        Self { program, whole, ticks }
    }

    /// The greatest bound of a wave of `groups` groups; of equal bounds the first in the order of [`By`].
    pub(super) fn bound(&self, groups: u64) -> Bound {
        let whole = self.whole.bound(self.program, groups);
        if self.ticks > whole.ticks { Bound { ticks: self.ticks, by: By::Phases } } else { whole }
    }
}

/// The lower bound, in ticks, of one phase of one group.
fn phase(program: &Program, stretch: Stretch) -> u64 {
    stretch.bound(program, 1).ticks
}

fn sequence(program: &Program, body: &[Statement]) -> Part {
    body.iter().map(|statement| part(program, statement)).fold(Part::default(), |sum, next| Part {
        whole: sum.whole + next.whole,
        cut: match (sum.cut, next.cut) {
            (None, None) => None,
            (Some(cut), None) => Some(Cut { last: cut.last + next.whole, ..cut }),
            (None, Some(cut)) => Some(Cut { first: sum.whole + cut.first, ..cut }),
            (Some(before), Some(after)) => Some(Cut {
                first: before.first,
                between: before.between + phase(program, before.last + after.first) + after.between,
                last: after.last,
            }),
        },
    })
}

fn part(program: &Program, statement: &Statement) -> Part {
    match *statement {
        Statement::Use { server, occupancy, latency } => {
            Part { whole: Stretch::of_use(server, occupancy, latency), cut: None }
        }
        Statement::Barrier { cost } => {
            Part { whole: Stretch::of_wait(cost), cut: Some(Cut { between: cost, ..Cut::default() }) }
        }
        Statement::Loop { count: 0, .. } => Part::default(),
        Statement::Loop { count, ref body } => {
            let Part { whole, cut } = sequence(program, body);
            let cut = cut.map(|cut| Cut {
                // The way from an iteration's last barrier to the next one's first is a phase too.
                between: count * cut.between + (count - 1) * phase(program, cut.last + cut.first),
                ..cut
            });
            Part { whole: whole.times(count), cut }
        }
    }
}
