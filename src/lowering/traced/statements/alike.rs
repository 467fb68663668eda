//! Iterations of a loop that differ in their addresses alone.

use crate::source::{Lanes, Round, Shape, SourceAccess, Step, Trace};

/// Neighbouring iterations that a loop can stand for.
pub(super) struct AlikeRounds<'a> {
    /// The iterations that stand for all.
    pub(super) round: &'a Round,
    /// The number of iterations.
    pub(super) times: u64,
    /// Iterations before those that stand for all.
    pub(super) before: u64,
}

/// The iterations of a loop, neighbours that are alike together.
pub(super) fn alike_rounds<'a>(rounds: &'a [Round], shape: &Shape) -> Vec<AlikeRounds<'a>> {
    let mut all: Vec<AlikeRounds> = Vec::new();
    for round in rounds {
        match all.last_mut() {
            Some(last) if is_alike(&last.round.steps, &round.steps, shape) => {
                // Iterations with a counter say where the others are.
                if round.times > last.round.times {
                    (last.before, last.round) = (last.times, round);
                }
                last.times += round.times;
            }
            _ => all.push(AlikeRounds { round, times: round.times, before: 0 }),
        }
    }
    all
}

fn is_alike(one: &Trace, other: &Trace, shape: &Shape) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|pair| match pair {
            (Step::Block(one), Step::Block(other)) => {
                one.block == other.block
                    && one.items == other.items
                    && one.accesses.len() == other.accesses.len()
                    && one.accesses.iter().zip(&other.accesses).all(|(one, other)| is_alike_access(one, other, shape))
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

fn is_alike_access(one: &SourceAccess, other: &SourceAccess, shape: &Shape) -> bool {
    let key = |access: &SourceAccess| (access.instruction, access.kind, access.region, access.bytes);
    let is_alike_address = match (&one.address, &other.address) {
        (Some(one), Some(other)) => relative(&one.base, shape) == relative(&other.base, shape),
        (None, None) => true,
        _ => false,
    };
    key(one) == key(other) && is_alike_address
}

/// The integers without the first work item's.
pub(super) fn relative(lanes: &Lanes, shape: &Shape) -> Lanes {
    lanes.plus(&Lanes::Same(lanes.at(0, shape)), -1, shape)
}
