//! The test that the serialized model is a lower bound of a program's time.
//!
//! The model adds up the phases, so phases must not overlap: one group is resident at a time, or all barriers are those of
//! all groups, and barriers separate the phases that read. Within a phase, the last warp's last read is served after all reads of all warps only if the reads
//! of a warp follow each other directly. It is waited for longest only if the reads are alike. (Alternating reads and
//! other uses do not qualify: a warp computes while others read, so a phase may take less than the sum of its reads and
//! its operation.)

use autotune_machine::machine::{BarrierScope, Program, Server, Statement};

/// Returns true if [`Times::serialized`](super::Times::serialized) of a program of a real GPU can never exceed its
/// time.
#[must_use]
pub fn serialized_is_a_bound(program: &Program) -> bool {
    let Part { first, last, sound } = sequence(&program.body);
    let mut barriers = Statement::all(&program.body).filter_map(|(statement, _)| match statement {
        Statement::Barrier { scope, .. } => Some(*scope == BarrierScope::Grid),
        _ => None,
    });
    // With a barrier of all groups, all groups run in one wave.
    let is_one_wave = Statement::any_of_grid(&program.body);
    let parts_all = is_one_wave && (program.largest_wave() == 1 || barriers.all(|is_of_grid| is_of_grid));
    (program.resident_groups == 1 || parts_all) && sound && first.sound && last.is_none_or(|last| last.sound)
}

/// The uses between two barriers, or between a barrier and a place in the body.
#[derive(Clone, Copy)]
struct Stretch {
    /// The occupancy and latency of its reads, in ticks; `None` if it does not read.
    reads: Option<(u64, u64)>,
    /// True if other uses come before (or after) its reads; in a stretch without reads, both are true if it has any
    /// use.
    before: bool,
    after: bool,
    /// True if its reads are alike and follow one another in one phase.
    sound: bool,
}

const EMPTY: Stretch = Stretch { reads: None, before: false, after: false, sound: true };
const BARRIER: Part = Part { first: EMPTY, last: Some(EMPTY), sound: true };

/// A part of the body: the stretches before its first and after its last barrier (`None` without a barrier), and the
/// soundness of all between.
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

    /// Joins the stretches as `then` does, where a phase ends between them.
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
        // The formulas take a start for a use, which is more than the machine may take.
        Statement::Start { .. } | Statement::Wait { .. } => Part { first: EMPTY, last: None, sound: false },
        Statement::Barrier { .. } => BARRIER,
        Statement::Loop { count: 0, .. } => Part { first: EMPTY, last: None, sound: true },
        Statement::Loop { count, body } => {
            let once = sequence(body);
            // A third iteration meets the same neighbours as the second.
            if *count == 1 {
                once
            } else {
                once.then(once, if once.last.is_some() { Stretch::then_phase } else { Stretch::then })
            }
        }
    }
}
