//! The critical path of a program: its time, tick by tick, assigned to statements.
//!
//! A warp's time goes back to the event that it waited for last: its own use, the service of the warp before it at the
//! same server, the last warp that came to its barrier, or a start of its own. Every warp, every server and every start
//! that is not done carries the sums along its own chain of such events. No other history is kept, and the sums of a
//! carrier add up to its time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::TooManyEvents;
use crate::machine::code::{Code, Slots, Step};
use crate::machine::{BarrierScope, Program, Queue, Server, slots};

/// The ticks of a program's critical path that are spent at one use, start or barrier.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PathSegment {
    /// Ticks of service on the path; for a barrier, its cost.
    pub occupancy: u64,
    /// Ticks of latency after the service; for a start, those that a warp waited for.
    pub latency: u64,
}

/// Splits the time of a checked program over its uses, starts and barriers, in the order of its text. The sum of all entries
/// and the launch is the program's time.
///
/// # Errors
/// [`TooManyEvents`] if its waves have more than `limit` events: repetitions are not skipped here.
pub fn critical_stays(program: &Program, limit: u64) -> Result<Vec<PathSegment>, TooManyEvents> {
    let code = Code::new(&program.body);
    let (full, rest) = program.waves();
    let waves = [(full, program.resident_groups), (u64::from(rest > 0), rest)];
    let waves = waves.into_iter().filter(|(times, _)| *times > 0);
    let warps: u64 = waves.clone().map(|(_, groups)| groups.saturating_mul(program.warps_per_group)).sum();
    if warps.saturating_mul(code.events) > limit {
        return Err(TooManyEvents { limit });
    }
    let mut stays = Vec::new();
    for (times, groups) in waves {
        let of_wave = Wave::new(&code, program, groups).run();
        stays.resize(of_wave.len(), PathSegment::default());
        for (sum, stay) in stays.iter_mut().zip(of_wave) {
            sum.occupancy += times * program.passes * stay.occupancy;
            sum.latency += times * program.passes * stay.latency;
        }
    }
    Ok(stays)
}

/// A time and its split over the steps.
struct Carrier {
    time: u64,
    stays: Vec<PathSegment>,
}

impl Carrier {
    /// Adds the latency behind a service.
    fn stay(&mut self, step: usize, latency: u64) {
        self.time += latency;
        self.stays[step].latency += latency;
    }
}

impl Clone for Carrier {
    fn clone(&self) -> Self {
        Self { time: self.time, stays: self.stays.clone() }
    }

    /// Copies another carrier without allocating.
    fn clone_from(&mut self, other: &Self) {
        self.time = other.time;
        self.stays.clone_from(&other.stays);
    }
}

struct Wave<'a> {
    code: &'a Code,
    dispatchers: usize,
    warps_per_group: usize,
    warps: Vec<Warp>,
    /// The moments when memory, local, each dispatcher and each matrix unit are free.
    servers: Vec<Carrier>,
    /// The number of warps of each group that wait at its barrier, and last of all warps at the grid's.
    waiting: Vec<usize>,
    queue: BinaryHeap<Reverse<(u64, usize)>>,
}

#[derive(Clone)]
struct Warp {
    step: usize,
    left: Vec<u64>,
    path: Carrier,
    /// Its starts, by its slots.
    starts: Vec<Carrier>,
}

impl<'a> Wave<'a> {
    fn new(code: &'a Code, program: &Program, groups: u64) -> Self {
        let warps = size(groups * program.warps_per_group);
        let start = Carrier { time: 0, stays: vec![PathSegment::default(); code.steps.len()] };
        let dispatchers = size(program.dispatchers).min(warps);
        let warp =
            Warp { step: 0, left: vec![0; code.depth], path: start.clone(), starts: vec![start.clone(); code.slots] };
        let mut wave = Self {
            code,
            dispatchers,
            warps_per_group: size(program.warps_per_group),
            warps: vec![warp; warps],
            servers: vec![start; 2 + 2 * dispatchers],
            waiting: vec![0; size(groups) + 1],
            queue: (0..warps).map(|warp| Reverse((0, warp))).collect(),
        };
        for warp in 0..warps {
            wave.go_to(warp, 0);
        }
        wave
    }

