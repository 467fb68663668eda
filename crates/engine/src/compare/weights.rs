//! The weights of the efficiency, fitted to measured runs, and the quality of their rankings on each set that the fit left
//! out.
//!
//! A set is the runs of one problem size of one file. R is relative, so that times of different sets are never compared.

mod fit;

use serde::Serialize;
use thiserror::Error;

use super::measured::{MeasuredRun, Scenario};
use super::predictor::PredictedCost;
use super::validation::{RankPosition, RankingScore};
use autotune_base::user_error::{ExitStatus, UserError};
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::models::efficiency::{EfficiencyError, Weights, efficiency};
use autotune_lowering::space::{Case, SpaceError, each};
use autotune_lowering::spec::{Configuration, Spec, SpecError};

pub use fit::{FactorRun, FitError, FittedWeights, WeightOrigin, fit};

/// The measured runs of one problem size of one file, with the factors of their configurations.
#[derive(Debug, Clone, PartialEq)]
pub struct RatedSet {
    /// The name of the file.
    pub file: String,
    /// The problem sizes that the file states.
    pub problem: Vec<(String, i64)>,
    /// The runs: the factors K1 to K6, `None` where spec or GPU refuse the configuration, and the time in milliseconds, `None`
    /// for a run that failed. At least one run succeeded.
    runs: Vec<(Option<[f64; 6]>, Option<f64>)>,
}

/// Weights that are fitted to sets, and their scores.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightsFit {
    /// The weights beside which the fit is judged.
    pub given: Weights,
    /// The weights that fit all sets.
    pub fitted: FittedWeights,
    /// The least and the greatest value of each factor over all runs that count.
    pub ranges: [[f64; 2]; 6],
    /// The scores of each set.
    pub sets: Vec<SetScores>,
    /// The means over all sets.
    pub overall: Scores,
}

/// The scores of a set.
#[derive(Debug, Clone, PartialEq)]
pub struct SetScores {
    /// The name of the file.
    pub file: String,
    /// The problem sizes that the file states.
    pub problem: Vec<(String, i64)>,
    /// The number of configurations that were run.
    pub rows: usize,
    /// The number of runs that the fit uses: they succeeded, and neither spec nor GPU refuse their configuration.
    pub fitted_rows: usize,
    /// The scores of its rankings.
    pub scores: Scores,
}

/// The quality of rankings of one set by several weights.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Scores {
    /// The ranking by the given weights.
    pub given: RankingScore,
    /// The ranking by the weights that fit all sets, this one too.
    pub fitted: RankingScore,
    /// The ranking by weights that fit the other sets; `None` if there are no others, or too few runs in them.
    pub left_out: Option<RankingScore>,
}

