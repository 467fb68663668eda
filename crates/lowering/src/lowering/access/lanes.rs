//! The lanes of a work group that access memory in equal steps: passes of local memory and of L1, and sectors of L2.

use num_integer::gcd;

use super::begins::{Begins, Place};
use super::warp::{self, LINE, MemoryBanks, SECTOR, WORD, instructions};

/// The number of warps that are counted to represent a whole group.
const SAMPLE: u64 = 16;

/// The bytes that the lanes of a work group access: the first `items` in lane order, `width` bytes each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LaneBytes {
    /// Work items along x, y, z.
    pub dims: [u64; 3],
    /// Bytes between neighbours along x, y, z.
    pub(crate) strides: [u64; 3],
    pub(crate) width: u64,
    /// The number of work items.
    pub items: u64,
    /// The places where the data begin; `None` if no subscripts say them.
    pub(crate) begins: Option<Begins>,
}

/// A count over the first warps of a group, summed over `warps` warps and `starts` first addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    pub(crate) sum: u64,
    /// The number of counted warps.
    pub warps: u64,
    /// The number of places in a line where the data may start, each as often as it occurs.
    pub(crate) starts: u64,
}

impl LaneBytes {
    /// Instructions of one access.
    #[must_use]
    pub fn instructions(&self) -> u64 {
        instructions(self.width)
    }

    /// The lanes as if neighbours in lane order accessed neighbouring bytes, with the same possible first addresses.
    pub(in crate::lowering) fn side_by_side(&self) -> Self {
        let [_, y, z] = self.strides;
        let begins = self.begins.map(Begins::rising);
        Self { dims: [self.dims.iter().product(), 1, 1], strides: [self.width, y, z], begins, ..*self }
    }

    fn address(&self, lane: u64) -> i64 {
        let [x, y, _] = self.dims;
        let along = [lane % x, lane / x % y, lane / x / y];
        let falls = self.begins.map_or([false; 3], |begins| begins.falls);
        let steps = along.iter().zip(&self.strides).map(|(id, stride)| (id * stride).cast_signed());
        steps.zip(falls).map(|(step, falls)| if falls { -step } else { step }).sum()
    }

    /// The addresses of lanes.
    fn addresses(&self, lanes: std::ops::Range<u64>) -> Vec<i64> {
        lanes.map(|lane| self.address(lane)).collect()
    }

    /// The counted warps as ranges of lanes.
    fn warps(&self, warp_size: u64) -> impl Iterator<Item = std::ops::Range<u64>> {
        let warps = self.items.div_ceil(warp_size).min(SAMPLE);
        (0..warps).map(move |warp| warp * warp_size..((warp + 1) * warp_size).min(self.items))
    }

    /// A count over the addresses of the counted warps; the data has one place to start.
    fn count(&self, warp_size: u64, of_warp: impl Fn(&[i64]) -> u64) -> Count {
        let warps = self.warps(warp_size).map(|warp| of_warp(&self.addresses(warp)));
        warps.fold(Count { sum: 0, warps: 0, starts: 1 }, |count, of_warp| Count {
            sum: count.sum + of_warp,
            warps: count.warps + 1,
            ..count
        })
    }

    /// A count over the addresses of the counted warps, summed over the places in a line where the data may start.
    fn count_from(&self, line: u64, warp_size: u64, of_warp: impl Fn(&[i64], i64) -> u64) -> Count {
        let starts = self.starts(line);
        let sum = |warp: &[i64]| starts.iter().map(|Place { start, times }| times * of_warp(warp, *start)).sum();
        let count = self.count(warp_size, sum);
        Count { starts: starts.iter().map(|start| start.times).sum(), ..count }
    }

    /// Passes of local memory of one instruction.
    pub(crate) fn local_passes(&self, warp_size: u64, banks: MemoryBanks) -> Count {
        self.count(warp_size, |warp| banks.local_passes(warp, self.width, warp_size))
    }

    /// Sub-groups of the warps: the passes of one instruction without a bank conflict.
    pub(crate) fn sub_groups(&self, warp_size: u64, banks: MemoryBanks) -> Count {
        self.count(warp_size, |warp| banks.sub_groups(warp.len() as u64, self.width, warp_size))
    }

    /// Passes of L1 of one instruction: one for each different line that a sub-group touches.
    pub(crate) fn l1_passes(&self, warp_size: u64, line: u64) -> Count {
        self.count_from(line, warp_size, |warp, start| warp::l1_passes(warp, self.width, line, start))
    }

    /// Different sectors that each warp asks for, summed over the warps.
    pub(crate) fn sectors_of_warps(&self, warp_size: u64) -> Count {
        self.count_from(SECTOR, warp_size, |warp, start| warp::different(warp, self.width, SECTOR, start))
    }

    /// Different words that each warp asks for, summed over the warps.
    pub(crate) fn words_of_warps(&self, warp_size: u64) -> Count {
        self.count(warp_size, |warp| warp::different(warp, self.width, WORD, 0))
    }

    /// Sectors that each warp's access covers in part, summed over the warps.
    pub(crate) fn sectors_in_part(&self, warp_size: u64) -> Count {
        self.count_from(SECTOR, warp_size, |warp, start| warp::covered_in_part(warp, self.width, SECTOR, start))
    }

    /// Sectors that each warp's access touches alone in their line of L2, summed over the warps.
    pub(crate) fn lone_sectors(&self, warp_size: u64) -> Count {
        self.count_from(LINE, warp_size, |warp, start| warp::lone_sectors(warp, self.width, start))
    }

    /// Different sectors that the group asks for.
    pub(in crate::lowering) fn sectors_of_group(&self) -> Count {
        let (starts, group) = (self.starts(SECTOR), self.addresses(0..self.items));
        let different = |start| warp::different(&group, self.width, SECTOR, start);
        let sum = starts.iter().map(|Place { start, times }| times * different(*start)).sum();
        Count { sum, warps: 1, starts: starts.iter().map(|start| start.times).sum() }
    }

    /// Bytes between the places in a line where rows may start: a divisor of the line.
    pub(in crate::lowering) fn start_step(&self, line: u64) -> u64 {
        self.strides[1..].iter().fold(line, |step, stride| gcd(step, *stride))
    }

    /// The places in a line where the data may start: those that the subscripts allow, or without subscripts the multiples
    /// that the pitches of the rows allow.
    fn starts(&self, line: u64) -> Vec<Place> {
        self.begins.and_then(|begins| begins.places(line)).unwrap_or_else(|| {
            let step = self.start_step(line);
            (0..line / step).map(|start| Place { start: (start * step).cast_signed(), times: 1 }).collect()
        })
    }
}
