//! The enumeration of a space: depth first, one parameter a level, without the subtrees that a constraint excludes.

use std::ops::{ControlFlow, Range};

use super::halves::SMALLEST;
use super::open::Open;
use super::subject::{Space, Visit};
use super::values::{Culprit, Values};
use crate::spec::{Possible, SpecError};

/// The steps that an enumeration of a large space takes below what a constraint excludes, only to count for each
/// configuration the constraint that is tried first.
pub(super) const MOST_RECOUNTED: u64 = 200_000;

/// The end of a visit.
type Flow = Result<ControlFlow<()>, SpecError>;

pub(super) struct Walk<'a, 'v> {
    space: &'a Space<'a>,
    visit: &'v mut dyn FnMut(Visit<'_>) -> ControlFlow<()>,
    values: Values<'a>,
    open: Open<'a>,
    /// First all constraints in the order they are tried; then, by depth, those that the values chosen so far neither
    /// meet nor break.
    pending: Vec<Vec<usize>>,
    /// Constraints that cannot be evaluated for the chosen values; an error if no other constraint excludes them.
    faulty: Vec<(usize, Culprit)>,
    /// The steps that may still be taken below what a constraint excludes.
    patience: u64,
}

/// The subtrees of one parameter.
#[derive(Clone, Copy)]
struct Level {
    /// The number of parameters before it, which have values.
    depth: usize,
    /// The first constraint that these values break for certain; `None` if there is none.
    broken: Option<usize>,
    /// True if a pending constraint depends on the parameter.
    decides: bool,
    /// True if one depends on the parameter and on a later one.
    looks_ahead: bool,
}