/// A reason why weights cannot be fitted.
#[derive(Debug, Error)]
pub enum WeightsFitError {
    /// A problem size that cannot be set.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Configurations that cannot be assessed.
    #[error(transparent)]
    Analysis(#[from] SpaceError),
    /// A configuration without factors.
    #[error(transparent)]
    Efficiency(#[from] EfficiencyError),
    /// A file that is named twice.
    #[error("`--measured` names `{file}` twice")]
    Twice {
        /// The file.
        file: String,
    },
    /// Runs that say nothing of the weights.
    #[error(transparent)]
    Fit(#[from] FitError),
}

impl UserError for WeightsFitError {
    fn status(&self) -> ExitStatus {
        ExitStatus::Unusable
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Spec(error) => error.help(),
            Self::Analysis(error) => error.help(),
            Self::Efficiency(error) => error.help(),
            Self::Twice { .. } => Some("name it once: a set that is left out must not be among the others".to_owned()),
            Self::Fit(error) => error.help(),
        }
    }
}

impl RatedSet {
    /// Computes the factors of the runs of one problem size; `None` if no run succeeded.
    ///
    /// # Errors
    /// If a configuration cannot be assessed, or the GPU is an abstract processor.
    pub fn new(
        spec: &Spec,
        profile: &Profile,
        reader: &SourceReader,
        file: &str,
        scenario: &Scenario,
    ) -> Result<Option<Self>, WeightsFitError> {
        let spec = scenario.sized(spec)?;
        let measured = scenario.telling_runs();
        if measured.iter().all(|run| run.milliseconds.is_none()) {
            return Ok(None);
        }
        let configurations: Vec<Configuration> = measured.iter().map(|run| run.configuration.clone()).collect();
        let ask = |case: &Case| {
            let found = efficiency(case.spec, case.profile, case.scope, case.lowered, &Weights::default());
            found.map(|efficiency| efficiency.factors())
        };
        let answers = each(&spec, profile, reader, &configurations, ask)?;
        let rated = |(answer, run): (autotune_lowering::lowering::Feasibility<_, _>, &MeasuredRun)| {
            Ok((answer.feasible().transpose()?, run.milliseconds))
        };
        let runs = answers.into_iter().zip(&measured).map(rated).collect::<Result<_, EfficiencyError>>()?;
        Ok(Some(Self { file: file.to_owned(), problem: scenario.problem.clone(), runs }))
    }

    /// The runs that a fit uses.
    fn usable(&self) -> Vec<FactorRun> {
        self.runs.iter().filter_map(|&(factors, time)| Some(FactorRun { factors: factors?, time: time? })).collect()
    }

    /// The score of the ranking by these weights, as `validate` scores it.
    fn score(&self, weights: &Weights) -> Option<RankingScore> {
        let standing = |factors: &Option<[f64; 6]>| match factors {
            Some(factors) => RankPosition::Ranked(PredictedCost::Efficiency(weights.efficiency(factors)).value()),
            None => RankPosition::Refused,
        };
        let (standings, times): (Vec<_>, Vec<_>) =
            self.runs.iter().map(|(factors, time)| (standing(factors), *time)).unzip();
        RankingScore::new(&standings, &times)
    }
}

/// Fits weights to all sets, and scores them on each set beside the given weights and beside those that fit the other sets. The
/// weight of a factor that never varies is the given one.
///
/// # Errors
/// If the runs say nothing of the weights.
pub fn fit_weights(sets: &[RatedSet], given: Weights) -> Result<WeightsFit, FitError> {
    let usable: Vec<Vec<FactorRun>> = sets.iter().map(RatedSet::usable).collect();
    let fitted = fit(&usable, &given)?;
    let scored = |(place, set): (usize, &RatedSet)| {
        let others = usable.iter().enumerate().filter(|(other, _)| *other != place);
        let others: Vec<&Vec<FactorRun>> = others.map(|(_, runs)| runs).collect();
        let without = fit(&others, &given).ok();
        let scores = Scores {
            given: set.score(&given)?,
            fitted: set.score(&fitted.weights)?,
            left_out: without.and_then(|without| set.score(&without.weights)),
        };
        let (file, problem) = (set.file.clone(), set.problem.clone());
        Some(SetScores { file, problem, rows: set.runs.len(), fitted_rows: usable[place].len(), scores })
    };
    let sets: Vec<SetScores> = sets.iter().enumerate().filter_map(scored).collect();
    let overall = Scores::mean(&sets).ok_or(FitError::TooFew { runs: 0, sets: 0, weights: 0 })?;
    Ok(WeightsFit { given, fitted, ranges: ranges(&usable), sets, overall })
}

impl Scores {
    /// The means; `None` without sets.
    fn mean(sets: &[SetScores]) -> Option<Self> {
        let mean = |score: fn(&Self) -> Option<RankingScore>| {
            RankingScore::mean(&sets.iter().filter_map(|set| score(&set.scores)).collect::<Vec<_>>())
        };
        Some(Self {
            given: mean(|scores| Some(scores.given))?,
            fitted: mean(|scores| Some(scores.fitted))?,
            left_out: mean(|scores| scores.left_out),
        })
    }
}

/// The least and the greatest value of each factor.
fn ranges(sets: &[Vec<FactorRun>]) -> [[f64; 2]; 6] {
    let runs = || sets.iter().flatten();
    std::array::from_fn(|factor| {
        let values = || runs().map(|run| run.factors[factor]);
        [values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max)]
    })
}

#[cfg(test)]
mod tests;
