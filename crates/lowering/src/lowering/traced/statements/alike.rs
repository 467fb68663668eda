//! Iterations of a loop that differ in their addresses alone.

use crate::lowering::traced::pieces::Round as PreparedRound;
use crate::lowering::traced::sequence::{Issued, Ordered};
use autotune_kernel::source::{Lanes, Mask, Round, Shape, SourceAccess, Step, Trace};

/// Neighbouring iterations that a loop can stand for.
pub(super) struct Alike<'r, R> {
    /// The iterations that stand for all.
    pub(super) round: &'r R,
    /// The number of iterations.
    pub(super) times: u64,
    /// Iterations before those that stand for all.
    pub(super) before: u64,
    /// All of the iterations.
    pub(super) all: Vec<&'r R>,
}

/// The iterations of a loop, neighbours that are alike together; `times` counts those that execute the same.
pub(super) fn together<R>(
    rounds: &[R],
    times: impl Fn(&R) -> u64,
    is_alike: impl Fn(&R, &R) -> bool,
) -> Vec<Alike<'_, R>> {
    let mut found: Vec<Alike<R>> = Vec::new();
    for round in rounds {
        match found.last_mut() {
            Some(last) if is_alike(last.round, round) => {
                // Iterations with a counter say where the others are.
                if times(round) > times(last.round) {
                    (last.before, last.round) = (last.times, round);
                }
                last.times += times(round);
                last.all.push(round);
            }
            _ => found.push(Alike { round, times: times(round), before: 0, all: vec![round] }),
        }
    }
    found
}

/// The iterations of a loop as they were executed, neighbours that are alike together.
pub(super) fn alike_rounds<'r>(rounds: &'r [Round], shape: &Shape) -> Vec<Alike<'r, Round>> {
    together(rounds, |round| round.times, |one, other| is_alike(&one.steps, &other.steps, shape))
}

/// True if sides have the same shares and are alike.
pub(super) fn sides_are_alike<T>(
    one: &[(f64, Vec<T>)],
    other: &[(f64, Vec<T>)],
    are_alike: impl Fn(&[T], &[T]) -> bool,
) -> bool {
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|((one, side), (other, others))| one.total_cmp(other).is_eq() && are_alike(side, others))
}

fn is_alike(one: &Trace, other: &Trace, shape: &Shape) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|pair| match pair {
            (Step::Block(one), Step::Block(other)) => {
                one.block == other.block
                    && one.items == other.items
                    && one.accesses.len() == other.accesses.len()
                    && one.accesses.iter().zip(&other.accesses).all(|(x, y)| is_alike_access(x, y, None, shape))
            }
            (Step::Loop(one), Step::Loop(other)) => {
                one.head == other.head
                    && one.rounds.len() == other.rounds.len()
                    && one
                        .rounds
                        .iter()
                        .zip(&other.rounds)
                        .all(|(one, other)| one.times == other.times && is_alike(&one.steps, &other.steps, shape))
            }
            (Step::Sides(one, sides), Step::Sides(other, others)) => {
                one == other
                    && sides.len() == others.len()
                    && sides.iter().zip(others).all(|(one, other)| {
                        one.share.total_cmp(&other.share).is_eq() && is_alike(&one.steps, &other.steps, shape)
                    })
            }
            _ => false,
        })
}

/// Neighbouring loops of statements in order that one loop can stand for.
pub(super) struct AlikeLoops<'s, 'p> {
    /// The iterations that stand for all.
    pub(super) round: &'p PreparedRound,
    pub(super) body: &'s [Ordered<'p>],
    /// The number of iterations.
    pub(super) times: u64,
    /// Iterations before those that stand for all.
    pub(super) before: u64,
    /// All of the loops, each with the number of its iterations.
    pub(super) all: Vec<(u64, &'s [Ordered<'p>])>,
}