impl<'a, 'v> Walk<'a, 'v> {
    /// A walk through a space that is not empty. `patience` limits the steps below what a constraint excludes.
    pub(super) fn new(
        space: &'a Space<'a>,
        patience: u64,
        visit: &'v mut dyn FnMut(Visit<'_>) -> ControlFlow<()>,
    ) -> Self {
        let mut pending = vec![Vec::new(); space.domains.len() + 2];
        pending[0].clone_from(&space.plan.constraints);
        Self { space, visit, values: Values::new(space), open: Open::new(space), pending, faulty: Vec::new(), patience }
    }

    pub(super) fn run(mut self) -> Result<(), SpecError> {
        let broken = self.sift(0, true);
        if let Some(constraint) = broken
            && self.is_decided(0)
        {
            let next = self.space.domains.first().map_or(&[][..], Vec::as_slice);
            let all = Visit::Excluded { chosen: &[], next, constraint, configurations: self.space.size() };
            let _ = (self.visit)(all);
            return Ok(());
        }
        self.descend(0, broken).map(|_| ())
    }

    /// Moves the constraints that are still pending from one depth to the next, and returns the first one that excludes
    /// everything below. The last parameter has one value if `exact`, else those of a part of its domain.
    fn sift(&mut self, depth: usize, exact: bool) -> Option<usize> {
        let (space, plan) = (self.space, &self.space.plan);
        let (before, after) = self.pending.split_at_mut(depth + 1);
        let (before, after) = (&before[depth], &mut after[0]);
        after.clear();
        for &constraint in before {
            let expression = &space.spec.constraints[constraint];
            if depth > 0 && !plan.depends(constraint, depth - 1) {
                after.push(constraint);
            } else if exact && plan.depths[constraint] == depth {
                match expression.evaluate_with(&mut self.values) {
                    Ok(0) => return Some(constraint),
                    Ok(_) => {}
                    Err(culprit) => self.faulty.push((constraint, culprit)),
                }
            } else {
                let possible = self.open.possible(expression);
                if possible.is_always(false) {
                    return Some(constraint);
                }
                if !possible.is_always(true) {
                    after.push(constraint);
                }
            }
        }
        None
    }

    /// True if all that a broken constraint excludes counts for it: no constraint that is tried before it is pending.
    fn is_decided(&self, depth: usize) -> bool {
        self.pending[depth + 1].is_empty() || self.patience == 0
    }

    /// Visits all configurations that begin with the first `depth` values.
    fn descend(&mut self, depth: usize, broken: Option<usize>) -> Flow {
        let space = self.space;
        let Some(domain) = space.domains.get(depth) else { return self.arrive() };
        if self.pending[depth + 1].is_empty() && broken.is_none() && self.faulty.is_empty() {
            return Ok(self.allow_all(depth));
        }
        let pending = || self.pending[depth + 1].iter().filter(|constraint| space.plan.depends(**constraint, depth));
        let decides = pending().next().is_some();
        let looks_ahead = pending().any(|constraint| space.plan.depths[*constraint] > depth + 1);
        let flow = self.part(Level { depth, broken, decides, looks_ahead }, 0, 0..domain.len());
        if decides {
            self.open.widen(depth, space.halves[depth].part(0));
        }
        flow
    }

    /// Visits the configurations that go on with the values of a part of a domain.
    fn part(&mut self, level: Level, part: usize, values: Range<usize>) -> Flow {
        if values.len() <= SMALLEST {
            for value in values {
                if self.value(level, value)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            return Ok(ControlFlow::Continue(()));
        }
        let middle = values.start + values.len() / 2;
        for (part, half) in [(2 * part + 1, values.start..middle), (2 * part + 2, middle..values.end)] {
            if self.half(level, part, half)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Visits the configurations that go on with the values of a half, unless a constraint excludes all of them.
    fn half(&mut self, level: Level, part: usize, values: Range<usize>) -> Flow {
        self.patience = self.patience.saturating_sub(level.broken.is_some().into());
        if level.decides {
            self.open.narrow(level.depth, self.space.halves[level.depth].part(part));
            if let Some(constraint) = self.sift(level.depth + 1, false).or(level.broken)
                && self.is_decided(level.depth + 1)
            {
                return Ok(self.exclude(level.depth, values, constraint));
            }
        }
        self.part(level, part, values)
    }

    /// Visits the configurations that go on with one value, unless a constraint excludes all of them.
    fn value(&mut self, level: Level, position: usize) -> Flow {
        self.patience = self.patience.saturating_sub(level.broken.is_some().into());
        let value = self.space.domains[level.depth][position];
        self.values.choose(level.depth, value);
        if level.looks_ahead {
            self.open.narrow(level.depth, Possible::one(value));
        }
        let mark = self.faulty.len();
        let flow = match self.sift(level.depth + 1, true).or(level.broken) {
            Some(constraint) if self.is_decided(level.depth + 1) => {
                self.exclude(level.depth, position..position + 1, constraint)
            }
            broken => self.descend(level.depth + 1, broken)?,
        };
        self.faulty.truncate(mark);
        Ok(flow)
    }

    fn exclude(&mut self, depth: usize, values: Range<usize>, constraint: usize) -> ControlFlow<()> {
        let configurations = values.len() as u128 * self.space.completions[depth + 1];
        let next = &self.space.domains[depth][values];
        (self.visit)(Visit::Excluded { chosen: &self.values.chosen()[..depth], next, constraint, configurations })
    }

    /// Visits all configurations that have the chosen values: no constraint is left.
    fn allow_all(&mut self, depth: usize) -> ControlFlow<()> {
        let space = self.space;
        let Some(domain) = space.domains.get(depth) else {
            return (self.visit)(Visit::Feasible(self.values.chosen()));
        };
        domain.iter().try_for_each(|&value| {
            self.values.set(depth, value);
            self.allow_all(depth + 1)
        })
    }

    /// Visits a whole configuration that no constraint excludes.
    fn arrive(&mut self) -> Flow {
        match self.values.first_error(&self.faulty) {
            Some(error) => Err(error),
            None => Ok((self.visit)(Visit::Feasible(self.values.chosen()))),
        }
    }
}
