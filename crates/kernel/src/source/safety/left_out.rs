//! The pairs of accesses of two groups that limits of the search left out.

use std::collections::BTreeSet;

use super::collected::GlobalEvent;

/// An instruction: its block, and its position there.
type Position = (usize, usize);

/// The pairs of instructions that were not compared in all groups.
#[derive(Debug, Default)]
pub(super) struct LeftOut(BTreeSet<[Position; 2]>);

impl LeftOut {
    /// Leaves out two accesses.
    pub(super) fn add(&mut self, one: &GlobalEvent<'_>, two: &GlobalEvent<'_>) {
        let mut pair = [position(one), position(two)];
        pair.sort_unstable();
        self.0.insert(pair);
    }

    /// Leaves out all pairs of two lists of accesses that may race.
    pub(super) fn add_all(&mut self, ones: &[GlobalEvent<'_>], others: &[GlobalEvent<'_>]) {
        let positions = |events: &[GlobalEvent<'_>], stores: bool| -> BTreeSet<Position> {
            events.iter().filter(|one| !stores || one.event.changes()).map(position).collect()
        };
        let others = positions(others, false);
        for one in positions(ones, true) {
            for two in &others {
                let mut pair = [one, *two];
                pair.sort_unstable();
                self.0.insert(pair);
            }
        }
    }

    /// The number of pairs of which nothing is known.
    pub(super) fn number(&self, is_known: impl Fn([Position; 2]) -> bool) -> u64 {
        self.0.iter().filter(|pair| !is_known(**pair)).count() as u64
    }
}

fn position(of: &GlobalEvent<'_>) -> Position {
    (of.event.run.block.index(), of.event.instruction)
}
