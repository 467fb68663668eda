//! Iterations of a loop whose pieces differ in their addresses alone.

use super::alike::{Alike, is_alike_access, sides_are_alike, together};
use crate::lowering::traced::pieces::{Made, Piece, Prepared, Round};
use autotune_kernel::source::Shape;

/// The iterations of a loop, neighbours that are alike together.
pub(super) fn alike_pieces<'p>(rounds: &'p [Round], shape: &Shape) -> Vec<Alike<'p, Round>> {
    together(rounds, |round| round.times, |one, other| are_alike(&one.pieces, &other.pieces, shape))
}

/// The iterations of a loop, each of those that were executed apart by itself.
pub(super) fn apart(rounds: &[Round]) -> Vec<Alike<'_, Round>> {
    together(rounds, |round| round.times, |_, _| false)
}

/// True if a barrier stands in a loop's iterations.
pub(super) fn have_barrier(rounds: &[Round]) -> bool {
    fn has(piece: &Piece) -> bool {
        match piece {
            Piece::Run(run) => run.made.iter().any(|made| matches!(made, Made::Barrier { .. })),
            Piece::Loop(rounds) => have_barrier(rounds),
            Piece::Sides(_, sides) => sides.iter().any(|(_, side)| side.iter().any(has)),
        }
    }
    rounds.iter().any(|round| round.pieces.iter().any(has))
}

fn are_alike(one: &[Piece], other: &[Piece], shape: &Shape) -> bool {
    let is_alike = |pair: (&Piece, &Piece)| match pair {
        (Piece::Run(one), Piece::Run(other)) => {
            one.block == other.block
                && one.instructions == other.instructions
                && one.items == other.items
                && one.made.len() == other.made.len()
                && one.made.iter().zip(&other.made).all(|(one, other)| is_alike_effect(one, other, shape))
        }
        (Piece::Loop(one), Piece::Loop(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| one.times == other.times && are_alike(&one.pieces, &other.pieces, shape))
        }
        (Piece::Sides(one, sides), Piece::Sides(other, others)) => {
            one == other && sides_are_alike(sides, others, |one, other| are_alike(one, other, shape))
        }
        _ => false,
    };
    one.len() == other.len() && one.iter().zip(other).all(is_alike)
}

fn is_alike_effect(one: &Made, other: &Made, shape: &Shape) -> bool {
    match (one, other) {
        (Made::Access(one), Made::Access(other)) => {
            let level = |of: &Prepared| of.waited.map(|waited| waited.level);
            level(one) == level(other) && is_alike_access(&one.access, &other.access, None, shape)
        }
        (Made::Barrier { .. }, Made::Barrier { .. }) => one.position() == other.position(),
        (Made::Mark { kind: one, .. }, Made::Mark { kind: other, .. }) => one == other,
        _ => false,
    }
}

/// The accesses of pieces in order, each round's once.
pub(super) fn accesses(pieces: &[Piece]) -> Vec<&Prepared> {
    pieces.iter().flat_map(of_piece).collect()
}

fn of_piece(piece: &Piece) -> Vec<&Prepared> {
    match piece {
        Piece::Run(run) => run.made.iter().filter_map(access).collect(),
        Piece::Loop(rounds) => rounds.iter().flat_map(|round| accesses(&round.pieces)).collect(),
        Piece::Sides(_, sides) => sides.iter().flat_map(|(_, side)| accesses(side)).collect(),
    }
}

fn access(made: &Made) -> Option<&Prepared> {
    match made {
        Made::Access(access) => Some(access),
        _ => None,
    }
}
