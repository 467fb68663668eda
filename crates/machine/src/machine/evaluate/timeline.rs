//! The timeline of a wave: for each warp, the spans when it is served, waits for a server or a latency, or stands at a
//! barrier.
//!
//! The evaluator's own wave is watched while it runs, so the two cannot disagree. Repetitions that the evaluator skips
//! are not run here either: a [`Gap`] stands for them. Spans and gaps are placed in *drawn* ticks, where gaps have
//! length 0: a repetition ends in the state that it began in, so a span that crosses a gap continues without a break.

mod record;
mod span;

use super::{PATIENCE, TooManyEvents, wave};
use crate::machine::Program;
use crate::machine::code::Code;
use record::Record;

pub use span::{Activity, Gap, Span, Totals, Waves};

/// A wave of a program, warp by warp.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timeline {
    /// The composition of the program's time from the times of its waves.
    pub waves: Waves,
    /// The number of warps of the wave; only the first ones have lanes.
    pub warps: u64,
    /// The spans of each of the first warps, in the order of time.
    pub lanes: Vec<Vec<Span>>,
    /// The skipped repetitions, in the order of time.
    pub gaps: Vec<Gap>,
    /// For each lane, the ticks of each activity, skipped ones included; they add up to the end of the lane's warp.
    pub totals: Vec<Totals>,
    /// The end of the last warp, in drawn ticks.
    pub drawn: u64,
}

impl Timeline {
    /// Returns the activities of any program, and of those of starts and matrix units the ones that a lane has.
    pub fn activities(&self) -> impl Iterator<Item = Activity> {
        let is_shown = |activity: &Activity| {
            !matches!(activity, Activity::Matrix | Activity::Started)
                || self.totals.iter().any(|totals| totals[*activity as usize] > 0)
        };
        Activity::ALL.into_iter().filter(is_shown)
    }
}

/// Returns the timeline of a checked program's full wave, or of its only wave, with lanes for the first `lanes` warps.
///
/// # Errors
/// [`TooManyEvents`] if more than `limit` events would have to be run.
pub fn timeline(program: &Program, lanes: usize, limit: u64) -> Result<Timeline, TooManyEvents> {
    run(program, lanes, limit, PATIENCE)
}

/// Returns the timeline as [`timeline`] does, without skipping repetitions.
///
/// # Errors
/// [`TooManyEvents`] if the waves have more than `limit` events.
pub fn timeline_plain(program: &Program, lanes: usize, limit: u64) -> Result<Timeline, TooManyEvents> {
    run(program, lanes, limit, 0)
}

fn run(program: &Program, lanes: usize, limit: u64, patience: u64) -> Result<Timeline, TooManyEvents> {
    let code = Code::new(&program.body);
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
    use super::span::Activity::{Barrier, Issue, Latency, Matrix, Memory, Queue, Started};
    use super::*;
    use crate::machine::{Server, Statement, evaluate};

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
        let body = vec![used(Server::Memory, 10, 100), Statement::barrier(5), used(Server::Dispatcher, 4, 4)];
        let shown = timeline(&program(body), 3, 100).unwrap();
        let lane = |lane: usize| -> Vec<_> {
            shown.lanes[lane].iter().map(|span| (span.activity, span.begin, span.end)).collect()
        };
        assert_eq!(lane(0), [(Memory, 0, 10), (Latency, 10, 100), (Barrier, 100, 115), (Issue, 115, 119)]);
        // Served second, the last at the barrier, and second at the dispatcher.
        let second = [(Queue, 0, 10), (Memory, 10, 20), (Latency, 20, 110), (Barrier, 110, 115), (Queue, 115, 119)];
        assert_eq!(lane(1)[..5], second);
        assert_eq!((shown.warps, shown.lanes.len(), shown.gaps.len()), (4, 3, 0));
        assert_eq!(shown.totals[0], [4, 0, 10, 90, 0, 15, 0, 0]);
        assert_eq!((shown.waves.ticks, shown.waves.rest, shown.drawn), (143, 123, 143));
        assert_eq!(shown.waves.total(), 7 + 2 * (143 + 123));
    }

    #[test]
    fn what_is_started_runs_beside_the_warp_until_it_waits() {
        let queue = crate::machine::Queue::A;
        let body = vec![
            Statement::Start { server: Server::Memory, occupancy: 10, latency: 100, queue },
            used(Server::Matrix, 30, 30),
            Statement::Wait { queue, pending: 0 },
            Statement::Start { server: Server::Local, occupancy: 5, latency: 5, queue },
        ];
        let shown = timeline(&program(body), 2, 100).unwrap();
        let lane = |lane: usize| -> Vec<_> {
            shown.lanes[lane].iter().map(|span| (span.activity, span.begin, span.end)).collect()
        };
        assert_eq!(lane(0), [(Matrix, 0, 30), (Started, 30, 105)]);
        // Second at memory and at the matrix unit; at the end each waits for its last start.
        assert_eq!(lane(1), [(Queue, 0, 30), (Matrix, 30, 60), (Started, 60, 115)]);
        assert_eq!(shown.activities().last(), Some(Started));
        let plain = timeline(&program(vec![used(Server::Memory, 1, 1)]), 2, 100).unwrap();
        assert_eq!(plain.activities().last(), Some(Barrier));
    }

    #[test]
    fn what_is_skipped_is_a_gap_and_counts() {
        let body = vec![Statement::Loop {
            count: 1 << 20,
            body: vec![used(Server::Memory, 10, 100), used(Server::Dispatcher, 4, 4), Statement::barrier(1)],
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
