//! Random programs so small that every order of their simultaneous events can be tried; equal for equal seeds.

use autotune::machine::{BarrierScope, Program, Queue, Server, Statement};
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};

/// The statements of a program beside uses with a latency and barriers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Nothing.
    Plain,
    /// Starts, and waits for them.
    Starts,
    /// Uses whose latency is 0.
    AtOnce,
}

/// An endless series of programs whose waves have up to `warps` warps of up to six statements: a third with starts and waits, a
/// third with latencies of 0, some with loops, some with barriers of the grid. Equal moments are frequent.
pub(crate) fn tiny_programs(seed: u64, warps: u64) -> impl Iterator<Item = Program> {
    let mut random = StdRng::seed_from_u64(seed);
    let kinds = [Kind::Plain, Kind::Starts, Kind::AtOnce].into_iter().cycle();
    kinds.map(move |kind| program(&mut random, warps, kind)).filter(|program| program.check().is_ok())
}

fn program(random: &mut impl Rng, warps: u64, kind: Kind) -> Program {
    let warps_per_group = random.random_range(1..=warps);
    let resident_groups = warps / warps_per_group;
    let multiprocessors = random.random_range(1..=2);
    let mut left = random.random_range(2..=6);
    let mut body = Vec::new();
    while left > 0 {
        if left > 1 && random.random_bool(0.25) {
            let inner = random.random_range(1..left);
            let statements = (0..inner).map(|_| statement(random, kind)).collect();
            body.push(Statement::Loop { count: random.random_range(2..=3), body: statements });
            left -= inner + 1;
        } else {
            body.push(statement(random, kind));
            left -= 1;
        }
    }
    let of_grid = Statement::any_of_grid(&body);
    let most = if of_grid { resident_groups } else { 2 * resident_groups + 1 };
    Program {
        multiprocessors,
        dispatchers: random.random_range(1..=3),
        groups: random.random_range(resident_groups..=most),
        resident_groups,
        warps_per_group,
        passes: random.random_range(1..=2),
        launch: random.random_range(0..3),
        body,
    }
    .simplified()
}

fn statement(random: &mut impl Rng, kind: Kind) -> Statement {
    let server = Server::ALL[random.random_range(0..if kind == Kind::Plain { 3 } else { 4 })];
    let occupancy = random.random_range(0..=2);
    let latency = occupancy + if random.random_bool(0.4) { 0 } else { random.random_range(0..=3) };
    let queue = [Queue::A, Queue::B][random.random_range(0..2)];
    match random.random_range(0..10) {
        0 => Statement::Barrier {
            cost: random.random_range(0..=2),
            scope: if random.random_bool(0.2) { BarrierScope::Grid } else { BarrierScope::Group },
        },
        1..=4 if kind == Kind::Starts => Statement::Start { server, occupancy, latency, queue },
        5..=6 if kind == Kind::Starts => Statement::Wait { queue, pending: random.random_range(0..=1) },
        1..=4 if kind == Kind::AtOnce => Statement::Use { server, occupancy: 0, latency: 0 },
        _ => Statement::Use { server, occupancy, latency: latency.max(u64::from(kind == Kind::Plain)) },
    }
}
