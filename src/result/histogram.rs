//! The spread of a space's times.

/// Configurations counted by their times. Only times that are proved or evaluated count; a lower bound is not a time. It is
/// shown only; no JSON holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistogramReport {
    /// The least time, in ticks.
    pub best: u64,
    /// Consecutive ranges from the least time on. Each is longer than the one before by the same factor.
    pub bins: Vec<BinReport>,
    /// The number of ranges in a factor of 2.
    pub per_doubling: u32,
    /// The number of configurations that can run and have no time here.
    pub without_time: usize,
}

/// The configurations of one range of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BinReport {
    /// The least time of the range, in ticks.
    pub from: u64,
    /// The least time beyond the range, in ticks.
    pub to: u64,
    /// The numbers of configurations within 1 % of the least time, beyond that within 2 %, and slower.
    pub counts: [usize; 3],
}

impl HistogramReport {
    /// The number of configurations that are counted.
    #[must_use]
    pub fn counted(&self) -> usize {
        self.counts().iter().sum()
    }

    /// The numbers of configurations within 1 % of the least time, beyond that within 2 %, and slower.
    #[must_use]
    pub fn counts(&self) -> [usize; 3] {
        self.bins.iter().fold([0; 3], |sums, bin| [0, 1, 2].map(|class| sums[class] + bin.counts[class]))
    }
}
