//! Who has touched each piece of an array.

use std::collections::HashMap;

/// The number of an event and a work item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Touch {
    pub(super) event: u32,
    pub(super) lane: u32,
}

/// Up to two work items that have touched a piece, of different warps.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Touched([Option<Touch>; 2]);

impl Touched {
    /// The work items.
    pub(super) fn all(&self) -> impl Iterator<Item = Touch> {
        self.0.into_iter().flatten()
    }

    /// Adds a work item, unless one of its warp is there.
    pub(super) fn add(&mut self, touch: Touch, warp: u32) {
        match self.0 {
            [None, _] => self.0[0] = Some(touch),
            [Some(first), None] if first.lane / warp != touch.lane / warp => self.0[1] = Some(touch),
            _ => {}
        }
    }
}

/// A piece of an array.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cell {
    pub(super) stores: Touched,
    pub(super) atomics: Touched,
}

/// The pieces of an array, by their number.
pub(super) enum Cells {
    /// Cells of a small array.
    Dense(Vec<Cell>),
    /// Cells of an array that may be large.
    Sparse(HashMap<i64, Cell>),
}

impl Cells {
    /// The pieces of an array of this many; `None` if it is not known how many there are.
    pub(super) fn new(pieces: Option<usize>) -> Self {
        pieces.map_or_else(|| Self::Sparse(HashMap::new()), |pieces| Self::Dense(vec![Cell::default(); pieces]))
    }

    /// A piece; `None` if the array does not have it.
    pub(super) fn get(&self, piece: i64) -> Option<&Cell> {
        match self {
            Self::Dense(all) => all.get(usize::try_from(piece).ok()?),
            Self::Sparse(all) => all.get(&piece),
        }
    }

    /// A piece to be changed; `None` if the array does not have it.
    pub(super) fn change(&mut self, piece: i64) -> Option<&mut Cell> {
        match self {
            Self::Dense(all) => all.get_mut(usize::try_from(piece).ok()?),
            Self::Sparse(all) => Some(all.entry(piece).or_default()),
        }
    }
}
