//! The blocks where work items stand.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::ir::BlockId;
use super::super::value::Mask;

/// The block that work items come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Origin {
    /// The start of the kernel.
    Entry,
    /// A block.
    Block(BlockId),
    /// One of these blocks; data decides which.
    Either(Arc<[BlockId]>),
}

/// Work items that come from one block.
pub(super) type Arrival = (Origin, Mask);

/// The work items by the position of their block.
#[derive(Debug, Default)]
pub(super) struct Fronts(BTreeMap<usize, Vec<Arrival>>);

impl Fronts {
    pub(super) fn add(&mut self, position: usize, origin: Origin, items: Mask) {
        if items.is_clear() {
            return;
        }
        let arrivals = self.0.entry(position).or_default();
        match arrivals.iter_mut().find(|(known, _)| *known == origin) {
            Some((_, known)) => known.union_with(&items),
            None => arrivals.push((origin, items)),
        }
    }

    /// The lowest position but `stop`; `None` if there is none.
    pub(super) fn lowest(&self, stop: usize) -> Option<usize> {
        self.0.keys().copied().find(|position| *position != stop)
    }

    pub(super) fn take(&mut self, position: usize) -> Vec<Arrival> {
        self.0.remove(&position).unwrap_or_default()
    }

    /// The positions with their work items.
    pub(super) fn all(&self) -> impl Iterator<Item = (usize, &Vec<Arrival>)> {
        self.0.iter().map(|(position, arrivals)| (*position, arrivals))
    }
}
