//! A lower bound of a program's time under a profile that makes some of its costs cheaper, by a fifth at most.
//!
//! Such a profile changes no statement of a program but its costs. Each cost is rounded up from a sum of products with
//! the profile's cycles for a unit of work, so a cost of k ticks becomes at least 4/5 of k less what rounding added.

use autotune_lowering::gpu::Costs;
use autotune_lowering::space::UniqueProgram;
use autotune_machine::machine::{BarrierScope, Program, Server, Statement, lower_bound};

/// The most ticks that rounding adds to the service of a dispatcher: to each of six resources, whose norm grows by less
/// than 2, to the norm, and to the fetches of code.
const DISPATCHED: u64 = 4;

/// The lower bound in ticks of the time of a program's configurations if these costs are cheaper.
pub(super) fn eased_bound(unique: UniqueProgram, costs: Costs) -> u64 {
    let UniqueProgram { program, too_long, .. } = unique;
    let eased = eased(program, costs);
    if too_long.is_none() { lower_bound(&eased).ticks } else { u64::try_from(eased.least_time()).unwrap_or(u64::MAX) }
}

/// The program with these costs as cheap as they can be.
fn eased(program: Program, costs: Costs) -> Program {
    let launch = match costs {
        // Each pass has a launch of its own.
        Costs::Launch | Costs::MemoryAndLaunch => cheaper(program.launch, program.passes),
        _ => program.launch,
    };
    Program { launch, body: body(program.body, costs), ..program }
}

fn body(statements: Vec<Statement>, costs: Costs) -> Vec<Statement> {
    let eased = |statement| match statement {
        Statement::Use { server, occupancy, latency } => {
            let (occupancy, latency) = served(server, occupancy, latency, costs);
            Statement::Use { server, occupancy, latency }
        }
        Statement::Start { server, occupancy, latency, queue } => {
            let (occupancy, latency) = served(server, occupancy, latency, costs);
            Statement::Start { server, occupancy, latency, queue }
        }
        Statement::Loop { count, body: inner } => Statement::Loop { count, body: body(inner, costs) },
        Statement::Barrier { cost, scope: BarrierScope::Grid } if costs == Costs::Waits => {
            Statement::barrier_of_grid(cheaper(cost, 1))
        }
        // No value of a profile states the costs of a group's barriers.
        Statement::Wait { .. } | Statement::Barrier { .. } => statement,
    };
    statements.into_iter().map(eased).collect()
}

/// The occupancy and the latency of a use or start.
fn served(server: Server, occupancy: u64, latency: u64, costs: Costs) -> (u64, u64) {
    let rounded = if server == Server::Dispatcher { DISPATCHED } else { 1 };
    let wait = match (costs, server) {
        // The wait for a matrix unit's result may vanish behind a longer service.
        (Costs::Matrix, Server::Matrix) => 0,
        (Costs::Waits, Server::Memory | Server::Local | Server::Dispatcher) => cheaper(latency - occupancy, 1),
        _ => latency - occupancy,
    };
    let occupancy = if serves(server, costs) { cheaper(occupancy, rounded) } else { occupancy };
    (occupancy, occupancy + wait)
}

/// True if the service of a server is among these costs.
pub(super) fn serves(server: Server, costs: Costs) -> bool {
    match costs {
        Costs::Memory | Costs::MemoryAndLaunch => server == Server::Memory,
        Costs::Local => server == Server::Local,
        Costs::Dispatcher => server == Server::Dispatcher,
        Costs::Matrix => server == Server::Matrix,
        Costs::Waits | Costs::Launch => false,
    }
}

/// At least 4/5 of a cost before it was rounded up by at most `rounded` ticks.
fn cheaper(ticks: u64, rounded: u64) -> u64 {
    let ticks = ticks.saturating_sub(rounded);
    ticks - ticks.div_ceil(5)
}
