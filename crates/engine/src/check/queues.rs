//! Queues that something is started in and that nothing waits for.

use super::finding::CheckFinding;
use super::matter::Matter;
use autotune_lowering::spec::{QueueName, Spec, Statement};

/// A finding for each queue that no statement waits for, at the first statement that starts something in the queue.
pub(super) fn unawaited(spec: &Spec) -> Vec<CheckFinding> {
    let waits_for = |name: &QueueName| {
        Statement::all(&spec.body).any(|one| matches!(one, Statement::Wait(wait) if wait.queue == *name))
    };
    let mut seen: Vec<&QueueName> = Vec::new();
    let mut found = Vec::new();
    for statement in Statement::all(&spec.body) {
        let Some(name) = statement.starts_in().filter(|name| !seen.contains(name)) else { continue };
        seen.push(name);
        if !waits_for(name) {
            let matter = Matter::NobodyWaits(name.name.clone());
            found.push(CheckFinding::in_text(matter, &spec.source, statement.place()));
        }
    }
    found
}
