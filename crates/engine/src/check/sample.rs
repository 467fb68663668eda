//! The configurations that are compared with each other.

use std::ops::ControlFlow;

use super::space::is_stopped;
use autotune_base::limits::Limits;
use autotune_lowering::space::{MOST_CONFIGURATIONS, Space, Visit};
use autotune_lowering::spec::Configuration;

/// The most configurations that are compared by the work of a body.
const MOST_COMPARED: usize = 100_000;

/// The most steps of an enumeration that only looks for a finding.
const MOST_VISITS: usize = 10_000_000;

/// A question about each compared configuration.
#[derive(Clone, Copy)]
pub(super) enum Question {
    /// The work of a body.
    Work,
    /// The footprints of a body.
    Footprints,
    /// The execution of a source, which is compiled.
    Execution,
}

/// Configurations that no constraint excludes: all, or if these are too many, one configuration, those around it, and an
/// even spread of the others.
pub(super) struct Sample {
    pub(super) configurations: Vec<Configuration>,
    /// The number of all configurations that no constraint excludes.
    pub(super) of: usize,
}

impl Question {
    /// The most configurations that are compared: fewer, the more an answer costs.
    fn most(self) -> usize {
        MOST_COMPARED
            / match self {
                Self::Work => 1,
                Self::Footprints => 50,
                Self::Execution => 12_500,
            }
    }
}

impl Sample {
    /// The configurations that are compared for a question, around `middle` or else the first; `None` if they are too many to
    /// be tuned, or too few among too many to be found soon, or if a limit ended the enumeration.
    pub(super) fn new(
        space: &Space,
        middle: Option<&Configuration>,
        question: Question,
        limits: &Limits,
    ) -> Option<Self> {
        let Spread { spread, seen } = spread(space, limits)?;
        let most = question.most();
        if seen <= most {
            return Some(Self { configurations: spread, of: seen });
        }
        let mut chosen = around(space, middle.or(spread.first())?);
        chosen.truncate(most);
        let left = most - chosen.len();
        if left > 0 {
            let every = spread.len().div_ceil(left);
            let others: Vec<_> = spread.into_iter().step_by(every).filter(|other| !chosen.contains(other)).collect();
            chosen.extend(others);
        }
        Some(Self { configurations: chosen, of: seen })
    }
}

/// An even spread of the configurations that no constraint excludes, and their number.
struct Spread {
    spread: Vec<Configuration>,
    seen: usize,
}

/// At most [`MOST_COMPARED`] configurations, all or evenly spread; `None` as for [`Sample::new`].
fn spread(space: &Space, limits: &Limits) -> Option<Spread> {
    let mut spread = Vec::new();
    let (mut every, mut ended) = (1, false);
    let (mut seen, mut visits) = (0_usize, 0_usize);
    // A constraint that cannot be evaluated ends the walk; the command reports that error.
    let _ = space.visit(&mut |visit| {
        visits += 1;
        if let Visit::Feasible(values) = visit {
            if seen.is_multiple_of(every) {
                spread.push(Configuration(values.to_vec()));
            }
            seen += 1;
            if spread.len() > MOST_COMPARED {
                // Every second one is kept, to make room for as many more.
                every *= 2;
                let mut number = 0;
                spread.retain(|_| {
                    number += 1;
                    number % 2 == 1
                });
            }
        }
        ended = is_stopped(visits, limits);
        if seen > MOST_CONFIGURATIONS || visits > MOST_VISITS || ended {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    (seen <= MOST_CONFIGURATIONS && visits <= MOST_VISITS && !ended).then_some(Spread { spread, seen })
}

/// A configuration, one with great values, and those that have another value of one parameter.
fn around(space: &Space, middle: &Configuration) -> Vec<Configuration> {
    let is_allowed = |other: &Configuration| matches!(space.excluded_by(other), Ok(None));
    let others = space.domains().iter().enumerate().filter_map(|(at, domain)| {
        let differs = domain.iter().rev().map(|value| changed(middle, at, *value)).filter(|other| other != middle);
        differs.into_iter().find(is_allowed)
    });
    let mut around = vec![middle.clone()];
    for other in std::iter::once(great(space, middle)).chain(others) {
        if !around.contains(&other) {
            around.push(other);
        }
    }
    around
}

/// A configuration with great values: each parameter in turn takes its greatest value that no constraint excludes.
fn great(space: &Space, middle: &Configuration) -> Configuration {
    space.domains().iter().enumerate().fold(middle.clone(), |great, (at, domain)| {
        let mut others = domain.iter().rev().map(|value| changed(&great, at, *value));
        others.find(|other| matches!(space.excluded_by(other), Ok(None))).unwrap_or(great)
    })
}

/// A configuration with another value of the parameter at a position.
fn changed(configuration: &Configuration, at: usize, value: i64) -> Configuration {
    let mut other = configuration.clone();
    other.0[at] = value;
    other
}
