//! The critical path of a program: its time, tick by tick, assigned to statements.
//!
//! A warp's time goes back to the event that it waited for last: its own use, the service of the warp before it at the
//! same server, or the last warp that came to its barrier. Every warp and every server carries the sums along its own
//! chain of such events. No other history is kept, and the sums of a carrier add up to its time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::TooManyEvents;
use super::code::{Code, Step};
use crate::machine::{Program, Server};

/// The ticks of a program's critical path that are spent at one use or barrier.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PathSegment {
    /// Ticks of service on the path; for a barrier, its cost.
    pub occupancy: u64,
    /// Ticks of latency after the service.
    pub latency: u64,
}

/// Splits the time of a checked program over its uses and barriers, in the order of its text. The sum of all entries
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
#[derive(Clone)]
struct Carrier {
    time: u64,
    stays: Vec<PathSegment>,
}

struct Wave<'a> {
    code: &'a Code,
    dispatchers: usize,
    warps_per_group: usize,
    warps: Vec<Warp>,
    /// The moments when memory, local and each dispatcher are free.
    servers: Vec<Carrier>,
    waiting: Vec<usize>,
    queue: BinaryHeap<Reverse<(u64, usize)>>,
}

struct Warp {
    step: usize,
    left: Vec<u64>,
    path: Carrier,
}

impl<'a> Wave<'a> {
    fn new(code: &'a Code, program: &Program, groups: u64) -> Self {
        let size = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let warps = size(groups * program.warps_per_group);
        let start = Carrier { time: 0, stays: vec![PathSegment::default(); code.steps.len()] };
        let dispatchers = size(program.dispatchers).min(warps);
        let mut wave = Self {
            code,
            dispatchers,
            warps_per_group: size(program.warps_per_group),
            warps: (0..warps).map(|_| Warp { step: 0, left: vec![0; code.depth], path: start.clone() }).collect(),
            servers: vec![start; 2 + dispatchers],
            waiting: vec![0; size(groups)],
            queue: (0..warps).map(|warp| Reverse((0, warp))).collect(),
        };
        for warp in 0..warps {
            wave.go_to(warp, 0);
        }
        wave
    }

    /// Runs the wave and returns the split of its time, one entry for each use and barrier.
    fn run(mut self) -> Vec<PathSegment> {
        let mut last = 0;
        while let Some(Reverse((_, warp))) = self.queue.pop() {
            match self.code.steps[self.warps[warp].step] {
                Step::Use { server, occupancy, latency } => self.serve(warp, server, occupancy, latency),
                Step::Barrier { cost } => self.arrive(warp, cost),
                _ => last = warp,
            }
        }
        let is_stay = |step: &Step| matches!(step, Step::Use { .. } | Step::Barrier { .. });
        let stays = self.warps.swap_remove(last).path.stays;
        self.code.steps.iter().zip(stays).filter(|(step, _)| is_stay(step)).map(|(_, stay)| stay).collect()
    }

    fn serve(&mut self, warp: usize, server: Server, occupancy: u64, latency: u64) {
        let server = match server {
            Server::Memory => 0,
            Server::Local => 1,
            Server::Dispatcher => 2 + warp % self.dispatchers,
        };
        let Warp { step, path, .. } = &mut self.warps[warp];
        let server = &mut self.servers[server];
        if server.time > path.time {
            path.time = server.time;
            path.stays.clone_from(&server.stays);
        }
        path.time += occupancy;
        path.stays[*step].occupancy += occupancy;
        server.time = path.time;
        server.stays.clone_from(&path.stays);
        path.time += latency - occupancy;
        path.stays[*step].latency += latency - occupancy;
        self.go_on(warp);
    }

    fn arrive(&mut self, warp: usize, cost: u64) {
        let group = warp / self.warps_per_group;
        self.waiting[group] += 1;
        if self.waiting[group] < self.warps_per_group {
            return;
        }
        self.waiting[group] = 0;
        let Warp { step, path, .. } = &mut self.warps[warp];
        path.time += cost;
        path.stays[*step].occupancy += cost;
        let path = path.clone();
        for member in group * self.warps_per_group..(group + 1) * self.warps_per_group {
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
        let body = vec![used(Server::Local, 10, 10), Statement::Barrier { cost: 3 }, used(Server::Dispatcher, 1, 1)];
        let stays = critical_stays(&program(body, 2), 100).unwrap();
        assert_eq!(stays.iter().map(|stay| stay.occupancy).collect::<Vec<_>>(), [3 * 40, 3 * 3, 3]);
    }

    #[test]
    fn the_stays_and_the_launch_are_the_time() {
        for (a, b) in [(3, 40), (17, 17), (8, 9), (1, 100)] {
            let inner = vec![used(Server::Memory, a, b), used(Server::Dispatcher, 6, 11), used(Server::Local, 2, 30)];
            let turns = Statement::Loop { count: 4, body: inner };
            let body = vec![used(Server::Dispatcher, 2, 5), turns, Statement::Barrier { cost: 4 }];
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
