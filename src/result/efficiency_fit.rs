//! Weights of the efficiency that measured runs fit (`schemas/efficiency_fit.json`).

use serde::Serialize;

use super::values::Values;
use autotune_engine::compare::weights::{Scores, WeightOrigin, WeightsFit};
use autotune_lowering::models::efficiency::Weights;
use autotune_lowering::spec::Spec;

/// The names of the factors K1 to K6, as in `schemas/efficiency.json`.
const FACTORS: [&str; 6] = ["memory", "input", "output", "temporary", "loops", "branches"];

/// The result of `autotune efficiency SPEC --gpu GPU --measured FILE --format json`: the weights of least squares of log(time) on
/// log(K), and the quality of their rankings, of each set by the weights that the other sets fit. A set is the runs of one problem
/// size of one file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct EfficiencyFitReport {
    /// The id of this schema.
    #[cfg_attr(test, schemars(extend("const" = EfficiencyFitReport::SCHEMA)))]
    pub schema: &'static str,
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The fitted exponents `w_1` to `w_6`.
    pub weights: Weights,
    /// The exponents beside which the fit is judged: of `--weights`, else of the profile, else the default.
    pub given_weights: Weights,
    /// The factors K1 to K6.
    #[cfg_attr(test, schemars(length(min = 6, max = 6)))]
    pub factors: Vec<FittedFactorReport>,
    /// The part of the variance of log(time) within sets that the fitted weights explain.
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    pub explained: f64,
    /// The means over all sets.
    #[serde(flatten)]
    pub overall: Scores,
    /// The sets, in the order of the files.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub sets: Vec<FittedSetReport>,
}

/// A factor and its weight.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FittedFactorReport {
    /// The factor's name.
    #[cfg_attr(test, schemars(extend("enum" = FACTORS)))]
    pub factor: &'static str,
    /// The least value of the factor in the runs that count.
    #[cfg_attr(test, schemars(range(max = 1), extend("exclusiveMinimum" = 0)))]
    pub least: f64,
    /// The greatest value of the factor in the runs that count.
    #[cfg_attr(test, schemars(range(max = 1), extend("exclusiveMinimum" = 0)))]
    pub greatest: f64,
    /// The knowledge of the weight.
    pub origin: WeightOrigin,
}

/// The runs of one problem size of one file.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct FittedSetReport {
    /// The file.
    pub file: String,
    /// The problem sizes that the file states.
    #[cfg_attr(test, schemars(with = "crate::result::values::Integers"))]
    pub problem: Values,
    /// The number of configurations that were run.
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub rows: usize,
    /// The number of runs that the fit uses: they succeeded, and neither spec nor GPU refuse their configuration.
    pub fitted_rows: usize,
    /// The quality of the rankings of this set.
    #[serde(flatten)]
    pub scores: Scores,
}

impl EfficiencyFitReport {
    /// The id of its schema.
    pub const SCHEMA: &'static str = "autotune.efficiency_fit/1";

    /// The report of weights that are fitted to measured runs of a kernel on a GPU.
    #[must_use]
    pub fn new(spec: &Spec, gpu: &str, fit: WeightsFit) -> Self {
        let factors = FACTORS.into_iter().zip(fit.ranges).zip(fit.fitted.origins);
        Self {
            schema: Self::SCHEMA,
            kernel: spec.kernel.clone(),
            gpu: gpu.to_owned(),
            weights: fit.fitted.weights,
            given_weights: fit.given,
            factors: factors
                .map(|((factor, [least, greatest]), origin)| FittedFactorReport { factor, least, greatest, origin })
                .collect(),
            explained: fit.fitted.explained,
            overall: fit.overall,
            sets: fit
                .sets
                .into_iter()
                .map(|set| FittedSetReport {
                    file: set.file,
                    problem: set.problem.into_iter().map(|(name, size)| (name, size.into())).collect(),
                    rows: set.rows,
                    fitted_rows: set.fitted_rows,
                    scores: set.scores,
                })
                .collect(),
        }
    }
}