    /// Runs the wave and returns the split of its time, one entry for each use, start and barrier.
    fn run(mut self) -> Vec<PathSegment> {
        let mut last = 0;
        while let Some(Reverse((_, warp))) = self.queue.pop() {
            match self.code.steps[self.warps[warp].step] {
                Step::Use { server, occupancy, latency } => {
                    let place = self.occupy(warp, server, occupancy);
                    let Warp { step, path, .. } = &mut self.warps[warp];
                    path.clone_from(&self.servers[place]);
                    path.stay(*step, latency - occupancy);
                    self.go_on(warp);
                }
                Step::Start { server, occupancy, latency, queue } => {
                    let place = self.occupy(warp, server, occupancy);
                    let mut start = self.servers[place].clone();
                    start.stay(self.warps[warp].step, latency - occupancy);
                    self.push(warp, queue, start);
                    self.go_on(warp);
                }
                Step::Wait { queue, pending } => {
                    let Slots { older, last } = self.code.queues[queue as usize];
                    self.wait_for(warp, older..older + 1 + last - size(pending));
                }
                Step::WaitForAll => self.wait_for(warp, 0..self.code.slots),
                Step::Barrier { cost, scope } => self.arrive(warp, cost, scope),
                _ => last = warp,
            }
        }
        let is_stay = |step: &Step| matches!(step, Step::Use { .. } | Step::Start { .. } | Step::Barrier { .. });
        let stays = self.warps.swap_remove(last).path.stays;
        self.code.steps.iter().zip(stays).filter(|(step, _)| is_stay(step)).map(|(_, stay)| stay).collect()
    }

    /// Occupies a server; returns its place.
    fn occupy(&mut self, warp: usize, server: Server, occupancy: u64) -> usize {
        let place = match server {
            Server::Memory => 0,
            Server::Local => 1,
            Server::Dispatcher => 2 + warp % self.dispatchers,
            Server::Matrix => 2 + self.dispatchers + warp % self.dispatchers,
        };
        let Warp { step, path, .. } = &self.warps[warp];
        let server = &mut self.servers[place];
        if server.time <= path.time {
            server.clone_from(path);
        }
        server.time += occupancy;
        server.stays[*step].occupancy += occupancy;
        place
    }

    fn push(&mut self, warp: usize, queue: Queue, start: Carrier) {
        let Slots { older, last } = self.code.queues[queue as usize];
        let slots = &mut self.warps[warp].starts[older..][..=last];
        slots::append(slots, start, |one, other| one.time > other.time);
    }

    /// The warp goes on when all starts in these of its slots are done.
    fn wait_for(&mut self, warp: usize, slots: Range<usize>) {
        let Warp { path, starts, .. } = &mut self.warps[warp];
        for start in &starts[slots] {
            if start.time > path.time {
                path.clone_from(start);
            }
        }
        self.go_on(warp);
    }

    fn arrive(&mut self, warp: usize, cost: u64, scope: BarrierScope) {
        let (barrier, members) = match scope {
            BarrierScope::Group => {
                let group = warp / self.warps_per_group;
                (group, group * self.warps_per_group..(group + 1) * self.warps_per_group)
            }
            BarrierScope::Grid => (self.waiting.len() - 1, 0..self.warps.len()),
        };
        self.waiting[barrier] += 1;
        if self.waiting[barrier] < members.len() {
            return;
        }
        self.waiting[barrier] = 0;
        let Warp { step, path, .. } = &mut self.warps[warp];
        path.time += cost;
        path.stays[*step].occupancy += cost;
        let path = path.clone();
        for member in members {
            self.warps[member].path.clone_from(&path);
            self.go_on(member);
        }
    }

    fn go_on(&mut self, warp: usize) {
        self.go_to(warp, self.warps[warp].step + 1);
        self.queue.push(Reverse((self.warps[warp].path.time, warp)));
    }

    /// Moves the warp to `step`, or to the first step after it that takes time.
    fn go_to(&mut self, warp: usize, mut step: usize) {
        let left = &mut self.warps[warp].left;
        loop {
            match self.code.steps[step] {
                Step::Begin { depth, count } => {
                    left[depth] = count;
                    step += 1;
                }
                Step::Again { depth, body } => {
                    left[depth] -= 1;
                    step = if left[depth] > 0 { body } else { step + 1 };
                }
                _ => break,
            }
        }
        self.warps[warp].step = step;
    }
}

