//! A Gaussian process whose observations come one by one.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

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
    /// The factor of the observations' covariance; `None` without an observation.
    factor: Option<Cholesky<f64, Dyn>>,
    /// The solution of the factor for the covariance of observations and sites: a vector over the sites for each
    /// observation.
    spread: Vec<DVector<f64>>,
}

impl Process {
    pub(super) fn new(sites: Positions, noise: f64) -> Self {
        Self { sites, noise, observed: Vec::new(), factor: None, spread: Vec::new() }
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
        let mut column = self.covariances(position);
        column.push(DEVIATION.powi(2) + CONSTANT + self.noise.powi(2));
        let count = self.observed.len();
        let factor = match &self.factor {
            Some(factor) => factor.insert_column(count, DVector::from_vec(column)),
            None => Cholesky::pack_dirty(DMatrix::from_element(1, 1, column[0].sqrt())),
        };
        let row = factor.l_dirty().row(count);
        let mut spread =
            DVector::from_iterator(self.sites.len(), self.each_site().map(|site| covariance(site, position)));
        for (earlier, weight) in self.spread.iter().zip(row.iter()) {
            spread.axpy(-weight, earlier, 1.0);
        }
        spread /= row[count];
        self.spread.push(spread);
        self.factor = Some(factor);
        self.observed.push(position.to_vec());
    }

    /// Forgets all observations but the first ones.
    pub(super) fn keep_first(&mut self, count: usize) {
        self.observed.truncate(count);
        self.spread.truncate(count);
        let lower = self.factor.take().filter(|_| count > 0);
        self.factor =
            lower.map(|factor| Cholesky::pack_dirty(factor.l_dirty().view((0, 0), (count, count)).into_owned()));
    }

    /// The means at the sites, if the observations have these values.
    pub(super) fn means(&self, values: &[f64]) -> DVector<f64> {
        let mut means = DVector::zeros(self.sites.len());
        for (spread, weight) in self.spread.iter().zip(&self.solved(values)) {
            means.axpy(*weight, spread, 1.0);
        }
        means
    }

    /// The deviations at the sites.
    pub(super) fn deviations(&self) -> DVector<f64> {
        let mut variances = DVector::from_element(self.sites.len(), DEVIATION.powi(2) + CONSTANT);
        for spread in &self.spread {
            variances.zip_apply(spread, |variance, part| *variance -= part * part);
        }
        variances.map(deviation)
    }

    /// The mean and the deviation at any position, if the observations have these values.
    pub(super) fn at(&self, position: &[f64], values: &[f64]) -> (f64, f64) {
        let part = self.solved(&self.covariances(position));
        let mean = part.iter().zip(&self.solved(values)).map(|(one, other)| one * other).sum();
        let known: f64 = part.iter().map(|one| one * one).sum();
        (mean, deviation(DEVIATION.powi(2) + CONSTANT - known))
    }

    /// The solution of the factor for a vector over the observations.
    fn solved(&self, values: &[f64]) -> Vec<f64> {
        let Some(factor) = &self.factor else { return Vec::new() };
        let mut solution = DVector::from_column_slice(values);
        let solvable = factor.l_dirty().solve_lower_triangular_mut(&mut solution);
        assert!(solvable, "the noise keeps the diagonal of the factor from zero");
        solution.data.into()
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

    /// The posterior by its definition: the inverse of the whole covariance.
    fn by_definition(observed: &[f64], values: &[f64], noise: f64, site: f64) -> (f64, f64) {
        let count = observed.len();
        let gram = DMatrix::from_fn(count, count, |one, other| {
            covariance(&[observed[one]], &[observed[other]]) + if one == other { noise * noise } else { 0.0 }
        });
        let inverse = gram.try_inverse().unwrap();
        let here = DVector::from_iterator(count, observed.iter().map(|one| covariance(&[*one], &[site])));
        let weights = inverse * &here;
        (weights.dot(&DVector::from_column_slice(values)), (DEVIATION.powi(2) + CONSTANT - weights.dot(&here)).sqrt())
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
                (process.means(&[]).sum(), process.deviations()[1], process.at(&[0.5], &[])),
                (0.0, prior, (0.0, prior))
            );
            process.observe(&[0.5]);
            assert!(process.deviations()[1] < 0.04 && process.deviations()[0] < prior);
            process.keep_first(0);
        }
    }
}
