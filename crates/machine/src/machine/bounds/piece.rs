//! Pieces of a stretch with starts and waits.

use std::rc::Rc;

use super::sums::Sums;
use crate::machine::{Queue, Server};

/// A piece of a stretch.
#[derive(Debug, Clone)]
pub(super) enum Piece {
    /// Uses and barriers, and loops of these.
    Plain(Sums),
    Start {
        server: Server,
        occupancy: u64,
        latency: u64,
        queue: Queue,
    },
    Wait {
        queue: Queue,
        pending: u64,
    },
    /// A loop that holds a start or a wait.
    Loop {
        count: u64,
        pieces: Rc<[Piece]>,
    },
}

/// Ticks that a warp occupies a server in some pieces.
pub(super) fn occupied(pieces: &[Piece], server: Server) -> u64 {
    let of_piece = |piece: &Piece| match piece {
        Piece::Plain(sums) => sums.uses[server as usize].map_or(0, |uses| uses.busy),
        Piece::Start { server: started, occupancy, .. } if *started == server => *occupancy,
        Piece::Start { .. } | Piece::Wait { .. } => 0,
        Piece::Loop { count, pieces } => count * occupied(pieces, server),
    };
    pieces.iter().map(of_piece).sum()
}

/// Ticks of the uses and barriers of some pieces.
pub(super) fn path(pieces: &[Piece]) -> u64 {
    let of_piece = |piece: &Piece| match piece {
        Piece::Plain(sums) => sums.path,
        Piece::Start { .. } | Piece::Wait { .. } => 0,
        Piece::Loop { count, pieces } => count * path(pieces),
    };
    pieces.iter().map(of_piece).sum()
}

/// Returns true if a warp uses a server in some pieces, or starts something there.
pub(super) fn comes_to(pieces: &[Piece], server: Server) -> bool {
    pieces.iter().any(|piece| match piece {
        Piece::Plain(sums) => sums.uses[server as usize].is_some(),
        Piece::Start { server: started, .. } => *started == server,
        Piece::Wait { .. } => false,
        Piece::Loop { pieces, .. } => comes_to(pieces, server),
    })
}
