//! Straight runs whose statements keep their order: those with copies, waits and matrix instructions.

use super::work::Work;
use autotune_base::text::Place;
use autotune_machine::machine::Queue;

/// Neighbouring statements of one kind, or a wait.
#[derive(Debug, Clone)]
pub(in crate::lowering) struct Run {
    pub(in crate::lowering) kind: RunKind,
    /// The sum of the statements; empty for a wait.
    pub(in crate::lowering) work: Work,
}

/// The kind of a statement, and the queue in which it starts something; `None` if a warp waits where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lowering) enum RunKind {
    /// Instructions without memory.
    Compute,
    /// Accesses to local memory.
    Local(Option<Queue>),
    /// Stores to local memory, which nobody waits for.
    LocalStore,
    /// Loads from global memory.
    Load(Option<Queue>),
    /// Stores to global memory, and registers that spill.
    Store,
    /// Copies from global to local memory.
    Copy(Queue),
    /// Instructions of the matrix units.
    Matrix(Option<Queue>),
    /// A wait until all starts of the queue but the last `pending` are done.
    Wait { queue: Queue, pending: u64 },
}

impl RunKind {
    /// The queue in which such a statement starts something; `None` if it starts nothing.
    pub(in crate::lowering) fn queue(self) -> Option<Queue> {
        match self {
            Self::Compute | Self::LocalStore | Self::Store | Self::Wait { .. } => None,
            Self::Local(queue) | Self::Load(queue) | Self::Matrix(queue) => queue,
            Self::Copy(queue) => Some(queue),
        }
    }

    /// True if the order of such a statement among its neighbours matters.
    pub(in crate::lowering) fn is_ordered(self) -> bool {
        match self {
            Self::Compute | Self::LocalStore | Self::Store => false,
            Self::Local(queue) | Self::Load(queue) => queue.is_some(),
            Self::Copy(_) | Self::Matrix(_) | Self::Wait { .. } => true,
        }
    }
}

impl Run {
    /// A run of one statement.
    pub(in crate::lowering) fn new(kind: RunKind, work: Work) -> Self {
        Self { kind, work }
    }

    /// A wait.
    pub(in crate::lowering) fn wait(place: Place, queue: Queue, pending: u64) -> Self {
        Self::new(RunKind::Wait { queue, pending }, Work::at(place))
    }
}

/// Adds a statement to a straight run; it joins a neighbour of its kind, server and queue.
pub(in crate::lowering) fn push(runs: &mut Vec<Run>, run: Run) {
    match runs.last_mut() {
        Some(last) if last.kind == run.kind => last.work += &run.work,
        _ => runs.push(run),
    }
}

/// Adds the runs of another body. Starts of different bodies stay different starts.
pub(in crate::lowering) fn append(runs: &mut Vec<Run>, more: Vec<Run>) {
    for run in more {
        if run.kind.queue().is_some() {
            runs.push(run);
        } else {
            push(runs, run);
        }
    }
}

/// True if one of the statements must keep its place.
pub(in crate::lowering) fn are_ordered(runs: &[Run]) -> bool {
    runs.iter().any(|run| run.kind.is_ordered())
}

/// The sum of runs.
pub(in crate::lowering) fn sum(runs: Vec<Run>) -> Work {
    let mut works = runs.into_iter().map(|run| run.work);
    let mut sum = works.next().unwrap_or_default();
    works.for_each(|work| sum += &work);
    sum
}
