//! Random programs of the abstract machine; equal for equal seeds.

use autotune::machine::{Program, Queue, Server, Statement};
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};

/// The greatest size of the programs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// Dispatchers of a multiprocessor.
    pub(crate) dispatchers: u64,
    /// Resident groups.
    pub(crate) resident_groups: u64,
    /// Warps of a group.
    pub(crate) warps: u64,
    /// Iterations of a loop.
    pub(crate) iterations: u64,
    /// Queues of asynchronous starts; without any there are no matrix units either.
    pub(crate) queues: usize,
}

/// An endless series of programs.
pub(crate) fn programs(seed: u64, shape: Shape) -> impl Iterator<Item = Program> {
    let mut random = StdRng::seed_from_u64(seed);
    std::iter::repeat_with(move || program(&mut random, shape))
}

fn program(random: &mut impl Rng, shape: Shape) -> Program {
    let resident_groups = random.random_range(1..=shape.resident_groups);
    let multiprocessors = random.random_range(1..=4);
    Program {
        multiprocessors,
        dispatchers: random.random_range(1..=shape.dispatchers),
        groups: random.random_range(1..=multiprocessors * resident_groups * 3),
        resident_groups,
        warps_per_group: random.random_range(1..=shape.warps),
        passes: random.random_range(1..=3),
        launch: random.random_range(0..50),
        body: statements(random, shape, 2),
    }
    .simplified()
}

fn statements(random: &mut impl Rng, shape: Shape, depth: u32) -> Vec<Statement> {
    (0..random.random_range(1..=4)).map(|_| statement(random, shape, depth)).collect()
}

/// A use, a start, a wait, a barrier or, with a `depth` above 0, a loop.
pub(crate) fn statement(random: &mut impl Rng, shape: Shape, depth: u32) -> Statement {
    if shape.queues > 0 && random.random_bool(0.5) {
        return of_queue(random, shape.queues);
    }
    match random.random_range(0..10) {
        0..=5 => {
            let occupancy = random.random_range(0..12);
            // Latencies that are equal to the occupancy or far above it, and ties between warps, are common.
            let extra = if random.random_bool(0.4) { 0 } else { random.random_range(0..40) };
            let server = [Server::Memory, Server::Local, Server::Dispatcher][random.random_range(0..3)];
            Statement::Use { server, occupancy, latency: occupancy + extra }
        }
        6..=7 => Statement::barrier(random.random_range(0..6)),
        _ if depth == 0 => Statement::barrier(0),
        _ => Statement::Loop {
            count: random.random_range(0..=shape.iterations),
            body: statements(random, shape, depth - 1),
        },
    }
}

/// A start, a wait or a use of the matrix unit.
fn of_queue(random: &mut impl Rng, queues: usize) -> Statement {
    let queue = Queue::ALL[random.random_range(0..queues)];
    let occupancy = random.random_range(0..12);
    let latency = occupancy + if random.random_bool(0.3) { 0 } else { random.random_range(0..150) };
    match random.random_range(0..10) {
        0..=5 => Statement::Start { server: Server::ALL[random.random_range(0..4)], occupancy, latency, queue },
        6..=8 => {
            Statement::Wait { queue, pending: if random.random_bool(0.4) { 0 } else { random.random_range(0..5) } }
        }
        _ => Statement::Use { server: Server::Matrix, occupancy, latency },
    }
}

/// The program with ticks of up to 2^54: each number of ticks in units of 2^30 or of a random number.
///
/// In units of 2^30 all low words of waits are 0. Otherwise each number has up to 2 ticks more.
pub(crate) fn lengthened(random: &mut impl Rng, program: Program) -> Program {
    if random.random_bool(0.3) {
        return in_units(1 << 30, program);
    }
    let unit = random.random_range(1 << 24..1 << 44);
    lengthen(unit, &mut || random.random_range(0..3), program)
}

/// The program with each number of ticks times `unit`.
pub(crate) fn in_units(unit: u64, program: Program) -> Program {
    lengthen(unit, &mut || 0, program)
}

fn lengthen(unit: u64, more: &mut impl FnMut() -> u64, program: Program) -> Program {
    Program { launch: program.launch * unit, body: lengthen_body(unit, more, program.body), ..program }
}

fn lengthen_body(unit: u64, more: &mut impl FnMut() -> u64, body: Vec<Statement>) -> Vec<Statement> {
    let lengthened = body.into_iter().map(|statement| match statement {
        Statement::Use { server, occupancy, latency } => {
            let (busy, rest) = (occupancy * unit + more(), (latency - occupancy) * unit + more());
            Statement::Use { server, occupancy: busy, latency: busy + rest }
        }
        Statement::Start { server, occupancy, latency, queue } => {
            let (busy, rest) = (occupancy * unit + more(), (latency - occupancy) * unit + more());
            Statement::Start { server, occupancy: busy, latency: busy + rest, queue }
        }
        Statement::Barrier { cost, scope } => Statement::Barrier { cost: cost * unit + more(), scope },
        wait @ Statement::Wait { .. } => wait,
        Statement::Loop { count, body } => Statement::Loop { count, body: lengthen_body(unit, more, body) },
    });
    lengthened.collect()
}
