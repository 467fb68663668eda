//! The parts that a warp executes of a kernel's source on a lockstep GPU, in the order of the source's text.
//!
//! The program has only the sums between barriers. The max-plus models need to know which of the ticks belong to
//! global memory, and which loads do not wait for each other.

use serde::{Deserialize, Serialize};

/// The most parts of a phase that keep their order; a longer phase has the sums alone.
const MOST: usize = 1 << 10;

/// A part of what a warp executes, which follows the part before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExecutedPart {
    /// Loads of global memory that do not need each other's results.
    Loads {
        /// The number of loads, these included, that wait for each other since the last barrier or loop.
        level: u32,
        /// The loads.
        accesses: Vec<GlobalAccess>,
    },
    /// Stores to global memory, and atomic operations on it.
    Store(GlobalAccess),
    /// Operations that are neither accesses to global memory nor barriers.
    Operation {
        /// The operations' name.
        name: String,
        /// Their ticks.
        ticks: u64,
    },
    /// A barrier.
    Barrier,
    /// The body is executed `count` times.
    Loop {
        /// The number of iterations.
        count: u64,
        /// The parts of one iteration.
        body: Vec<ExecutedPart>,
    },
}

/// Accesses of a line to an array in global memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GlobalAccess {
    /// The array's name; empty if it depends on data.
    pub name: String,
    /// The number of accesses.
    pub accesses: u64,
    /// The ticks of one access.
    pub ticks: u64,
}

impl GlobalAccess {
    /// Adds the number of an access that continues this one; false if it does not.
    fn join(&mut self, next: &Self) -> bool {
        let joins = self.name == next.name && self.ticks == next.ticks;
        self.accesses = self.accesses.saturating_add(if joins { next.accesses } else { 0 });
        joins
    }
}

/// Appends a part to those of a phase. A load joins the loads before it if it does not wait for them; the operations
/// between them follow the loads.
pub(super) fn push(parts: &mut Vec<ExecutedPart>, part: ExecutedPart) {
    match (parts.as_mut_slice(), part) {
        (
            [.., ExecutedPart::Loads { level, accesses }]
            | [.., ExecutedPart::Loads { level, accesses }, ExecutedPart::Operation { .. }],
            ExecutedPart::Loads { level: next, accesses: more },
        ) if *level == next => {
            for access in more {
                if !accesses.iter_mut().any(|known| known.join(&access)) {
                    accesses.push(access);
                }
            }
        }
        ([.., ExecutedPart::Store(store)], ExecutedPart::Store(next)) => {
            if !store.join(&next) {
                parts.push(ExecutedPart::Store(next));
            }
        }
        ([.., ExecutedPart::Operation { name, ticks }], ExecutedPart::Operation { name: next, ticks: more })
            if *name == next =>
        {
            *ticks = ticks.saturating_add(more);
        }
        (_, part) => parts.push(part),
    }
    if parts.len() > MOST {
        *parts = Sums::new(parts).parts();
    }
}

/// The parts, `times` times.
pub(super) fn repeated(times: u64, body: Vec<ExecutedPart>) -> Vec<ExecutedPart> {
    match body.as_slice() {
        [ExecutedPart::Operation { name, ticks }] => {
            vec![ExecutedPart::Operation { name: name.clone(), ticks: ticks.saturating_mul(times) }]
        }
        [] => body,
        _ if times == 1 => body,
        _ => vec![ExecutedPart::Loop { count: times, body }],
    }
}

/// The parts with `scaled` ticks.
pub(super) fn scaled(parts: &mut [ExecutedPart], scale: &impl Fn(u64) -> u64) {
    for part in parts {
        match part {
            ExecutedPart::Loads { accesses, .. } => accesses.iter_mut().for_each(|load| load.ticks = scale(load.ticks)),
            ExecutedPart::Store(store) => store.ticks = scale(store.ticks),
            ExecutedPart::Operation { ticks, .. } => *ticks = scale(*ticks),
            ExecutedPart::Barrier => {}
            ExecutedPart::Loop { body, .. } => scaled(body, scale),
        }
    }
}

/// The sums of a phase: the waits for its loads, its operations and its stores.
#[derive(Default)]
struct Sums {
    loads: [u64; 2],
    operations: u64,
    stores: u64,
}

impl Sums {
    fn new(parts: &[ExecutedPart]) -> Self {
        let mut sums = Self::default();
        sums.add(parts, 1);
        sums
    }

    fn add(&mut self, parts: &[ExecutedPart], times: u64) {
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more.saturating_mul(times));
        for part in parts {
            match part {
                ExecutedPart::Loads { accesses, .. } => {
                    add(&mut self.loads[0], accesses.iter().map(|load| load.accesses).sum());
                    add(&mut self.loads[1], accesses.iter().map(|load| load.ticks).max().unwrap_or(0));
                }
                ExecutedPart::Store(store) => add(&mut self.stores, store.ticks.saturating_mul(store.accesses)),
                ExecutedPart::Operation { ticks, .. } => add(&mut self.operations, *ticks),
                ExecutedPart::Barrier => {}
                ExecutedPart::Loop { count, body } => self.add(body, times.saturating_mul(*count)),
            }
        }
    }

    fn parts(self) -> Vec<ExecutedPart> {
        let access = |accesses, ticks| GlobalAccess { name: String::new(), accesses, ticks };
        let Self { loads, operations, stores } = self;
        vec![
            // One load of all the ticks: the times of the models stay.
            ExecutedPart::Loads { level: 0, accesses: vec![access(loads[0], loads[1])] },
            ExecutedPart::Operation { name: "compute".to_owned(), ticks: operations },
            ExecutedPart::Store(access(1, stores)),
        ]
    }
}
