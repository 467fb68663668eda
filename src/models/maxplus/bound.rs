//! Whether the serialized model is a lower bound of a program's time.
//!
//! It adds up the phases, so they must not overlap: one group at a time is resident, and barriers part the phases that
//! read. Within one, the last warp's last read is served after all reads of all warps only if nothing is between the reads
//! of a warp, and waited for longest only if the reads are alike. (Turns of reads and other uses are not: a warp computes in
//! one turn while others read in the next, so that a phase may take less than its reads and its operation in a row.)

use crate::machine::{Program, Server, Statement};

/// Whether [`Times::serialized`](super::Times::serialized) of a program of a real GPU can never exceed its time.
#[must_use]
pub fn serialized_is_a_bound(program: &Program) -> bool {
    let Part { first, last, sound } = sequence(&program.body);
    program.resident_groups == 1 && sound && first.sound && last.is_none_or(|last| last.sound)
}

/// What is between two barriers, or between one and a place in the body.
#[derive(Clone, Copy)]
struct Stretch {
    /// Occupancy and latency of its reads, if it has any.
    reads: Option<(u64, u64)>,
    /// Whether it has other uses before, and after, its reads; without reads, both tell whether it has any.
    before: bool,
    after: bool,
    /// Whether its reads are alike and follow one another, in one phase.
    sound: bool,
}

const EMPTY: Stretch = Stretch { reads: None, before: false, after: false, sound: true };
const BARRIER: Part = Part { first: EMPTY, last: Some(EMPTY), sound: true };

/// A part of the body: what is before its first barrier, what is after its last, and whether all between is sound.
#[derive(Clone, Copy)]
struct Part {
    first: Stretch,
    last: Option<Stretch>,
    sound: bool,
}

impl Stretch {
    fn then(self, next: Self) -> Self {
        let sound = self.sound && next.sound;
        match (self.reads, next.reads) {
            (Some(reads), Some(others)) => {
                Self { sound: sound && reads == others && !self.after && !next.before, after: next.after, ..self }
            }
            (Some(_), None) => Self { after: self.after || next.before, sound, ..self },
            (None, _) => {
                let before = self.before || next.before;
                Self { before, after: if next.reads.is_some() { next.after } else { before }, sound, ..next }
            }
        }
    }

    /// As `then`, where a phase ends between them.
    fn then_phase(self, next: Self) -> Self {
        let both_read = self.reads.is_some() && next.reads.is_some();
        let joined = self.then(next);
        Self { sound: joined.sound && !both_read, ..joined }
    }
}

impl Part {
    fn then(self, next: Self, join: fn(Stretch, Stretch) -> Stretch) -> Self {
        let sound = self.sound && next.sound;
        match (self.last, next.last) {
            (None, last) => Self { first: join(self.first, next.first), last, sound },
            (Some(last), None) => Self { last: Some(join(last, next.first)), sound, ..self },
            (Some(last), Some(_)) => {
                Self { first: self.first, last: next.last, sound: sound && join(last, next.first).sound }
            }
        }
    }
}

fn sequence(body: &[Statement]) -> Part {
    let mut whole = Part { first: EMPTY, last: None, sound: true };
    let mut behind_loop = false;
    for statement in body {
        let next = part(statement);
        let is_loop = matches!(statement, Statement::Loop { .. }) && next.last.is_some();
        whole = whole.then(next, if is_loop || behind_loop { Stretch::then_phase } else { Stretch::then });
        behind_loop = is_loop;
    }
    whole
}

fn part(statement: &Statement) -> Part {
    match statement {
        Statement::Use { server: Server::Memory, occupancy, latency } => {
            Part { first: Stretch { reads: Some((*occupancy, *latency)), ..EMPTY }, last: None, sound: true }
        }
        Statement::Use { .. } => {
            Part { first: Stretch { before: true, after: true, ..EMPTY }, last: None, sound: true }
        }
        Statement::Barrier { .. } => BARRIER,
        Statement::Loop { count: 0, .. } => Part { first: EMPTY, last: None, sound: true },
        Statement::Loop { count, body } => {
            let once = sequence(body);
            // Two iterations show whatever more of them do.
            if *count == 1 {
                once
            } else {
                once.then(once, if once.last.is_some() { Stretch::then_phase } else { Stretch::then })
            }
        }
    }
}
