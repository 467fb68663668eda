//! Random programs with barriers of all groups, which all run at the same time; equal for equal seeds.

use autotune::machine::{BarrierScope, Program, Statement};
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};

use super::random_programs::{Shape, programs};

/// An endless series of programs. Some of their barriers are those of a group.
pub(crate) fn grid_programs(seed: u64, shape: Shape) -> impl Iterator<Item = Program> {
    let mut random = StdRng::seed_from_u64(seed);
    let joined = programs(seed, shape).map(move |program| {
        let groups = random.random_range(1..=program.multiprocessors * program.resident_groups);
        Program { groups, body: some_of_grid(&mut random, program.body), ..program }
    });
    joined.filter(|program| Statement::any_of_grid(&program.body))
}

fn some_of_grid(random: &mut impl Rng, body: Vec<Statement>) -> Vec<Statement> {
    let of_grid = |statement| match statement {
        Statement::Barrier { cost, .. } => Statement::Barrier {
            cost,
            scope: if random.random_bool(0.6) { BarrierScope::Grid } else { BarrierScope::Group },
        },
        Statement::Loop { count, body } => Statement::Loop { count, body: some_of_grid(random, body) },
        other => other,
    };
    body.into_iter().map(of_grid).collect()
}

/// The program with barriers of a group in place of those of all groups.
pub(crate) fn without_grid(program: &Program) -> Program {
    fn of_groups(body: &[Statement]) -> Vec<Statement> {
        let of_group = |statement: &Statement| match statement {
            Statement::Barrier { cost, .. } => Statement::barrier(*cost),
            Statement::Loop { count, body } => Statement::Loop { count: *count, body: of_groups(body) },
            other => other.clone(),
        };
        body.iter().map(of_group).collect()
    }
    Program { body: of_groups(&program.body), ..program.clone() }
}
