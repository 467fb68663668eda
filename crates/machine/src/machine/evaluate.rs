//! The native evaluator: computes a program's time by running its waves event by event.
//!
//! Runs of a million events are common, so a warp's state is a few words and loops are never unrolled. Events that
//! repeat exactly are run once and counted once for each repetition (see [`recurrence`]).

mod events;
mod path;
mod recurrence;
mod state;
mod timeline;
mod watch;
mod wave;

use thiserror::Error;

use super::Program;
use super::code::Code;
use wave::WaveRun;

pub use path::{PathSegment, critical_stays};
pub use timeline::{Activity, Gap, Span, Timeline, Totals, Waves, timeline, timeline_plain};

/// The number of events after the last skip (or the start) of a wave before the evaluator stops looking for
/// repetitions.
const PATIENCE: u64 = 10_000_000;

/// The result of running a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Evaluation {
    /// T: the time of the launch, in ticks.
    pub ticks: u64,
    /// Events of the waves (one full wave and the last, smaller one), including the skipped ones; `u64::MAX` if there
    /// are more.
    pub events: u64,
    /// Events that were really run.
    pub stepped: u64,
    /// The number of skips; each skips one or more repetitions.
    pub skips: u64,
    /// The most iterations of one loop that a skipped repetition spans; 0 if nothing was skipped.
    pub longest_period: u64,
}

/// A program whose waves take more events than the limit allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("its waves take more than {limit} events, the limit of an evaluation")]
pub struct TooManyEvents {
    /// The limit.
    pub limit: u64,
}

/// Runs a checked program. Repetitions are skipped, which leaves the result as it is and saves effort.
///
/// # Errors
/// [`TooManyEvents`] if more than `limit` events would have to be run.
pub fn evaluate(program: &Program, limit: u64) -> Result<Evaluation, TooManyEvents> {
    run(program, limit, PATIENCE)
}

/// Runs a checked program event by event without skipping, as a model without acceleration does.
///
/// # Errors
/// [`TooManyEvents`] if its waves have more than `limit` events.
pub fn evaluate_plain(program: &Program, limit: u64) -> Result<Evaluation, TooManyEvents> {
    run(program, limit, 0)
}

fn run(program: &Program, limit: u64, patience: u64) -> Result<Evaluation, TooManyEvents> {
    let code = Code::new(&program.body);
    let mut evaluation = Evaluation { ticks: program.launch, events: 0, stepped: 0, skips: 0, longest_period: 0 };
    for (times, groups) in program.distinct_waves() {
        let limit_left = limit - evaluation.stepped;
        let warps = groups * program.warps_per_group;
        // Every warp has at least one event, so a wave of more warps than events is refused before it takes memory.
        let wave = (warps <= limit_left)
            .then(|| wave::run(&code, program, groups, patience, limit_left, ()))
            .flatten()
            .ok_or(TooManyEvents { limit })?;
        evaluation.add(&wave, times * program.passes, warps.saturating_mul(code.events));
    }
    Ok(evaluation)
}

impl Evaluation {
    fn add(&mut self, wave: &WaveRun, weight: u64, events: u64) {
        self.ticks += weight * wave.ticks;
        self.events = self.events.saturating_add(events);
        self.stepped += wave.stepped;
        self.skips += wave.skips;
        self.longest_period = self.longest_period.max(wave.longest_period);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Server, Statement};

    fn program(body: Vec<Statement>) -> Program {
        Program {
            multiprocessors: 1,
            dispatchers: 2,
            groups: 5,
            resident_groups: 2,
            warps_per_group: 2,
            passes: 3,
            launch: 7,
            body,
        }
    }

    fn repeat(count: u64, body: Vec<Statement>) -> Statement {
        Statement::Loop { count, body }
    }

    const LOCAL: Statement = Statement::Use { server: Server::Local, occupancy: 0, latency: 1 };

    #[test]
    fn an_empty_body_takes_the_launch_only() {
        let evaluation = evaluate(&program(vec![]), 100).unwrap();
        assert_eq!((evaluation.ticks, evaluation.events, evaluation.stepped), (7, 6, 6));
    }

