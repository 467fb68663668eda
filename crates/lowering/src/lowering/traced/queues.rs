//! The queues of a trace: what goes on while a warp does, and the starts that values need.

use autotune_kernel::source::Asynchronous;
use autotune_machine::machine::Queue;

/// The queue of copies.
const COPIES: Queue = Queue::A;
/// The queue of loads from local memory.
pub(super) const LOCAL: Queue = Queue::B;
/// The queue of loads from global memory.
pub(super) const GLOBAL: Queue = Queue::C;
/// The queue of products of four warps.
const PRODUCTS: Queue = Queue::D;

/// The last start of each queue that a value needs, by its number there; 0 if it needs none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Needs(pub(super) [u64; Queue::ALL.len()]);

impl Needs {
    pub(super) fn of(queue: Queue, number: u64) -> Self {
        let mut needs = Self::default();
        needs.0[queue as usize] = number;
        needs
    }

    /// The needs of two values together.
    pub(super) fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|queue| self.0[queue].max(other.0[queue])))
    }

    pub(super) fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// The queue of tiles.
const TILES: Queue = Queue::E;

/// The queue of what goes on while a warp does.
pub(super) fn queue_of(what: Asynchronous) -> Queue {
    match what {
        Asynchronous::Copies => COPIES,
        Asynchronous::Products => PRODUCTS,
        Asynchronous::Tiles => TILES,
    }
}

/// The name of a queue in a body.
pub(super) fn queue_name(queue: Queue) -> &'static str {
    match queue {
        COPIES => "copies",
        LOCAL => "local",
        PRODUCTS => "products",
        TILES => "tiles",
        _ => "global",
    }
}
