//! The distribution of a space's times: the number of configurations in each range of times, and of near ties with the
//! best.

use num_traits::ToPrimitive;

use super::landscape::{KnownTime, LandscapePoint};
use crate::proof::Percent;
use autotune_base::ticks::Ticks;

/// The number of ranges that the resolution aims at.
const MOST_BINS: usize = 36;
/// The greatest number of ranges in a factor of 2.
const FINEST: u32 = 1024;
/// The limits of the near ties that are counted apart, in percent above the best time.
const NEAR: [u32; 2] = [1, 2];

/// The configurations of a space by their times. Only proved and evaluated times count; a lower bound does not. The
/// histogram is shown only and never written as JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Histogram {
    /// The proved optimum's time in ticks, or without a proof the least known time.
    pub best: Ticks,
    /// Consecutive ranges of times from `best` on. Range k, counted from 0, begins at `best` * 2^(k / `per_doubling`)
    /// ticks, rounded up.
    pub bins: Vec<Bin>,
    /// The number of ranges in a factor of 2, a power of 2 from 1 to 1,024.
    pub per_doubling: u32,
    /// The number of configurations that can run and whose time is not known.
    pub without_time: usize,
}

/// The configurations of one range of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bin {
    /// The least time of the range, in ticks; part of the range.
    pub from: Ticks,
    /// The least time beyond the range, in ticks; not part of the range.
    pub to: Ticks,
    /// The numbers of configurations within 1 % of `best`, above 1 % and within 2 %, and slower.
    pub counts: [usize; 3],
}

impl Histogram {
    /// Counts configurations by their times. `best` is the proved optimum's time in ticks, and `None` without a proof.
    /// Returns `None` if fewer than 2 times are known.
    #[must_use]
    pub fn new(points: &[LandscapePoint], best: Option<Ticks>) -> Option<Self> {
        let times: Vec<Ticks> = points.iter().filter_map(|point| known(point.time)).collect();
        let best = best.or(times.iter().copied().min())?;
        let longest = times.iter().copied().max().filter(|_| times.len() > 1)?;
        let per_doubling = resolution(best, longest);
        let edges = edges(best, longest, per_doubling);
        let mut bins: Vec<Bin> =
            edges.windows(2).map(|edge| Bin { from: edge[0], to: edge[1], counts: [0; 3] }).collect();
        for time in &times {
            let place = edges.partition_point(|edge| edge <= time).saturating_sub(1).min(bins.len() - 1);
            let is_near = |percent: &u32| Percent::whole(*percent).holds(*time, best);
            let class = NEAR.iter().position(is_near).unwrap_or(NEAR.len());
            bins[place].counts[class] += 1;
        }
        let can_run = points.iter().filter(|point| point.time != KnownTime::Never).count();
        Some(Self { best, bins, per_doubling, without_time: can_run - times.len() })
    }

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

fn known(time: KnownTime) -> Option<Ticks> {
    match time {
        KnownTime::Proved(ticks) | KnownTime::Evaluated(ticks) => Some(ticks),
        KnownTime::AtLeast(_) | KnownTime::Unknown | KnownTime::Never => None,
    }
}

/// The greatest number of ranges in a factor of 2 such that all times need about [`MOST_BINS`] ranges or fewer. `best`
/// and `longest` are in ticks.
fn resolution(best: Ticks, longest: Ticks) -> u32 {
    let doublings = (longest.to_f64() / best.to_f64().max(1.0)).log2();
    let mut per_doubling = FINEST;
    while per_doubling > 1 && doublings * f64::from(per_doubling) >= real(MOST_BINS as u64) {
        per_doubling /= 2;
    }
    per_doubling
}

/// The begins of the ranges and the end of the last one, in ticks.
fn edges(best: Ticks, longest: Ticks, per_doubling: u32) -> Vec<Ticks> {
    let begin_of = |place: u32| {
        let factor = (f64::from(place) / f64::from(per_doubling)).exp2();
        (best.to_f64().max(1.0) * factor).ceil().to_u64().map_or(Ticks::MAX, Ticks::new)
    };
    let behind = (1..).map(begin_of);
    let mut edges = vec![best];
    for begin in behind {
        edges.push(begin);
        if begin > longest || begin == Ticks::MAX {
            break;
        }
    }
    edges
}

#[expect(clippy::cast_precision_loss, reason = "where ranges begin; what is counted in them is exact")]
fn real(ticks: u64) -> f64 {
    ticks as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use autotune_lowering::spec::Configuration;

    fn histogram(times: &[KnownTime], best: Option<Ticks>) -> Option<Histogram> {
        let point = |&time: &KnownTime| LandscapePoint { configuration: Configuration(Vec::new()), time };
        Histogram::new(&times.iter().map(point).collect::<Vec<_>>(), best)
    }

    #[test]
    fn each_known_time_is_counted_once_and_near_ties_apart() {
        let times =
            [1000, 1000, 1010, 1011, 1020, 1021, 2000, 64_000].map(|ticks| KnownTime::Evaluated(Ticks::new(ticks)));
        let rest = [KnownTime::AtLeast(Ticks::new(1000)), KnownTime::Unknown, KnownTime::Never];
        let histogram = histogram(&[&times[..], &rest].concat(), Some(Ticks::new(1000))).unwrap();
        assert_eq!((histogram.counts(), histogram.without_time), ([3, 2, 3], 2));
        assert!(histogram.bins.len() <= MOST_BINS + 1);
        assert!(histogram.bins.windows(2).all(|two| two[0].to == two[1].from));
        for (ticks, counts) in [(2000, [0, 0, 1]), (64_000, [0, 0, 1])] {
            let bin = histogram.bins.iter().find(|bin| (bin.from..bin.to).contains(&Ticks::new(ticks))).unwrap();
            assert_eq!(bin.counts, counts);
        }
    }

    #[test]
    fn any_times_have_ranges() {
        assert_eq!(histogram(&[KnownTime::AtLeast(Ticks::new(3)), KnownTime::Never], None), None);
        assert_eq!(histogram(&[KnownTime::Evaluated(Ticks::new(3)), KnownTime::Never], None), None);
        for times in [vec![5, 5], vec![1, 2, 3], vec![7, u64::MAX], vec![1_000_000, 1_000_001], vec![0, 9]] {
            let told: Vec<_> = times.iter().map(|&ticks| KnownTime::Evaluated(Ticks::new(ticks))).collect();
            let histogram = histogram(&told, None).unwrap();
            assert_eq!(histogram.counted(), times.len(), "{times:?}: {histogram:?}");
            assert!(histogram.bins.len() <= 70, "{times:?}: {}", histogram.bins.len());
        }
    }
}