    #[test]
    fn a_shared_server_is_served_in_turn() {
        let memory = Statement::Use { server: Server::Memory, occupancy: 10, latency: 100 };
        let evaluation = evaluate(&program(vec![memory]), 100).unwrap();
        // Four warps queue for 30 ticks in a full wave, two for 10 in the last.
        assert_eq!((evaluation.ticks, evaluation.events), (7 + 3 * (2 * 130 + 110), 12));
    }

    #[test]
    fn a_wave_that_does_not_run_is_not_counted() {
        let mut few = program(vec![LOCAL]);
        few.groups = 1;
        let evaluation = evaluate(&few, 100).unwrap();
        assert_eq!((evaluation.ticks, evaluation.events, evaluation.stepped), (7 + 3, 4, 4));
    }

    #[test]
    fn too_many_events_are_refused() {
        let long = program(vec![repeat(1000, vec![LOCAL])]);
        assert_eq!(evaluate_plain(&long, 6005), Err(TooManyEvents { limit: 6005 }));
        assert_eq!(evaluate_plain(&long, 6006).unwrap().stepped, 6006);
    }

    #[test]
    fn waves_that_cannot_end_within_the_limit_take_no_memory() {
        let mut wide = program(vec![]);
        (wide.groups, wide.resident_groups, wide.warps_per_group) = (1 << 30, 1 << 30, 1 << 30);
        assert_eq!(wide.check(), Ok(()));
        assert_eq!(evaluate(&wide, 1 << 40), Err(TooManyEvents { limit: 1 << 40 }));
    }

    #[test]
    fn loops_of_any_length_and_depth_take_a_few_events() {
        let long = program(vec![repeat(1 << 30, vec![LOCAL, repeat(1 << 20, vec![LOCAL]), Statement::barrier(2)])]);
        let evaluation = evaluate(&long, 1000).unwrap();
        assert_eq!(evaluation.ticks, 7 + 3 * 3 * (1 << 30) * (1 + (1 << 20) + 2));
        assert_eq!(evaluation.events, 6 * ((1 << 30) * (1 + (1 << 20) + 1) + 1));
    }

    #[test]
    fn what_does_not_repeat_itself_in_time_is_run_plainly() {
        // Dispatcher 0 has two warps of three, 6 ticks an iteration; warp 1 takes 5: they meet every 16 events.
        let dispatched = Statement::Use { server: Server::Dispatcher, occupancy: 3, latency: 5 };
        let mut drifting = program(vec![repeat(1000, vec![dispatched])]);
        (drifting.groups, drifting.resident_groups, drifting.warps_per_group) = (1, 1, 3);
        let [hasty, patient] = [15, 50].map(|patience| run(&drifting, u64::MAX, patience).unwrap());
        assert_eq!((hasty.skips, hasty.stepped), (0, hasty.events));
        assert!(patient.skips > 0 && patient.stepped < 100);
        assert_eq!(hasty.ticks, patient.ticks);
        assert_eq!(run(&drifting, 2000, 15), Err(TooManyEvents { limit: 2000 }));
    }

    #[test]
    fn the_longest_times_are_exact() {
        let memory = Statement::Use { server: Server::Memory, occupancy: (1 << 31) - 1, latency: (1 << 31) - 1 };
        let mut long = program(vec![repeat(1 << 22, vec![memory])]);
        (long.groups, long.resident_groups, long.warps_per_group, long.passes) = (2, 2, 32, 1);
        assert_eq!(long.check(), Ok(()));
        let evaluation = evaluate(&long, 10_000).unwrap();
        assert_eq!(evaluation.ticks, 7 + 64 * (1 << 22) * ((1 << 31) - 1));
    }

    #[test]
    fn more_events_than_can_be_counted_are_so_many() {
        let idle = Statement::Use { server: Server::Local, occupancy: 0, latency: 0 };
        let largest = crate::machine::LARGEST;
        let endless = program(vec![repeat(largest, vec![repeat(largest, vec![repeat(largest, vec![idle])])])]);
        assert_eq!(endless.check(), Ok(()));
        let evaluation = evaluate(&endless, 1000).unwrap();
        assert_eq!((evaluation.ticks, evaluation.events), (7, u64::MAX));
    }
}
