//! Weights of the efficiency that are fitted to measured runs.
//!
//! R is relative: in one set of runs, time = c / R with a constant c of the set. So log(time) = log(c) - sum of `w_i` log(`K_i`),
//! and the weights are those of least squares, each from 0 to [`MOST`]. A set's constant is gone once the set's means are
//! subtracted. The least sum within bounds has each weight at 0, at the most or where the derivative is 0; with six weights,
//! all 729 choices are tried, and no iteration has to converge.

use serde::Serialize;
use thiserror::Error;

use autotune_base::text::words::counted;
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_lowering::models::efficiency::Weights;
use autotune_machine::correction::Factor;

/// The number of weights.
const WEIGHTS: usize = 6;

/// The greatest weight.
const MOST: f64 = 1000.0;

/// The standard deviation of log(K) within sets up to which a factor counts as constant.
const CONSTANT: f64 = 1e-9;

/// The part of a factor's variance that the other factors may leave unexplained if it depends on them.
const DEPENDENT: f64 = 1e-10;

/// A run that succeeded: the factors K1 to K6 of its configuration and its time in any unit, both above 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FactorRun {
    /// The factors.
    pub factors: [f64; WEIGHTS],
    /// The time.
    pub time: f64,
}

/// The weights of least squares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittedWeights {
    /// The weights.
    pub weights: Weights,
    /// The knowledge of each weight.
    pub origins: [WeightOrigin; WEIGHTS],
    /// The part of the variance of log(time) within sets that the weights explain, from 0 to 1; 0 if all times of each set are
    /// equal.
    pub explained: f64,
}

/// The knowledge of a weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WeightOrigin {
    /// The runs determine it, together with the weights of later factors that depend on this one.
    Fitted,
    /// The factor varies only together with earlier factors: other weights of them and of this one fit as well.
    Dependent,
    /// The factor is the same for all runs of each set: the weight is the one before the fit.
    Constant,
}

/// The reason why runs say nothing of weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FitError {
    /// No factor varies within a set.
    #[error("each factor K1 to K6 is the same for all {runs} runs of a set: the runs say nothing of the weights")]
    Constant {
        /// The number of runs.
        runs: usize,
    },
    /// Too few runs.
    #[error(
        "too few runs succeeded: {} of {}, and {} need at least {}",
        counted(*runs as u64, "run"),
        counted(*sets as u64, "set"),
        counted(*weights as u64, "weight"),
        runs_needed(*sets, *weights)
    )]
    TooFew {
        /// The number of runs.
        runs: usize,
        /// The number of sets.
        sets: usize,
        /// The number of factors that vary.
        weights: usize,
    },
}

/// The least number of runs: one more than weights and constants of sets.
fn runs_needed(sets: usize, weights: usize) -> usize {
    sets + weights + 1
}

impl UserError for FitError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Constant { .. } => {
                "measure configurations that differ in memory access, registers, loops or branches; `autotune efficiency \
                 SPEC --gpu GPU` shows the factors"
                    .to_owned()
            }
            Self::TooFew { .. } => "measure more configurations, or add another file by `--measured`".to_owned(),
        })
    }
}

/// Fits the weights to sets of runs. The weight of a factor that is constant is that of `before`.
///
/// # Errors
/// If no factor varies within a set, or if there are too few runs for those that do.
pub fn fit<S: AsRef<[FactorRun]>>(sets: &[S], before: &Weights) -> Result<FittedWeights, FitError> {
    let sets: Vec<&[FactorRun]> = sets.iter().map(AsRef::as_ref).collect();
    let sums = Sums::new(&sets);
    let runs: usize = sets.iter().map(|set| set.len()).sum();
    let varying: Vec<usize> = (0..WEIGHTS).filter(|&factor| sums.varies(factor)).collect();
    let sets = sets.iter().filter(|set| !set.is_empty()).count();
    if runs < runs_needed(sets, varying.len()) {
        return Err(FitError::TooFew { runs, sets, weights: varying.len() });
    }
    if varying.is_empty() {
        return Err(FitError::Constant { runs });
    }
    let (mut weights, mut origins) = (*before, [WeightOrigin::Constant; WEIGHTS]);
    for (&factor, weight) in varying.iter().zip(sums.least(&varying)) {
        weights.0[factor] = weight;
    }
    let mut independent = Triangle::default();
    for &factor in &varying {
        let is_free = independent.add(&sums, factor);
        origins[factor] = if is_free { WeightOrigin::Fitted } else { WeightOrigin::Dependent };
    }
    Ok(FittedWeights { weights, origins, explained: sums.explained(&varying, &weights) })
}

/// -log(K1) to -log(K6) and log(time) of a run.
type Row = ([f64; WEIGHTS], f64);

/// The sums over all runs of products of x = -log(K) and y = log(time), each without the mean of its set.
struct Sums {
    /// The sums of `x_i` `x_j`.
    products: [[f64; WEIGHTS]; WEIGHTS],
    /// The sums of `x_i` y.
    with_time: [f64; WEIGHTS],
    /// The sum of y y.
    of_time: f64,
    runs: f64,
}

impl Sums {
    fn new(sets: &[&[FactorRun]]) -> Self {
        let mut sums = Self { products: [[0.0; WEIGHTS]; WEIGHTS], with_time: [0.0; WEIGHTS], of_time: 0.0, runs: 0.0 };
        for set in sets {
            let rows: Vec<Row> = set.iter().map(logarithms).collect();
            let runs: f64 = rows.iter().map(|_| 1.0).sum();
            let mean = |value: &dyn Fn(&Row) -> f64| rows.iter().map(value).sum::<f64>() / runs;
            let means: [f64; WEIGHTS] = std::array::from_fn(|factor| mean(&|(x, _)| x[factor]));
            let mean_of_time = mean(&|(_, y)| *y);
            for (x, y) in &rows {
                sums.add(std::array::from_fn(|factor| x[factor] - means[factor]), y - mean_of_time);
            }
        }
        sums
    }

