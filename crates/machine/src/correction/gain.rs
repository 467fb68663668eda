//! A corrected time, and its expected gain.

/// A time as predictions and runs together have it: log-normal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CorrectedTime {
    /// The median, in the unit of the measured times; in the predictions' unit before the first run.
    pub time: f64,
    /// The deviation of the time's logarithm.
    pub deviation: f64,
}

impl CorrectedTime {
    /// The expected improvement over a time: the mean of `max(0, 1 - t / best)`, from 0 to 1.
    #[must_use]
    pub fn expected_gain(self, best: f64) -> f64 {
        let Self { time, deviation } = self;
        let margin = (best / time).ln() / deviation;
        let faster = normal(margin);
        let mean_if_faster = (time / best) * (deviation.powi(2) / 2.0).exp() * normal(margin - deviation);
        (faster - mean_if_faster).clamp(0.0, 1.0)
    }
}

/// The probability that a normally distributed number of mean 0 and deviation 1 is below `x`.
fn normal(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The mean by a sum over many equally probable times.
        #[test]
        fn the_gain_is_the_mean_over_the_times(time in 0.2..5.0, deviation in 0.02..1.5) {
            let steps = 4000;
            let mut sum = 0.0;
            for step in 0..steps {
                let z = (f64::from(step) + 0.5) / f64::from(steps) * 16.0 - 8.0;
                let density = (-z * z / 2.0).exp() / f64::sqrt(2.0 * std::f64::consts::PI) * 16.0 / f64::from(steps);
                sum += density * f64::max(0.0, 1.0 - time * f64::exp(deviation * z));
            }
            let gain = CorrectedTime { time, deviation }.expected_gain(1.0);
            prop_assert!((gain - sum).abs() < 1e-4, "{} is not {}", gain, sum);
        }
    }

    #[test]
    fn a_certain_time_gains_its_difference_or_nothing() {
        let certain = |time| CorrectedTime { time, deviation: 1e-6 }.expected_gain(2.0);
        assert!((certain(1.5) - 0.25).abs() < 1e-5);
        assert!(certain(3.0) < 1e-12);
        // Any time is faster than no time.
        assert!((CorrectedTime { time: 1.0, deviation: 1.0 }.expected_gain(f64::INFINITY) - 1.0).abs() < 1e-12);
    }
}
