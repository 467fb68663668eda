//! What each warp of a wave does when: served, waiting for a server, for its latency, at a barrier.
//!
//! The wave is the evaluator's own, watched while it runs, so that the two cannot disagree. What the evaluator skips
//! is not run here either: a [`Gap`] stands for it. Places of spans and gaps are *drawn* ticks, in which gaps have no length:
//! a repetition ends in the state in which it began, so what goes on across a gap goes on as if nothing were between.

mod record;

use super::code::Code;
use super::{PATIENCE, TooManyEvents, wave};
use crate::machine::{Program, Server};
use record::Record;

/// A program's wave, warp by warp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeline {
    /// How its time is that of its waves.
    pub waves: Waves,
    /// Warps of the wave; of the first ones there are lanes.
    pub warps: u64,
    /// What each of the first warps does, in the order of time.
    pub lanes: Vec<Vec<Span>>,
    /// What is skipped, in the order of time.
    pub gaps: Vec<Gap>,
    /// What each lane does in all, skipped ticks too: they add up to when its warp ends.
    pub totals: Vec<Totals>,
    /// When the last warp ends, in drawn ticks.
    pub drawn: u64,
}

/// The time of a program: `launch + passes * (full * ticks + rest)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waves {
    /// Ticks before the first group starts.
    pub launch: u64,
    /// How often all waves are repeated.
    pub passes: u64,
    /// How often the wave of the timeline runs in a pass.
    pub full: u64,
    /// Its ticks.
    pub ticks: u64,
    /// Groups of the wave.
    pub groups: u64,
    /// Ticks of the last wave of a pass, which has fewer groups; 0 if there is none.
    pub rest: u64,
    /// Its groups.
    pub rest_groups: u64,
}

/// What a warp does for some time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// From when, in drawn ticks.
    pub begin: u64,
    /// Until when.
    pub end: u64,
    /// What.
    pub activity: Activity,
}

/// What a warp does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Activity {
    /// Its dispatcher issues for it.
    Issue,
    /// Local memory serves it.
    Local,
    /// The path to global memory serves it.
    Memory,
    /// It was served and waits for what it asked for.
    Latency,
    /// It waits for a server that serves others.
    Queue,
    /// It waits at a barrier, or for the barrier's own cost.
    Barrier,
}

/// Ticks of each of [`Activity::ALL`].
pub type Totals = [u64; Activity::ALL.len()];

impl Activity {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Issue, Self::Local, Self::Memory, Self::Latency, Self::Queue, Self::Barrier];

    fn served_by(server: Server) -> Self {
        match server {
            Server::Dispatcher => Self::Issue,
            Server::Local => Self::Local,
            Server::Memory => Self::Memory,
        }
    }
}

/// Repetitions that are skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// Where, in drawn ticks.
    pub at: u64,
    /// How many periods.
    pub periods: u64,
    /// Ticks of one period.
    pub period: u64,
}

impl Gap {
    /// Ticks of all of it.
    #[must_use]
    pub fn ticks(&self) -> u64 {
        self.periods * self.period
    }
}

impl Waves {
    /// The program's time.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.launch + self.passes * (self.full * self.ticks + self.rest)
    }
}

/// The timeline of a checked program's full wave, or of its only one; of at most so many of its warps.
///
/// # Errors
/// [`TooManyEvents`] if more than `limit` events would have to be run.
pub fn timeline(program: &Program, lanes: usize, limit: u64) -> Result<Timeline, TooManyEvents> {
    run(program, lanes, limit, PATIENCE)
}

/// The same without skipping anything.
///
/// # Errors
/// See [`timeline`].
pub fn timeline_plain(program: &Program, lanes: usize, limit: u64) -> Result<Timeline, TooManyEvents> {
    run(program, lanes, limit, 0)
}

fn run(program: &Program, lanes: usize, limit: u64, patience: u64) -> Result<Timeline, TooManyEvents> {
    let code = Code::of(&program.body);
    let (times, rest_groups) = program.waves();
    let (full, groups, rest_groups) = match times {
        0 => (1, rest_groups, 0),
        times => (times, program.resident_groups, rest_groups),
    };
    let warps = groups * program.warps_per_group;
    let refused = TooManyEvents { limit };
    // Every warp has at least one event.
    if warps > limit {
        return Err(refused);
    }
    let shown = usize::try_from(warps).unwrap_or(usize::MAX).min(lanes);
    let mut record = Record::new(shown);
    let wave = wave::run(&code, program, groups, patience, limit, &mut record).ok_or(refused)?;
    let rest = match rest_groups {
        0 => 0,
        groups => wave::run(&code, program, groups, patience, limit, ()).ok_or(refused)?.ticks,
    };
    let Program { launch, passes, .. } = *program;
    Ok(Timeline {
        waves: Waves { launch, passes, full, ticks: wave.ticks, groups, rest, rest_groups },
        warps,
        totals: record.totals(),
        gaps: record.gaps(),
        drawn: wave.ticks - record.skipped,
        lanes: record.lanes,
    })
}