    fn add(&mut self, x: [f64; WEIGHTS], y: f64) {
        for one in 0..WEIGHTS {
            for other in 0..WEIGHTS {
                self.products[one][other] += x[one] * x[other];
            }
            self.with_time[one] += x[one] * y;
        }
        self.of_time += y * y;
        self.runs += 1.0;
    }

    fn varies(&self, factor: usize) -> bool {
        self.products[factor][factor] > CONSTANT * CONSTANT * self.runs
    }

    /// The weights within bounds of the least sum of squares, one for each of these factors.
    fn least(&self, factors: &[usize]) -> Vec<f64> {
        let mut best: Option<(f64, Vec<f64>)> = None;
        for bounds in all_bounds(factors.len()) {
            let Some(weights) = self.solved(factors, &bounds) else { continue };
            let left = self.unexplained(factors, &weights);
            // Of equally good weights the first: rounding decides nothing.
            if best.as_ref().is_none_or(|(least, _)| left < least - 1e-12 * self.of_time) {
                best = Some((left, weights));
            }
        }
        best.map_or_else(|| vec![0.0; factors.len()], |(_, weights)| weights)
    }

    /// The weights of least squares if those with a bound have it; `None` if the others are not unique, or not within bounds.
    fn solved(&self, factors: &[usize], bounds: &[Option<f64>]) -> Option<Vec<f64>> {
        let bound = |factor: usize| factors.iter().zip(bounds).find(|(one, _)| **one == factor)?.1.as_ref().copied();
        let mut triangle = Triangle::default();
        for &factor in factors.iter().filter(|factor| bound(**factor).is_none()) {
            if !triangle.add(self, factor) {
                return None;
            }
        }
        let rest = |factor: usize| {
            let held = factors.iter().filter_map(|&other| Some(self.products[factor][other] * bound(other)?));
            self.with_time[factor] - held.sum::<f64>()
        };
        let mut free = triangle.solve(self, rest).into_iter();
        let weights = bounds.iter().map(|bound| bound.or_else(|| within_bounds(free.next()?)));
        weights.collect()
    }

    /// The sum of squares that weights leave.
    fn unexplained(&self, factors: &[usize], weights: &[f64]) -> f64 {
        let mut left = self.of_time;
        for (&one, weight) in factors.iter().zip(weights) {
            let quadratic = factors.iter().zip(weights).map(|(&other, beside)| self.products[one][other] * beside);
            left += weight * (quadratic.sum::<f64>() - 2.0 * self.with_time[one]);
        }
        left
    }

    fn explained(&self, factors: &[usize], weights: &Weights) -> f64 {
        if self.of_time <= 0.0 {
            return 0.0;
        }
        let chosen: Vec<f64> = factors.iter().map(|&factor| weights.0[factor]).collect();
        (1.0 - self.unexplained(factors, &chosen) / self.of_time).clamp(0.0, 1.0)
    }
}

/// The logarithms of a run.
fn logarithms(run: &FactorRun) -> Row {
    (run.factors.map(|factor| -factor.max(f64::MIN_POSITIVE).ln()), run.time.max(f64::MIN_POSITIVE).ln())
}

/// A weight within bounds, but for what rounding does; `None` for another one.
fn within_bounds(weight: f64) -> Option<f64> {
    (-1e-9..=MOST + 1e-6).contains(&weight).then(|| weight.clamp(0.0, MOST))
}

/// All choices of weights at a bound: none first, then one after the other, the last factors first.
fn all_bounds(count: usize) -> Vec<Vec<Option<f64>>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |chosen: &Vec<Option<f64>>| {
            [None, Some(0.0), Some(MOST)].map(|bound| chosen.iter().copied().chain([bound]).collect())
        };
        all = all.iter().flat_map(longer).collect();
    }
    // The sort is stable.
    all.sort_by_key(|chosen| chosen.iter().flatten().count());
    all
}

/// The factor of the products of independent factors, each scaled to the variance 1.
#[derive(Default)]
struct Triangle {
    factors: Vec<usize>,
    factor: Factor,
}

impl Triangle {
    /// Adds a factor, and returns true, unless it depends on those that are there.
    fn add(&mut self, sums: &Sums, factor: usize) -> bool {
        let covariances: Vec<f64> = self.factors.iter().map(|&other| scaled(sums, factor, other)).collect();
        let explained: f64 = self.factor.solved(&covariances).iter().map(|entry| entry * entry).sum();
        if 1.0 - explained <= DEPENDENT {
            return false;
        }
        self.factor.extend(&covariances, 1.0);
        self.factors.push(factor);
        true
    }

    /// The solution for a right side of each factor.
    fn solve(&self, sums: &Sums, right: impl Fn(usize) -> f64) -> Vec<f64> {
        let scale = |factor: usize| sums.products[factor][factor].sqrt();
        let right: Vec<f64> = self.factors.iter().map(|&factor| right(factor) / scale(factor)).collect();
        let solution = self.factor.solved_transposed(&self.factor.solved(&right));
        solution.iter().zip(&self.factors).map(|(value, &factor)| value / scale(factor)).collect()
    }
}

/// The correlation of two factors.
fn scaled(sums: &Sums, one: usize, other: usize) -> f64 {
    sums.products[one][other] / (sums.products[one][one] * sums.products[other][other]).sqrt()
}

#[cfg(test)]
mod tests;
