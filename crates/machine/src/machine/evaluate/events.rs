//! The order of waking warps: a tournament between warps.

use super::state::NEVER;

/// The wake of each warp, in a tree whose nodes hold the earlier of their two children; the leaves are the warps.
///
/// A change costs one comparison a level. With 64 warps that is a third of the cost of a binary heap, and with few
/// warps it costs at most as much as a linear search.
pub(super) struct Events<K> {
    /// The root is node 1; the children of node n are 2n and 2n + 1.
    nodes: Vec<K>,
    leaves: usize,
}

/// A wake with the warp's number in its lowest bits, so that keys compare as (wake, warp).
pub(super) trait Key: Copy + Ord {
    /// The key later than all others: the warp does not wake, or the leaf has no warp.
    const NEVER: Self;

    /// The key of a warp that goes on at `wake`; `bits` is the width of the warp's number.
    fn new(wake: u64, warp: usize, bits: u32) -> Self;

    /// The lowest bits of the key.
    fn low(self) -> usize;
}

impl Key for u64 {
    const NEVER: Self = Self::MAX;

    fn new(wake: u64, warp: usize, bits: u32) -> Self {
        wake << bits | warp as Self
    }

    #[expect(clippy::cast_possible_truncation, reason = "only the lowest bits are wanted")]
    fn low(self) -> usize {
        self as usize
    }
}

impl Key for u128 {
    const NEVER: Self = Self::MAX;

    fn new(wake: u64, warp: usize, bits: u32) -> Self {
        Self::from(wake) << bits | warp as Self
    }

    fn low(self) -> usize {
        self as usize
    }
}

/// Returns true if 64-bit keys can hold the wakes of `warps` warps, none later than `end`, and stay below
/// [`Key::NEVER`].
pub(super) fn narrow(warps: usize, end: u128) -> bool {
    end + 1 < 1 << (u64::BITS - bits(warps))
}

fn bits(warps: usize) -> u32 {
    warps.next_power_of_two().trailing_zeros()
}

impl<K: Key> Events<K> {
    pub(super) fn new(wakes: &[u64]) -> Self {
        let leaves = wakes.len().next_power_of_two();
        let mut events = Self { nodes: vec![K::NEVER; 2 * leaves], leaves };
        events.set_all(wakes);
        events
    }

    /// The lowest of the warps that go on first; `None` if no warp goes on.
    pub(super) fn first(&self) -> Option<usize> {
        let first = self.nodes[1];
        (first != K::NEVER).then_some(first.low() & (self.leaves - 1))
    }

    pub(super) fn set_all(&mut self, wakes: &[u64]) {
        for (warp, &wake) in wakes.iter().enumerate() {
            self.set(warp, wake);
        }
    }

    pub(super) fn set(&mut self, warp: usize, wake: u64) {
        let mut earliest = if wake == NEVER { K::NEVER } else { K::new(wake, warp, self.leaves.trailing_zeros()) };
        let mut node = self.leaves + warp;
        self.nodes[node] = earliest;
        while node > 1 {
            earliest = earliest.min(self.nodes[node ^ 1]);
            node /= 2;
            self.nodes[node] = earliest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order<K: Key>(wakes: &[u64]) -> Vec<usize> {
        let mut events = Events::<K>::new(wakes);
        std::iter::from_fn(|| {
            let warp = events.first()?;
            events.set(warp, NEVER);
            Some(warp)
        })
        .collect()
    }

    #[test]
    fn warps_go_on_by_time_and_then_by_number() {
        let wakes = [7, 3, NEVER, 3, 0, 7, 3];
        assert_eq!(order::<u64>(&wakes), [4, 1, 3, 6, 0, 5]);
        assert_eq!(order::<u128>(&wakes), [4, 1, 3, 6, 0, 5]);
    }

    #[test]
    fn wide_keys_hold_what_narrow_ones_cannot() {
        let end = (1 << 62) - 2;
        assert!(narrow(4, end.into()) && !narrow(4, u128::from(end) + 1));
        assert_eq!(order::<u64>(&[end, 1, end, end]), [1, 0, 2, 3]);
        assert_eq!(order::<u128>(&[end + 9, end + 8, 1, end + 8]), [2, 1, 3, 0]);
    }
}
