//! Several runs of one configuration: their median, and the noise that they show.

/// The least deviation of the logarithms of equal runs: that of careful benchmarks.
pub(super) const LEAST_NOISE: f64 = 0.03;

/// The median of times; `None` of an empty list.
pub fn median(times: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut times: Vec<f64> = times.into_iter().collect();
    times.sort_unstable_by(f64::total_cmp);
    let upper = *times.get(times.len() / 2)?;
    let lower = times[(times.len() - 1) / 2];
    Some(f64::midpoint(lower, upper))
}

/// The noise of runs: the pooled deviation of the logarithms of each configuration's times, and at least
/// [`LEAST_NOISE`].
pub(super) fn noise<'a>(configurations: impl IntoIterator<Item = &'a [f64]>) -> f64 {
    let (mut squares, mut freedom) = (0.0, 0.0);
    for times in configurations.into_iter().filter(|times| times.len() > 1) {
        let count = real(times.len());
        let mean = times.iter().map(|time| time.ln()).sum::<f64>() / count;
        squares += times.iter().map(|time| (time.ln() - mean).powi(2)).sum::<f64>();
        freedom += count - 1.0;
    }
    let pooled = if freedom > 0.0 { f64::sqrt(squares / freedom) } else { 0.0 };
    pooled.max(LEAST_NOISE)
}

#[expect(clippy::cast_precision_loss, reason = "a configuration has far fewer than 2^53 runs")]
fn real(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_even_and_odd_numbers() {
        assert_eq!(median([3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median([4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median([]), None);
    }

    #[test]
    fn noise_is_pooled_over_configurations_and_never_below_the_least() {
        let near = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-12, "{value} is not {expected}");
        // Deviations of the logarithms from their means: 0.1 twice, and 0.2, 0 and 0.2; three degrees of freedom.
        let times = |logs: &[f64]| logs.iter().map(|log| log.exp()).collect::<Vec<_>>();
        let runs = [times(&[1.0, 1.2]), times(&[5.0, 5.2, 5.4]), times(&[0.9]), Vec::new()];
        near(noise(runs.iter().map(Vec::as_slice)), f64::sqrt((0.02 + 0.08) / 3.0));
        near(noise([&[1.0, 1.001][..]]), LEAST_NOISE);
        near(noise([&[1.0][..], &[2.0]]), LEAST_NOISE);
        near(noise([]), LEAST_NOISE);
    }
}
