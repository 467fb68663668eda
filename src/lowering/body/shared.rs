//! The blocks of a body's statements, which configurations share. A configuration that differs from an earlier one only in
//! parameters that a statement does not use has the blocks of this statement from there.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use smallvec::SmallVec;

use crate::lowering::launch::{Geometry, Launched};
use crate::lowering::phases::block::Block;
use crate::spec::{Slot, Spec, Statement};

/// The most blocks that are kept; then all are given up, since neighbours in the space share most.
const MOST: usize = 1 << 14;

/// All that the blocks of a statement depend on: its position in the body, the launch, the values that it uses.
type Key = SmallVec<[i64; 24]>;

/// The blocks of the statements of one spec on one GPU. Threads may share them.
#[derive(Debug)]
pub(in crate::lowering) struct SharedBlocks {
    /// The slots that each statement of the body uses; `None` if no two configurations have its blocks in common.
    used: Vec<Option<Vec<Slot>>>,
    known: RwLock<HashMap<Key, Arc<[Block]>>>,
}

/// The blocks of one statement of a configuration.
#[derive(Debug)]
pub(in crate::lowering) enum Shared {
    /// Blocks of this configuration alone.
    No,
    /// Blocks that the next configuration may want.
    Open(Key),
    /// Blocks that are known; the statement passed the audit.
    Known(Arc<[Block]>),
}

impl SharedBlocks {
    pub(in crate::lowering) fn new(spec: &Spec) -> Self {
        // Statements that keep their order join their neighbours in other ways.
        let is_ordered = Statement::all(&spec.body).any(Statement::keeps_order);
        let is_shared = |statement: &&Statement| {
            !is_ordered && !matches!(statement, Statement::Barrier(_)) && !statement.depends_on_all(spec)
        };
        let used = |statement| Some(statement).filter(is_shared).map(|statement| statement.slots(spec));
        Self { used: spec.body.iter().map(used).collect(), known: RwLock::default() }
    }

    /// The blocks of each statement of a configuration, in the order of the body.
    pub(in crate::lowering) fn of(&self, launched: &Launched) -> Vec<Shared> {
        if self.used.iter().all(Option::is_none) || !launched.scope.rounded.is_empty() {
            return Vec::new();
        }
        // A poisoned lock still guards whole entries: nothing here panics between two writes.
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let shared = |(position, used): (usize, &Option<Vec<Slot>>)| {
            let Some(used) = used else { return Shared::No };
            let key = key(position, used, launched);
            known.get(&key).map_or(Shared::Open(key), |blocks| Shared::Known(Arc::clone(blocks)))
        };
        self.used.iter().enumerate().map(shared).collect()
    }

    /// Keeps the blocks of a statement that passed the audit.
    pub(in crate::lowering) fn keep(&self, key: Key, blocks: &[Block]) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, blocks.into());
    }
}

fn key(position: usize, used: &[Slot], launched: &Launched) -> Key {
    let Launched { scope, geometry, concurrent, .. } = launched;
    let Geometry { dims, grid, rest, times, .. } = geometry;
    let launch = [dims, grid, rest].into_iter().flatten().chain([times, concurrent]);
    // Equal numbers of 64 bits have equal signed ones.
    let launch = launch.map(|number| number.cast_signed());
    let position = i64::try_from(position).unwrap_or(i64::MAX);
    [position].into_iter().chain(launch).chain(used.iter().map(|slot| scope.values[*slot])).collect()
}
