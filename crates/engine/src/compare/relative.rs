//! The worth of a ranking's first pick, over all orders of the configurations that it ties.

use serde::{Deserialize, Serialize};

/// The time of a ranking's first pick divided by the optimum's. A ranking that ties several configurations first
/// chooses none of them: each is the first pick in equally many orders, so that the expectation is their mean.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Relative {
    /// The quotient of the fastest configuration that is tied first.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub best: f64,
    /// The expected quotient: the mean over all orders of the configurations that are tied first.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub mean: f64,
    /// The quotient of the slowest configuration that is tied first.
    #[cfg_attr(feature = "schemas", schemars(range(min = 0)))]
    pub worst: f64,
}

impl Relative {
    /// The worth of a first pick among configurations of these quotients. `None` if one of them is not known, or
    /// without any.
    #[must_use]
    pub fn new(tied: impl IntoIterator<Item = Option<f64>>) -> Option<Self> {
        let (mut best, mut worst, mut sum, mut count) = (f64::INFINITY, 0.0_f64, 0.0, 0_u32);
        for quotient in tied {
            let quotient = quotient?;
            (best, worst) = (best.min(quotient), worst.max(quotient));
            (sum, count) = (sum + quotient, count + 1);
        }
        // Rounding must not raise the mean above the worst quotient, nor take it below the best.
        (count > 0).then(|| Self { best, mean: (sum / f64::from(count)).clamp(best, worst), worst })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_configuration_is_all_three_and_an_unknown_one_none() {
        assert_eq!(Relative::new([Some(1.3)]), Some(Relative { best: 1.3, mean: 1.3, worst: 1.3 }));
        assert_eq!(
            Relative::new([Some(2.0), Some(1.0), Some(6.0)]),
            Some(Relative { best: 1.0, mean: 3.0, worst: 6.0 })
        );
        assert_eq!((Relative::new([Some(1.0), None]), Relative::new([])), (None, None));
    }

    #[test]
    fn the_mean_of_equal_quotients_is_the_quotient() {
        let of_many = Relative::new([Some(0.1); 3].into_iter().chain([Some(0.1); 1000])).unwrap();
        assert_eq!(of_many, Relative { best: 0.1, mean: 0.1, worst: 0.1 });
    }
}
