//! Statements that a body leaves out.

use std::collections::BTreeSet;

use super::extracted::Extracted;

/// Leaves out the barriers of statements that fewer than half of the groups execute.
pub(super) fn without_barriers(statements: &mut Vec<Extracted>) {
    retain(statements, &|statement| !matches!(statement, Extracted::Barrier { .. }));
}

/// Leaves out waits for queues that hold no start of the body.
pub(super) fn without_idle_waits(statements: &mut Vec<Extracted>) {
    let mut queues = BTreeSet::new();
    started(statements, &mut queues);
    retain(statements, &|statement| !matches!(statement, Extracted::Wait(wait) if !queues.contains(wait.queue)));
}

/// Adds the queues of the starts among statements.
fn started(statements: &[Extracted], queues: &mut BTreeSet<&'static str>) {
    for statement in statements {
        match statement {
            Extracted::Loop(repeated) => started(&repeated.body, queues),
            Extracted::Sides(sides) => sides.iter().for_each(|side| started(side, queues)),
            statement => queues.extend(statement.queue()),
        }
    }
}

/// Leaves out statements, in loops and branches too.
fn retain(statements: &mut Vec<Extracted>, keeps: &impl Fn(&Extracted) -> bool) {
    statements.retain(keeps);
    for statement in statements {
        match statement {
            Extracted::Loop(repeated) => retain(&mut repeated.body, keeps),
            Extracted::Sides(sides) => sides.iter_mut().for_each(|side| retain(side, keeps)),
            _ => {}
        }
    }
}
