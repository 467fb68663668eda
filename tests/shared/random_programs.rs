//! Random programs of the abstract machine; equal for equal seeds.

use autotune::machine::{Program, Server, Statement};
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

/// A use, a barrier or, with a `depth` above 0, a loop.
pub(crate) fn statement(random: &mut impl Rng, shape: Shape, depth: u32) -> Statement {
    match random.random_range(0..10) {
        0..=5 => {
            let occupancy = random.random_range(0..12);
            // Latencies that are equal to the occupancy or far above it, and ties between warps, are common.
            let extra = if random.random_bool(0.4) { 0 } else { random.random_range(0..40) };
            let server = [Server::Memory, Server::Local, Server::Dispatcher][random.random_range(0..3)];
            Statement::Use { server, occupancy, latency: occupancy + extra }
        }
        6..=7 => Statement::Barrier { cost: random.random_range(0..6) },
        _ if depth == 0 => Statement::Barrier { cost: 0 },
        _ => Statement::Loop {
            count: random.random_range(0..=shape.iterations),
            body: statements(random, shape, depth - 1),
        },
    }
}
