//! A Gaussian process whose observations come one by one.

use super::factor::Factor;
use super::positions::Positions;

/// The deviation of a residual that a neighbourhood has in common.
const DEVIATION: f64 = 0.8;
/// The distance where the covariance of residuals falls to 1/e: that of two parameters from end to end.
const LENGTH: f64 = 2.0;
/// The variance of the constant that all residuals have in common.
const CONSTANT: f64 = 1.0;

/// A Gaussian process over positions: its observations, and what they say at a list of sites.
#[derive(Debug)]
pub(super) struct Process {
    sites: Positions,
    /// The deviation of an observation from the process.
    noise: f64,
    /// The position of each observation.
    observed: Vec<Vec<f64>>,
    /// The factor of the observations' covariance.
    factor: Factor,
    /// The solution of the factor for the covariance of observations and sites: a vector over the sites for each
    /// observation.
    spread: Vec<Vec<f64>>,
}

impl Process {
    pub(super) fn new(sites: Positions, noise: f64) -> Self {
        Self { sites, noise, observed: Vec::new(), factor: Factor::default(), spread: Vec::new() }
    }

    /// The number of observations.
    pub(super) fn observations(&self) -> usize {
        self.observed.len()
    }

    pub(super) fn noise(&self) -> f64 {
        self.noise
    }

    /// Forgets all observations, and takes another noise.
    pub(super) fn restart(&mut self, noise: f64) {
        *self = Self::new(std::mem::replace(&mut self.sites, Positions::of(&[], &[])), noise);
    }

    /// Adds an observation. Its value is given with each question to the process, since values may depend on later
    /// ones.
    pub(super) fn observe(&mut self, position: &[f64]) {
        let covariances = self.covariances(position);
        let mut spread: Vec<f64> = self.each_site().map(|site| covariance(site, position)).collect();
        let row = self.factor.extend(&covariances, DEVIATION.powi(2) + CONSTANT + self.noise.powi(2));
        for (earlier, weight) in self.spread.iter().zip(row) {
            add(&mut spread, -weight, earlier);
        }
        let own = row[covariances.len()];
        for part in &mut spread {
            *part /= own;
        }
        self.spread.push(spread);
        self.observed.push(position.to_vec());
    }

    /// Forgets all observations but the first ones.
    pub(super) fn keep_first(&mut self, count: usize) {
        self.observed.truncate(count);
        self.spread.truncate(count);
        self.factor.keep_first(count);
    }

    /// The means at the sites, if the observations have these values.
    pub(super) fn means(&self, values: &[f64]) -> Vec<f64> {
        let mut means = vec![0.0; self.sites.len()];
        for (spread, weight) in self.spread.iter().zip(self.factor.solved(values)) {
            add(&mut means, weight, spread);
        }
        means
    }

    /// The deviations at the sites.
    pub(super) fn deviations(&self) -> Vec<f64> {
        let mut variances = vec![DEVIATION.powi(2) + CONSTANT; self.sites.len()];
        for spread in &self.spread {
            for (variance, part) in variances.iter_mut().zip(spread) {
                *variance -= part * part;
            }
        }
        variances.into_iter().map(deviation).collect()
    }

    /// The mean and the deviation at any position, if the observations have these values.
    pub(super) fn at(&self, position: &[f64], values: &[f64]) -> (f64, f64) {
        let part = self.factor.solved(&self.covariances(position));
        let mean = part.iter().zip(self.factor.solved(values)).map(|(one, other)| one * other).sum();
        let known: f64 = part.iter().map(|one| one * one).sum();
        (mean, deviation(DEVIATION.powi(2) + CONSTANT - known))
    }

    /// The covariance of a position with each observation.
    fn covariances(&self, position: &[f64]) -> Vec<f64> {
        self.observed.iter().map(|observed| covariance(observed, position)).collect()
    }

    fn each_site(&self) -> impl Iterator<Item = &[f64]> {
        (0..self.sites.len()).map(|site| self.sites.of_row(site))
    }
}

