//! Stretches with starts and waits. Uses and barriers between them are summed; loops that hold a start or a wait stay loops.

use super::alone::Alone;
use super::bound::Bound;
use super::piece::{Piece, occupied};
use super::stretch::{End, Stretch, Uses, Wave, greatest};
use super::sums::Sums;
use crate::machine::{Program, Server, Statement};

/// A stretch in pieces. No two plain ones are neighbours.
#[derive(Debug, Clone, Default)]
pub(super) struct Queued {
    pieces: Vec<Piece>,
}

/// The last service of a server in a stretch, and what a warp does behind it.
struct Last<'a> {
    /// Ticks from the end of that service to the end of its latency, and of all plain pieces joined to it.
    tail: u64,
    is_start: bool,
    /// The pieces behind it, one list after the other.
    behind: Vec<&'a [Piece]>,
}

impl Stretch for Queued {
    fn of(statement: &Statement) -> Self {
        let piece = match *statement {
            Statement::Start { server, occupancy, latency, queue } => {
                Piece::Start { server, occupancy, latency, queue }
            }
            Statement::Wait { queue, pending } => Piece::Wait { queue, pending },
            _ => Piece::Plain(Sums::of(statement)),
        };
        Self { pieces: vec![piece] }
    }

    fn then(mut self, next: Self, _: Wave) -> Self {
        let mut pieces = next.pieces.into_iter();
        if let (Some(Piece::Plain(last)), Some(Piece::Plain(first))) =
            (self.pieces.last_mut(), pieces.as_slice().first())
        {
            *last = last.and(*first);
            pieces.next();
        }
        self.pieces.extend(pieces);
        self
    }

    fn times(self, count: u64, _: Wave) -> Self {
        let piece = match self.pieces.as_slice() {
            [] => return self,
            _ if count == 1 => return self,
            [Piece::Plain(sums)] => Piece::Plain(sums.repeated(count)),
            _ => Piece::Loop { count, pieces: self.pieces.into() },
        };
        Self { pieces: vec![piece] }
    }

    fn bound(&self, wave: Wave, end: End) -> Bound {
        let program = wave.program;
        let whole = Alone::run(program, &[&self.pieces]);
        let uses = |server| self.uses(program, server, end, whole.heads[server as usize]?);
        greatest(wave, whole.ends(end), uses)
    }
}

impl Queued {
    /// The sums of a server that a warp first comes to at `head`; `None` if no warp must wait for its service. Before a
    /// barrier, that is so for starts behind the last use.
    fn uses(&self, program: &Program, server: Server, end: End, head: u64) -> Option<Uses> {
        let last = last(&self.pieces, server, end)?;
        let behind: u64 = last.behind.iter().map(|pieces| occupied(pieces, server)).sum();
        let tail = if last.is_start { 0 } else { Alone::run(program, &last.behind).ends(end) };
        Some(Uses { head, busy: occupied(&self.pieces, server) - behind, tail: last.tail + tail })
    }
}

/// The last service of a server: at the end of the body of any kind, before a barrier the last use.
fn last(pieces: &[Piece], server: Server, end: End) -> Option<Last<'_>> {
    pieces.iter().enumerate().rev().find_map(|(number, piece)| {
        let behind = vec![&pieces[number + 1..]];
        match piece {
            Piece::Plain(sums) => {
                sums.uses[server as usize].map(|uses| Last { tail: uses.tail, is_start: false, behind })
            }
            Piece::Start { server: started, occupancy, latency, .. } if end == End::Body && *started == server => {
                Some(Last { tail: latency - occupancy, is_start: true, behind })
            }
            Piece::Start { .. } | Piece::Wait { .. } => None,
            Piece::Loop { pieces: inner, .. } => last(inner, server, end).map(|mut last| {
                last.behind.extend(behind);
                last
            }),
        }
    })
}
