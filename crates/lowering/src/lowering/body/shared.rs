//! The blocks of a body's statements, which configurations share. A configuration that differs from an earlier one only in
//! parameters that a statement does not use has the blocks of this statement from there.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use smallvec::SmallVec;

use crate::lowering::launch::{Geometry, Launched};
use crate::lowering::phases::block::Block;
use crate::spec::{Scope, Slot, Spec, Statement};

/// The most blocks that are kept; then all are given up, since neighbours in the space share most.
const MOST: usize = 1 << 14;

/// All that the blocks of a statement depend on: the launch, its position in the body, the values that it uses.
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
        let launch = of_launch(launched);
        let shared = |(position, used): (usize, &Option<Vec<Slot>>)| {
            let Some(used) = used else { return Shared::No };
            let key = key(position, used, &launch, &launched.scope);
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

/// The beginning of the keys of all statements of a configuration.
fn of_launch(launched: &Launched) -> Key {
    let Launched { geometry: Geometry { dims, grid, rest, times, .. }, concurrent, .. } = launched;
    let mut key = Key::new();
    for sizes in [dims.as_slice(), grid, rest, &[*times, *concurrent]] {
        // Different numbers of 64 bits are different with a sign, too.
        key.extend(sizes.iter().map(|size| size.cast_signed()));
    }
    key
}

fn key(position: usize, used: &[Slot], launch: &[i64], scope: &Scope) -> Key {
    let mut key = Key::from_slice(launch);
    key.push(i64::try_from(position).unwrap_or(i64::MAX));
    for slot in used {
        key.push(scope.values[*slot]);
    }
    key
}