/// Converts a number of a program that has few enough events to a length.
fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Statement, evaluate};

    fn used(server: Server, occupancy: u64, latency: u64) -> Statement {
        Statement::Use { server, occupancy, latency }
    }

    fn program(body: Vec<Statement>, groups: u64) -> Program {
        Program {
            multiprocessors: 1,
            dispatchers: 2,
            groups,
            resident_groups: 2,
            warps_per_group: 2,
            passes: 3,
            launch: 7,
            body,
        }
    }

    fn sum(stays: &[PathSegment]) -> u64 {
        stays.iter().map(|stay| stay.occupancy + stay.latency).sum()
    }

    #[test]
    fn who_waits_for_a_server_waits_for_the_services_before() {
        // Four warps one after the other at memory, the last one's latency behind: 4 * 5 + 20.
        let stays = critical_stays(&program(vec![used(Server::Memory, 5, 25)], 2), 100).unwrap();
        assert_eq!(stays, [PathSegment { occupancy: 3 * 20, latency: 3 * 20 }]);
    }

    #[test]
    fn the_path_goes_by_the_last_at_the_barrier() {
        let body = vec![used(Server::Local, 10, 10), Statement::barrier(3), used(Server::Dispatcher, 1, 1)];
        let stays = critical_stays(&program(body, 2), 100).unwrap();
        assert_eq!(stays.iter().map(|stay| stay.occupancy).collect::<Vec<_>>(), [3 * 40, 3 * 3, 3]);
    }

    #[test]
    fn the_path_goes_by_the_last_of_all_groups_at_the_barrier_of_the_grid() {
        let of_grid = Statement::barrier_of_grid(3);
        let body = vec![used(Server::Local, 10, 10), of_grid, used(Server::Local, 1, 1), used(Server::Memory, 0, 7)];
        let mut program = program(body, 2);
        program.warps_per_group = 1;
        let stays = critical_stays(&program, 100).unwrap();
        let of = |occupancy: u64, latency: u64| PathSegment { occupancy: 3 * occupancy, latency: 3 * latency };
        assert_eq!(stays, [of(20, 0), of(3, 0), of(2, 0), of(0, 7)]);
    }

    #[test]
    fn a_wait_goes_back_to_the_start_that_is_done_last() {
        let start = |latency, queue| Statement::Start { server: Server::Memory, occupancy: 5, latency, queue };
        let wait = |queue, pending| Statement::Wait { queue, pending };
        let body = vec![
            start(50, Queue::A),
            start(300, Queue::B),
            start(40, Queue::A),
            used(Server::Dispatcher, 7, 7),
            // The first start of A is waited for, the second and that of B are not.
            wait(Queue::A, 1),
            used(Server::Local, 4, 4),
        ];
        let mut program = program(body, 1);
        program.warps_per_group = 1;
        let stays = critical_stays(&program, 100).unwrap();
        // At the end of its body the warp waits for the start of B, behind the first one's service.
        let of = |occupancy: u64, latency: u64| PathSegment { occupancy: 3 * occupancy, latency: 3 * latency };
        assert_eq!(stays, [of(5, 0), of(5, 295), of(0, 0), of(0, 0), of(0, 0)]);
        // Without a long start in B, it is the wait that the time goes back by.
        program.body[1] = start(20, Queue::B);
        let stays = critical_stays(&program, 100).unwrap();
        assert_eq!(stays, [of(5, 45), of(0, 0), of(0, 0), of(0, 0), of(4, 0)]);
    }

    #[test]
    fn the_stays_and_the_launch_are_the_time() {
        for (a, b) in [(3, 40), (17, 17), (8, 9), (1, 100)] {
            let inner = vec![used(Server::Memory, a, b), used(Server::Dispatcher, 6, 11), used(Server::Local, 2, 30)];
            let turns = Statement::Loop { count: 4, body: inner };
            let body = vec![used(Server::Dispatcher, 2, 5), turns, Statement::barrier(4)];
            let body = vec![Statement::Loop { count: 5, body }, used(Server::Memory, 9, 9)];
            for groups in 1..6 {
                let program = program(body.clone(), groups);
                let time = evaluate(&program, u64::MAX).unwrap().ticks;
                assert_eq!(program.launch + sum(&critical_stays(&program, u64::MAX).unwrap()), time);
            }
        }
    }

    #[test]
    fn too_many_events_are_refused_beforehand() {
        let long = vec![Statement::Loop { count: 1 << 30, body: vec![used(Server::Memory, 1, 1)] }];
        assert_eq!(critical_stays(&program(long, 1), 1000), Err(TooManyEvents { limit: 1000 }));
    }
}
