//! The distribution of a space's times.

use crate::ticks::Ticks;

/// The configurations of a space by their times. Only proved and evaluated times count; a lower bound does not. The
/// histogram is shown only and never written as JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistogramReport {
    /// The proved optimum's time in ticks, or without a proof the least known time.
    pub best: Ticks,
    /// Consecutive ranges of times from `best` on. Range k, counted from 0, begins at `best` * 2^(k / `per_doubling`)
    /// ticks, rounded up.
    pub bins: Vec<BinReport>,
    /// The number of ranges in a factor of 2, a power of 2 from 1 to 1,024.
    pub per_doubling: u32,
    /// The number of configurations that can run and whose time is not known.
    pub without_time: usize,
}

/// The configurations of one range of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BinReport {
    /// The least time of the range, in ticks; part of the range.
    pub from: Ticks,
    /// The least time beyond the range, in ticks; not part of the range.
    pub to: Ticks,
    /// The numbers of configurations within 1 % of `best`, above 1 % and within 2 %, and slower.
    pub counts: [usize; 3],
}

impl HistogramReport {
    /// The number of configurations in all ranges.
    #[must_use]
    pub fn counted(&self) -> usize {
        self.counts().iter().sum()
    }

    /// The sums over all ranges of the numbers of configurations within 1 % of `best`, above 1 % and within 2 %, and
    /// slower.
    #[must_use]
    pub fn counts(&self) -> [usize; 3] {
        self.bins.iter().fold([0; 3], |sums, bin| [0, 1, 2].map(|class| sums[class] + bin.counts[class]))
    }
}
