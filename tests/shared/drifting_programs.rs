//! Random programs whose states repeat only after several iterations; equal for equal seeds.

use autotune::machine::{Program, Server, Statement};
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};

use super::random_programs::{Shape, statement};

/// An endless series of programs whose warps rarely keep step: their dispatchers have different numbers of warps, and
/// only the dispatcher delays a warp in the longest loop.
pub(crate) fn drifting_programs(seed: u64) -> impl Iterator<Item = Program> {
    let mut random = StdRng::seed_from_u64(seed);
    std::iter::repeat_with(move || program(&mut random))
}

fn program(random: &mut impl Rng) -> Program {
    let warps = random.random_range(3..=7);
    let (resident_groups, warps_per_group) = if random.random() { (warps, 1) } else { (1, warps) };
    let around = Shape { dispatchers: 1, resident_groups: 1, warps: 1, iterations: 10, queues: 0 };
    let before = statement(random, around, 1);
    let drifting = (0..random.random_range(1..=2)).map(|_| dispatched(random)).collect();
    let drifting = Statement::Loop { count: random.random_range(10..=60), body: drifting };
    Program {
        multiprocessors: 1,
        dispatchers: random.random_range(2..warps),
        groups: resident_groups,
        resident_groups,
        warps_per_group,
        passes: 1,
        launch: 0,
        body: vec![before, drifting, statement(random, around, 1)],
    }
    .simplified()
}

fn dispatched(random: &mut impl Rng) -> Statement {
    let occupancy = random.random_range(1..=5);
    Statement::Use { server: Server::Dispatcher, occupancy, latency: occupancy + random.random_range(0..=8) }
}
