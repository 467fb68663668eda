//! The native evaluator: how long a program takes, found by running its waves event by event.
//!
//! Events are taken in order of (time, warp number). Runs of a million events are common, so a warp's state is a few
//! words and loops are never unrolled.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use thiserror::Error;

use super::{Program, Server, Statement};

/// What running a program shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Evaluation {
    /// T: the time of the launch, in ticks.
    pub ticks: u64,
    /// Events of the waves that were run: a full wave once, and the wave of the rest.
    pub events: u64,
}

/// A program whose waves have more events than was allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a wave has more than {limit} events")]
pub struct TooManyEvents {
    /// The number that was allowed.
    pub limit: u64,
}

/// Runs a checked program.
///
/// # Errors
/// [`TooManyEvents`] if its waves have more than `limit` events.
pub fn evaluate(program: &Program, limit: u64) -> Result<Evaluation, TooManyEvents> {
    let code = Code::of(&program.body);
    let (full, rest) = program.waves();
    let mut evaluation = Evaluation { ticks: program.launch, events: 0 };
    for (times, groups) in [(full, program.resident_groups), (1, rest)] {
        if times > 0 && groups > 0 {
            let wave =
                Wave::new(&code, program, groups).run(limit - evaluation.events).ok_or(TooManyEvents { limit })?;
            evaluation.ticks += times * program.passes * wave.ticks;
            evaluation.events += wave.events;
        }
    }
    Ok(evaluation)
}

/// One step of the body, with loops as jumps.
#[derive(Debug, Clone, Copy)]
enum Step {
    Use { server: Server, occupancy: u64, latency: u64 },
    Barrier { cost: u64 },
    Begin { depth: usize, count: u64 },
    Again { depth: usize, body: usize },
    End,
}

/// The body as steps, and how deep its loops nest.
struct Code {
    steps: Vec<Step>,
    depth: usize,
}

impl Code {
    fn of(body: &[Statement]) -> Self {
        let mut code = Self { steps: Vec::new(), depth: 0 };
        code.append(body, 0);
        code.steps.push(Step::End);
        code
    }

    fn append(&mut self, body: &[Statement], depth: usize) {
        for statement in body {
            match statement {
                Statement::Use { server, occupancy, latency } => {
                    self.steps.push(Step::Use { server: *server, occupancy: *occupancy, latency: *latency });
                }
                Statement::Barrier { cost } => self.steps.push(Step::Barrier { cost: *cost }),
                Statement::Loop { count, .. } if *count == 0 => {}
                Statement::Loop { count, body } => {
                    self.depth = self.depth.max(depth + 1);
                    self.steps.push(Step::Begin { depth, count: *count });
                    let first = self.steps.len();
                    self.append(body, depth + 1);
                    if self.steps.len() == first {
                        self.steps.pop();
                    } else {
                        self.steps.push(Step::Again { depth, body: first });
                    }
                }
            }
        }
    }
}

/// The resident groups of one multiprocessor while they run.
struct Wave<'a> {
    code: &'a Code,
    warps_per_group: usize,
    /// The step that each warp executes next.
    next: Vec<usize>,
    /// Iterations begun, for each warp and depth.
    iterations: Vec<u64>,
    /// When memory, local and each dispatcher is free.
    free: Vec<u64>,
    /// How many warps of each group wait at its barrier.
    waiting: Vec<usize>,
    events: BinaryHeap<Reverse<(u64, usize)>>,
}

/// What one wave shows.
struct WaveRun {
    ticks: u64,
    events: u64,
}

impl<'a> Wave<'a> {
    fn new(code: &'a Code, program: &Program, groups: u64) -> Self {
        let warps = size(groups * program.warps_per_group);
        let mut wave = Self {
            code,
            warps_per_group: size(program.warps_per_group),
            next: vec![0; warps],
            iterations: vec![0; warps * code.depth],
            free: vec![0; 2 + size(program.dispatchers)],
            waiting: vec![0; size(groups)],
            events: (0..warps).map(|warp| Reverse((0, warp))).collect(),
        };
        for warp in 0..warps {
            wave.go_to(warp, 0);
        }
        wave
    }

    /// Runs to the end; `None` if that takes more than `limit` events.
    fn run(mut self, limit: u64) -> Option<WaveRun> {
        let mut run = WaveRun { ticks: 0, events: 0 };
        while let Some(Reverse((now, warp))) = self.events.pop() {
            run.events += 1;
            if run.events > limit {
                return None;
            }
            match self.code.steps[self.next[warp]] {
                Step::Use { server, occupancy, latency } => self.serve(now, warp, server, occupancy, latency),
                Step::Barrier { cost } => self.arrive(now, warp, cost),
                _ => run.ticks = run.ticks.max(now),
            }
        }
        Some(run)
    }

    fn serve(&mut self, now: u64, warp: usize, server: Server, occupancy: u64, latency: u64) {
        let dispatchers = self.free.len() - 2;
        let free = &mut self.free[match server {
            Server::Memory => 0,
            Server::Local => 1,
            Server::Dispatcher => 2 + warp % dispatchers,
        }];
        let begin = now.max(*free);
        *free = begin + occupancy;
        self.go_to(warp, self.next[warp] + 1);
        self.events.push(Reverse((begin + latency, warp)));
    }

    fn arrive(&mut self, now: u64, warp: usize, cost: u64) {
        let group = warp / self.warps_per_group;
        self.waiting[group] += 1;
        if self.waiting[group] == self.warps_per_group {
            self.waiting[group] = 0;
            for member in group * self.warps_per_group..(group + 1) * self.warps_per_group {
                self.go_to(member, self.next[member] + 1);
                self.events.push(Reverse((now + cost, member)));
            }
        }
    }

    /// Sets the warp on `step`, or on the first behind it that takes time.
    fn go_to(&mut self, warp: usize, mut step: usize) {
        let own = warp * self.code.depth;
        loop {
            match self.code.steps[step] {
                Step::Begin { depth, count } => {
                    self.iterations[own + depth] = count;
                    step += 1;
                }
                Step::Again { depth, body } => {
                    let left = &mut self.iterations[own + depth];
                    *left -= 1;
                    step = if *left > 0 { body } else { step + 1 };
                }
                _ => break,
            }
        }
        self.next[warp] = step;
    }
}

/// A number of a checked program, as a length.
fn size(number: u64) -> usize {
    usize::try_from(number)
        .expect("a checked program's numbers are below 2^31, and so are its products that are lengths")
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn an_empty_body_takes_the_launch_only() {
        assert_eq!(evaluate(&program(vec![]), 100), Ok(Evaluation { ticks: 7, events: 6 }));
    }

    #[test]
    fn a_shared_server_is_served_in_turn() {
        let memory = Statement::Use { server: Server::Memory, occupancy: 10, latency: 100 };
        // Four warps queue for 30 ticks in a full wave, two for 10 in the last.
        assert_eq!(
            evaluate(&program(vec![memory]), 100),
            Ok(Evaluation { ticks: 7 + 3 * (2 * 130 + 110), events: 12 })
        );
    }

    #[test]
    fn too_many_events_are_refused() {
        let local = Statement::Use { server: Server::Local, occupancy: 0, latency: 1 };
        let long = program(vec![Statement::Loop { count: 1000, body: vec![local] }]);
        assert_eq!(evaluate(&long, 4000), Err(TooManyEvents { limit: 4000 }));
    }
}