fn covariance(one: &[f64], other: &[f64]) -> f64 {
    let distance: f64 = one.iter().zip(other).map(|(one, other)| (one - other).abs()).sum();
    DEVIATION.powi(2) * (-distance / LENGTH).exp() + CONSTANT
}

/// Adds a multiple of a vector.
fn add(sum: &mut [f64], weight: f64, vector: &[f64]) {
    for (sum, part) in sum.iter_mut().zip(vector) {
        *sum += weight * part;
    }
}

/// The deviation of a variance, which rounding may have made negative.
fn deviation(variance: f64) -> f64 {
    variance.max(1e-12).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(sites: i64) -> Positions {
        let rows: Vec<Vec<i64>> = (0..sites).map(|site| vec![site]).collect();
        Positions::of(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>(), &[(0..sites).collect()])
    }

    /// The posterior by its definition: the whole covariance, solved by Gauss's elimination.
    fn by_definition(observed: &[f64], values: &[f64], noise: f64, site: f64) -> (f64, f64) {
        let count = observed.len();
        let here: Vec<f64> = observed.iter().map(|one| covariance(&[*one], &[site])).collect();
        let mut rows: Vec<Vec<f64>> = (0..count)
            .map(|one| {
                let noise = |other: usize| if one == other { noise * noise } else { 0.0 };
                let row = (0..count).map(|other| covariance(&[observed[one]], &[observed[other]]) + noise(other));
                row.chain([here[one]]).collect()
            })
            .collect();
        for step in 0..count {
            let pivot = (step..count).max_by(|one, other| rows[*one][step].abs().total_cmp(&rows[*other][step].abs()));
            rows.swap(step, pivot.unwrap());
            let known: Vec<f64> = rows[step].iter().map(|entry| entry / rows[step][step]).collect();
            for other in (0..count).filter(|other| *other != step) {
                let times = rows[other][step];
                for (entry, known) in rows[other].iter_mut().zip(&known) {
                    *entry -= times * known;
                }
            }
            rows[step] = known;
        }
        let weights: Vec<f64> = rows.iter().map(|row| row[count]).collect();
        let weighted = |values: &[f64]| weights.iter().zip(values).map(|(weight, value)| weight * value).sum::<f64>();
        (weighted(values), (DEVIATION.powi(2) + CONSTANT - weighted(&here)).sqrt())
    }

    proptest! {
        #[test]
        fn observations_one_by_one_are_the_whole_at_once(
            observed in proptest::collection::vec((0..=10_usize, -3.0..3.0), 1..8),
            noise in 0.03..0.5,
            forgotten in 0..4_usize,
        ) {
            let sites = line(11);
            let mut process = Process::new(sites.clone(), noise);
            for (site, _) in &observed {
                process.observe(sites.of_row(*site));
            }
            for site in 0..forgotten {
                process.observe(sites.of_row(site));
            }
            process.keep_first(observed.len());
            let (places, values): (Vec<f64>, Vec<f64>) =
                observed.iter().map(|(site, value)| (sites.of_row(*site)[0], *value)).unzip();
            let (means, deviations) = (process.means(&values), process.deviations());
            for site in 0..11 {
                let (mean, deviation) = by_definition(&places, &values, noise, sites.of_row(site)[0]);
                prop_assert!((means[site] - mean).abs() < 1e-7 && (deviations[site] - deviation).abs() < 1e-6);
                let (there, apart) = process.at(sites.of_row(site), &values);
                prop_assert!((there - mean).abs() < 1e-7 && (apart - deviation).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn without_observations_nothing_is_known() {
        let mut process = Process::new(line(3), 0.03);
        let prior = (DEVIATION.powi(2) + CONSTANT).sqrt();
        for _ in 0..2 {
            assert_eq!(
                (process.means(&[]), process.deviations()[1], process.at(&[0.5], &[])),
                (vec![0.0; 3], prior, (0.0, prior))
            );
            process.observe(&[0.5]);
            assert!(process.deviations()[1] < 0.04 && process.deviations()[0] < prior);
            process.keep_first(0);
        }
    }
}