#[cfg(test)]
mod tests {
    use super::Activity::{Barrier, Issue, Latency, Memory, Queue};
    use super::*;
    use crate::machine::{Statement, evaluate};

    fn used(server: Server, occupancy: u64, latency: u64) -> Statement {
        Statement::Use { server, occupancy, latency }
    }

    /// Two groups of two warps, one dispatcher; then a wave of one group.
    fn program(body: Vec<Statement>) -> Program {
        Program {
            multiprocessors: 1,
            dispatchers: 1,
            groups: 3,
            resident_groups: 2,
            warps_per_group: 2,
            passes: 2,
            launch: 7,
            body,
        }
    }

    #[test]
    fn as_many_events_as_warps_are_enough_for_an_empty_body() {
        assert_eq!(timeline(&program(vec![]), 9, 4).unwrap().waves.total(), 7);
        assert_eq!(timeline(&program(vec![]), 9, 3).unwrap_err(), TooManyEvents { limit: 3 });
    }

    #[test]
    fn warps_are_served_in_turn_and_wait_for_each_other() {
        let body = vec![used(Server::Memory, 10, 100), Statement::Barrier { cost: 5 }, used(Server::Dispatcher, 4, 4)];
        let shown = timeline(&program(body), 3, 100).unwrap();
        let lane = |lane: usize| -> Vec<_> {
            shown.lanes[lane].iter().map(|span| (span.activity, span.begin, span.end)).collect()
        };
        assert_eq!(lane(0), [(Memory, 0, 10), (Latency, 10, 100), (Barrier, 100, 115), (Issue, 115, 119)]);
        // Served second, the last at the barrier, and second at the dispatcher.
        let second = [(Queue, 0, 10), (Memory, 10, 20), (Latency, 20, 110), (Barrier, 110, 115), (Queue, 115, 119)];
        assert_eq!(lane(1)[..5], second);
        assert_eq!((shown.warps, shown.lanes.len(), shown.gaps.len()), (4, 3, 0));
        assert_eq!(shown.totals[0], [4, 0, 10, 90, 0, 15]);
        assert_eq!((shown.waves.ticks, shown.waves.rest, shown.drawn), (143, 123, 143));
        assert_eq!(shown.waves.total(), 7 + 2 * (143 + 123));
    }

    #[test]
    fn what_is_skipped_is_a_gap_and_counts() {
        let body = vec![Statement::Loop {
            count: 1 << 20,
            body: vec![used(Server::Memory, 10, 100), used(Server::Dispatcher, 4, 4), Statement::Barrier { cost: 1 }],
        }];
        let program = program(body);
        let shown = timeline(&program, 4, 1000).unwrap();
        assert_eq!(shown.waves.total(), evaluate(&program, 1000).unwrap().ticks);
        assert!(!shown.gaps.is_empty() && shown.drawn < 10_000);
        assert_eq!(shown.drawn + shown.gaps.iter().map(Gap::ticks).sum::<u64>(), shown.waves.ticks);
        // Each iteration issues 4 ticks, and is served for 10.
        assert!(shown.totals.iter().all(|totals| totals[0] == 4 << 20 && totals[2] == 10 << 20));
        assert_eq!(shown.totals.iter().map(|totals| totals.iter().sum::<u64>()).max(), Some(shown.waves.ticks));
    }

    #[test]
    fn too_many_events_or_warps_are_refused() {
        let mut wide = program(vec![used(Server::Local, 1, 1)]);
        assert_eq!(timeline(&wide, 4, 7), Err(TooManyEvents { limit: 7 }));
        assert!(timeline(&wide, 4, 8).is_ok());
        (wide.groups, wide.resident_groups, wide.warps_per_group) = (1 << 30, 1 << 30, 1 << 30);
        assert_eq!(timeline(&wide, 4, 1 << 40), Err(TooManyEvents { limit: 1 << 40 }));
    }
}
