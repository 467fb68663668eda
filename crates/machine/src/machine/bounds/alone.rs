//! The run of one warp alone, on servers that are always free: no warp of a wave is faster.

use super::piece::{Piece, comes_to, path};
use super::stretch::End;
use super::sums::Sums;
use crate::machine::{MOST_PENDING, Program, Queue, Server, Statement, slots};

/// The pieces that a run takes before it only adds up the uses of the loops that are left.
const PIECES: u64 = 20_000;

/// The greatest number of last starts that a wait can leave pending, and the older ones as one.
const SLOTS: usize = 16;
const _: () = assert!(SLOTS as u64 == 1 + MOST_PENDING);

/// The rests of the starts of all queues: the older ones, then the last ones, oldest first.
type Rests = [[u64; SLOTS]; Queue::ALL.len()];

/// A warp alone, at the moment `now`. All moments are in ticks from the beginning of the run.
pub(super) struct Alone {
    now: u64,
    /// The moments when the starts are done.
    done: Rests,
    /// P of each queue.
    pending: [usize; Queue::ALL.len()],
    /// The moment when the warp first comes to each of [`Server::ALL`]; `None` if it does not.
    pub(super) heads: [Option<u64>; Server::ALL.len()],
    /// The pieces that may still be run one by one.
    budget: u64,
}

impl Alone {
    /// Runs lists of pieces one after the other, from a moment when no start has been made.
    pub(super) fn run(program: &Program, lists: &[&[Piece]]) -> Self {
        let mut pending = [0; Queue::ALL.len()];
        for (statement, _) in Statement::all(&program.body) {
            if let Statement::Wait { queue, pending: last } = *statement {
                let most = &mut pending[queue as usize];
                *most = usize::try_from(last).map_or(SLOTS - 1, |last| last.max(*most)).min(SLOTS - 1);
            }
        }
        let heads = [None; Server::ALL.len()];
        let mut alone = Self { now: 0, done: Rests::default(), pending, heads, budget: PIECES };
        for pieces in lists {
            alone.go_through(pieces);
        }
        alone
    }

    /// The moment when the warp has gone through; at the end of the body, when its starts are done too.
    pub(super) fn ends(&self, end: End) -> u64 {
        match end {
            End::Barrier => self.now,
            End::Body => self.done.iter().flatten().fold(self.now, |end, done| end.max(*done)),
        }
    }

    fn go_through(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            self.budget = self.budget.saturating_sub(1);
            match piece {
                Piece::Plain(sums) => self.pass(sums),
                Piece::Start { server, latency, queue, .. } => {
                    self.come_to(*server, 0);
                    self.push(*queue, self.now + latency);
                }
                Piece::Wait { queue, pending } => {
                    let last = self.pending[*queue as usize];
                    let waited = 1 + last - usize::try_from(*pending).map_or(last, |pending| pending.min(last));
                    self.now = self.done[*queue as usize][..waited].iter().fold(self.now, |now, done| now.max(*done));
                }
                Piece::Loop { count, pieces } => self.repeat(*count, pieces),
            }
        }
    }

    fn pass(&mut self, sums: &Sums) {
        for server in Server::ALL {
            if let Some(uses) = sums.uses[server as usize] {
                self.come_to(server, uses.head);
            }
        }
        self.now += sums.path;
    }

    fn come_to(&mut self, server: Server, later: u64) {
        self.heads[server as usize].get_or_insert(self.now + later);
    }

    fn push(&mut self, queue: Queue, done: u64) {
        slots::append(&mut self.done[queue as usize][..=self.pending[queue as usize]], done, u64::gt);
    }

    /// Goes round a loop. An iteration that begins with the rests of an earlier one comes again, with all between.
    fn repeat(&mut self, count: u64, pieces: &[Piece]) {
        let (mut iteration, mut earlier) = (0, None::<(u64, u64, Rests)>);
        while iteration < count {
            if self.budget == 0 {
                return self.add_up(count - iteration, pieces);
            }
            let rests = self.rests();
            match &earlier {
                Some((first, then, before)) if *before == rests => {
                    let (period, ticks) = (iteration - first, self.now - then);
                    let times = (count - iteration) / period;
                    self.later(times * ticks);
                    iteration += times * period;
                    earlier = None;
                    if iteration == count {
                        return;
                    }
                }
                // Snapshots at 1, 2, 4 and so on find a period of any length.
                Some(_) if !iteration.is_power_of_two() => {}
                _ => earlier = Some((iteration, self.now, rests)),
            }
            self.go_through(pieces);
            iteration += 1;
        }
    }

    fn rests(&self) -> Rests {
        self.done.map(|slots| slots.map(|done| done.saturating_sub(self.now)))
    }

    fn later(&mut self, ticks: u64) {
        self.now += ticks;
        self.done.iter_mut().flatten().for_each(|done| *done += ticks);
    }

    /// Goes round a loop as if its starts and all before took no time: no later than the warp really is.
    fn add_up(&mut self, count: u64, pieces: &[Piece]) {
        for server in Server::ALL.into_iter().filter(|server| comes_to(pieces, *server)) {
            self.come_to(server, 0);
        }
        self.now += count * path(pieces);
        self.done = Rests::default();
    }
}