/// A loop, and the first of the parts behind it as far as they are alike.
pub(super) fn alike_loops<'s, 'p>(
    (round, body): (&'p PreparedRound, &'s [Ordered<'p>]),
    behind: &'s [Ordered<'p>],
    shape: &Shape,
) -> AlikeLoops<'s, 'p> {
    let loops = behind.iter().map_while(|part| match part {
        Ordered::Loop(round, body) => Some((*round, body)),
        _ => None,
    });
    let mut alike = AlikeLoops { round, body, times: round.times, before: 0, all: vec![(round.times, body)] };
    for (round, body) in loops.take_while(|(_, other)| are_alike(body, other, shape)) {
        if round.times > alike.round.times {
            (alike.before, alike.round, alike.body) = (alike.times, round, body);
        }
        alike.times += round.times;
        alike.all.push((round.times, body));
    }
    alike
}

fn are_alike(one: &[Ordered<'_>], other: &[Ordered<'_>], shape: &Shape) -> bool {
    let is_alike = |pair: (&Ordered<'_>, &Ordered<'_>)| match pair {
        (Ordered::Run(one), Ordered::Run(other)) => {
            one.kind == other.kind
                && one.joins == other.joins
                && one.issued.len() == other.issued.len()
                && one.issued.iter().zip(&other.issued).all(|(one, other)| is_alike_issue(one, other, shape))
        }
        (Ordered::Barrier { at: one, .. }, Ordered::Barrier { at: other, .. }) => one == other,
        (Ordered::Loop(one, body), Ordered::Loop(other, others)) => {
            one.times == other.times && are_alike(body, others, shape)
        }
        (Ordered::Sides(one, sides), Ordered::Sides(other, others)) => {
            one == other && sides_are_alike(sides, others, |one, other| are_alike(one, other, shape))
        }
        _ => false,
    };
    one.len() == other.len() && one.iter().zip(other).all(is_alike)
}

/// True if the same instructions compute and access for the same work items.
fn is_alike_issue(one: &Issued<'_>, other: &Issued<'_>, shape: &Shape) -> bool {
    let computes = |issued: &Issued<'_>| {
        let each = issued.computed.iter().map(|of| (of.by.block, of.by.items.clone(), of.instructions.clone()));
        each.collect::<Vec<_>>()
    };
    computes(one) == computes(other)
        && match (&one.access, &other.access) {
            (Some(one), Some(other)) => {
                let items = one.of.access.items.as_ref().unwrap_or(&one.by.items);
                one.by.block == other.by.block
                    && one.by.items == other.by.items
                    && is_alike_access(&one.of.access, &other.of.access, Some(items), shape)
            }
            (None, None) => true,
            _ => false,
        }
}

/// True if one instruction accesses the same for all work items, or for some, but for where it begins.
pub(super) fn is_alike_access(one: &SourceAccess, other: &SourceAccess, items: Option<&Mask>, shape: &Shape) -> bool {
    let key =
        |access: &SourceAccess| (access.instruction, access.kind, access.region, access.bytes, access.items.clone());
    let is_alike_address = match (&one.address, &other.address) {
        (Some(one), Some(other)) => is_shifted(&one.base, &other.base, items, shape),
        (None, None) => true,
        _ => false,
    };
    key(one) == key(other) && is_alike_address
}

/// True if integers are apart by one number for all work items, or for some: those of idle ones may be old.
fn is_shifted(one: &Lanes, other: &Lanes, items: Option<&Mask>, shape: &Shape) -> bool {
    let apart = |lane: usize| other.at(lane, shape).wrapping_sub(one.at(lane, shape));
    let are_apart_by_one = |items: &Mask| {
        let mut lanes = items.ones();
        lanes.next().is_none_or(|first| lanes.all(|lane| apart(lane) == apart(first)))
    };
    relative(one, shape) == relative(other, shape) || items.is_some_and(are_apart_by_one)
}

/// The integers without the first work item's.
pub(super) fn relative(lanes: &Lanes, shape: &Shape) -> Lanes {
    lanes.plus(&Lanes::Same(lanes.at(0, shape)), -1, shape)
}
