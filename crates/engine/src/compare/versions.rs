//! Versions of a kernel: the order and the ratios of their predicted times against measured ones.

use autotune_machine::correction::median;

/// The greatest ratio of two measured times that are equal for their order: a noise of 5 %.
const TIED: f64 = 1.05;

/// The measured and the predicted time of a version, both in microseconds and above 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimedVersion {
    /// The measured time.
    pub measured: f64,
    /// The predicted time.
    pub predicted: f64,
}

impl TimedVersion {
    /// The predicted time divided by the measured one.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.predicted / self.measured
    }
}

/// Pairs of versions whose measured times differ by more than 5 %.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OrderedPairs {
    /// The number of pairs whose predicted times have the order of the measured ones. Equal predictions have neither
    /// order.
    pub right: usize,
    /// The number of pairs.
    pub total: usize,
}

impl OrderedPairs {
    /// The pairs of the versions of one kernel.
    #[must_use]
    pub fn new(versions: &[TimedVersion]) -> Self {
        let mut pairs = Self::default();
        for (slower, faster) in each_pair(versions) {
            let (slower, faster) = (versions[slower], versions[faster]);
            if slower.measured / faster.measured > TIED {
                pairs.total += 1;
                pairs.right += usize::from(slower.predicted > faster.predicted);
            }
        }
        pairs
    }
}

/// The pair of versions whose predicted ratio is furthest from the measured one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorstPair {
    /// The index of the version with the greater measured time; the earlier one of two equal times.
    pub slower: usize,
    /// The index of the other version.
    pub faster: usize,
    /// The predicted ratio of slower to faster, divided by the measured one: below 1 if the prediction understates what
    /// the change saves.
    pub ratio: f64,
}

impl WorstPair {
    /// The worst pair, the first one of several; `None` with fewer than two versions.
    #[must_use]
    pub fn new(versions: &[TimedVersion]) -> Option<Self> {
        let mut worst: Option<Self> = None;
        for (slower, faster) in each_pair(versions) {
            let pair = Self { slower, faster, ratio: versions[slower].ratio() / versions[faster].ratio() };
            if worst.is_none_or(|worst| pair.distance() > worst.distance()) {
                worst = Some(pair);
            }
        }
        worst
    }

    fn distance(&self) -> f64 {
        factor(self.ratio)
    }
}

/// The factors between predicted and measured times, each from 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeFactors {
    /// The middle factor, or the mean of both middle ones.
    pub median: f64,
    /// The least factor that is above those of nine of ten versions; the greatest one with fewer than ten.
    pub nine_of_ten: f64,
}

impl TimeFactors {
    /// The factors of versions of any kernels; 1 without versions.
    #[must_use]
    pub fn new(versions: &[TimedVersion]) -> Self {
        let mut factors: Vec<f64> = versions.iter().map(|version| factor(version.ratio())).collect();
        factors.sort_by(f64::total_cmp);
        let nine_of_ten = factors.get(factors.len() * 9 / 10).copied().unwrap_or(1.0);
        Self { median: median(factors).unwrap_or(1.0), nine_of_ten }
    }
}

/// A ratio or its inverse, whichever is at least 1.
fn factor(ratio: f64) -> f64 {
    ratio.max(ratio.recip())
}

/// The indices of all pairs, those of the slower version first, as they were measured.
fn each_pair(versions: &[TimedVersion]) -> impl Iterator<Item = (usize, usize)> {
    let pairs = (0..versions.len()).flat_map(|first| (first + 1..versions.len()).map(move |second| (first, second)));
    pairs.map(
        |(first, second)| {
            if versions[first].measured < versions[second].measured { (second, first) } else { (first, second) }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn versions(times: &[[f64; 2]]) -> Vec<TimedVersion> {
        times.iter().map(|&[measured, predicted]| TimedVersion { measured, predicted }).collect()
    }

    #[test]
    fn pairs_are_right_if_both_times_agree() {
        // 10 and 10.4 are tied; 20 is predicted below 10; 40 is right beside all.
        let ladder = versions(&[[10.0, 5.0], [20.0, 4.0], [10.4, 3.0], [40.0, 6.0]]);
        assert_eq!(OrderedPairs::new(&ladder), OrderedPairs { right: 4, total: 5 });
        let equal = versions(&[[10.0, 5.0], [20.0, 5.0]]);
        assert_eq!(OrderedPairs::new(&equal), OrderedPairs { right: 0, total: 1 });
        assert_eq!(OrderedPairs::new(&ladder[..1]), OrderedPairs::default());
    }

    #[test]
    fn the_order_of_the_versions_does_not_matter() {
        let mut ladder = versions(&[[10.0, 5.0], [20.0, 4.0], [10.4, 3.0], [40.0, 6.0]]);
        let (pairs, worst) = (OrderedPairs::new(&ladder), WorstPair::new(&ladder).unwrap());
        ladder.reverse();
        let reversed = WorstPair::new(&ladder).unwrap();
        assert_eq!(OrderedPairs::new(&ladder), pairs);
        assert_eq!(
            (reversed.slower, reversed.faster, reversed.ratio),
            (3 - worst.slower, 3 - worst.faster, worst.ratio)
        );
    }

    #[test]
    fn the_worst_pair_is_furthest_from_the_measured_ratio() {
        // Measured 4 to 1, predicted 1 to 1: the factor of 4 is lost.
        let worst = WorstPair::new(&versions(&[[1.0, 2.0], [2.0, 3.0], [4.0, 2.0]])).unwrap();
        assert_eq!(worst, WorstPair { slower: 2, faster: 0, ratio: 0.25 });
        assert_eq!(WorstPair::new(&versions(&[[1.0, 2.0]])), None);
    }

    #[test]
    fn factors_are_of_all_versions() {
        let ten: Vec<[f64; 2]> = (1..=10).map(|factor| [f64::from(factor), 1.0]).collect();
        assert_eq!(TimeFactors::new(&versions(&ten)), TimeFactors { median: 5.5, nine_of_ten: 10.0 });
        let both = versions(&[[2.0, 1.0], [1.0, 4.0]]);
        assert_eq!(TimeFactors::new(&both), TimeFactors { median: 3.0, nine_of_ten: 4.0 });
        assert_eq!(TimeFactors::new(&[]), TimeFactors { median: 1.0, nine_of_ten: 1.0 });
    }
}
