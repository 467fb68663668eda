//! Counts of lane patterns. Each is computed once; configurations share them.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{PoisonError, RwLock};

use super::footprint::{Accesses, Starts};
use super::lanes::{Count, LaneBytes};
use super::warp::MemoryBanks;
use crate::lowering::exact::Exact;

/// The most entries that are kept; further patterns are counted anew each time.
const MOST: usize = 1 << 18;

/// The most footprints that are kept; further ones are counted anew each time.
const MOST_FOOTPRINTS: usize = 1 << 16;

/// The counts of one GPU's lane patterns. Threads may share them.
#[derive(Debug)]
pub(in crate::lowering) struct Patterns {
    warp_size: u64,
    banks: MemoryBanks,
    line: u64,
    known: RwLock<HashMap<(What, LaneBytes), Exact>>,
    footprints: RwLock<HashMap<Footprint, Option<u128>>>,
}

/// Accesses, the unit of their memory, and the places in it where the data may begin.
type Footprint = (Accesses, u64, Starts);

/// The kind of a count over all warps of the group that take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::lowering) enum What {
    /// Passes of local memory of one instruction.
    LocalPasses,
    /// Passes of local memory of one instruction without bank conflicts.
    SubGroups,
    /// Passes of L1 of one instruction.
    L1Passes,
    /// Sectors that the warps ask for, summed over the warps.
    SectorsOfWarps,
    /// Words that the warps ask for, summed over the warps.
    WordsOfWarps,
    /// Sectors that the warps' accesses cover in part, summed over the warps.
    SectorsInPart,
    /// Sectors that the warps' accesses touch alone in their line of L2, summed over the warps.
    LoneSectors,
    /// Different sectors that the group asks for.
    SectorsOfGroup,
}

impl Patterns {
    pub(in crate::lowering) fn new(warp_size: u64, banks: MemoryBanks, line: u64) -> Self {
        Self { warp_size, banks, line, known: RwLock::default(), footprints: RwLock::default() }
    }

    /// The sum over the group's warps, as the mean over the places where the data may start.
    pub(in crate::lowering) fn sum(&self, what: What, lanes: &LaneBytes) -> Exact {
        remembered(&self.known, MOST, (what, *lanes), |_| self.count(what, lanes))
    }

    /// The number of different units of `unit` bytes that accesses touch, summed over the starts; `None` if it is not
    /// known.
    pub(in crate::lowering) fn units(&self, accesses: Accesses, unit: u64, starts: Starts) -> Option<u128> {
        let count = |(accesses, unit, starts): &Footprint| accesses.units(*unit, *starts);
        remembered(&self.footprints, MOST_FOOTPRINTS, (accesses, unit, starts), count)
    }

    fn count(&self, what: What, lanes: &LaneBytes) -> Exact {
        let Count { sum, warps, starts } = match what {
            What::LocalPasses => lanes.local_passes(self.warp_size, self.banks),
            What::SubGroups => lanes.sub_groups(self.warp_size, self.banks),
            What::L1Passes => lanes.l1_passes(self.warp_size, self.line),
            What::SectorsOfWarps => lanes.sectors_of_warps(self.warp_size),
            What::WordsOfWarps => lanes.words_of_warps(self.warp_size),
            What::SectorsInPart => lanes.sectors_in_part(self.warp_size),
            What::LoneSectors => lanes.lone_sectors(self.warp_size),
            What::SectorsOfGroup => {
                return {
                    let Count { sum, starts, .. } = lanes.sectors_of_group();
                    Exact::ratio(sum, starts)
                };
            }
        };
        Exact::ratio(sum, warps) * Exact::ratio(lanes.items.div_ceil(self.warp_size), starts)
    }
}

/// The count of a key, computed unless it is known. At most `most` counts are kept.
fn remembered<K: Eq + Hash, V: Copy>(
    known: &RwLock<HashMap<K, V>>,
    most: usize,
    key: K,
    count: impl FnOnce(&K) -> V,
) -> V {
    // A poisoned lock still guards whole entries: nothing here panics between two writes.
    let read = known.read().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
    read.unwrap_or_else(|| {
        let count = count(&key);
        let mut known = known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() < most {
            known.insert(key, count);
        }
        count
    })
}
