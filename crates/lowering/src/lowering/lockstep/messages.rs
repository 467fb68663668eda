//! The messages of a lockstep processor, where a profile states their time.
//!
//! The parts of the processor are the model-checking paper's. Each message takes the same time, and messages to several
//! partners pass together: the host hands a group to a multiprocessor and hears of its end; in each pass the multiprocessor
//! starts its dispatchers, each dispatcher its elements, and their ends come back the same way; an element tells a barrier
//! that it has arrived, and the barrier tells it to go on. A warp waits for all of them.

use crate::lowering::phases::origin::Origin;
use autotune_machine::machine::{Program, Server, Statement};

/// The program with the messages of its groups, its passes and its barriers, each of `ticks`. A group goes through in
/// `passes` passes: with messages they stand in the body, as the group's own messages come once.
pub(super) fn with_messages(program: Program, passes: u64, ticks: u64) -> Program {
    if ticks == 0 {
        return program;
    }
    // Down to the elements and up again: the dispatchers' two, and the multiprocessor's two.
    let of_pass = [message(2 * ticks), message(2 * ticks)];
    let mut pass = at_barriers(program.body, ticks);
    pass.insert(0, of_pass[0].clone());
    pass.push(of_pass[1].clone());
    let mut body = vec![message(ticks)];
    body.push(Statement::Loop { count: passes, body: pass });
    body.push(message(ticks));
    Program { passes: program.passes / passes, body, ..program }
}

fn message(ticks: u64) -> Statement {
    Statement::Use { server: Server::Dispatcher, occupancy: ticks, latency: ticks }
}

fn at_barriers(body: Vec<Statement>, ticks: u64) -> Vec<Statement> {
    let told = |statement| match statement {
        Statement::Barrier { .. } => vec![message(ticks), statement, message(ticks)],
        Statement::Loop { count, body } => vec![Statement::Loop { count, body: at_barriers(body, ticks) }],
        other => vec![other],
    };
    body.into_iter().flat_map(told).collect()
}

/// The origins of the uses and barriers of a program with messages, from those of its body without. Messages of a barrier are
/// the barrier's; those of groups and passes have no line.
pub(super) fn origins_with_messages(body: &[Statement], origins: Vec<Origin>, ticks: u64) -> Vec<Origin> {
    if ticks == 0 {
        return origins;
    }
    let without_line = || Origin { occupancy: vec![(None, 1.0)], ..Origin::default() };
    let mut all = vec![without_line(), without_line()];
    let stays = Statement::all(body).filter(|(statement, _)| !matches!(statement, Statement::Loop { .. }));
    for ((statement, _), origin) in stays.zip(origins) {
        let times = if matches!(statement, Statement::Barrier { .. }) { 3 } else { 1 };
        all.extend(std::iter::repeat_n(origin, times));
    }
    all.extend([without_line(), without_line()]);
    all
}
