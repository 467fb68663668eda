//! All predictors side by side over a space: the first choice of each and its cost, the agreement of their rankings,
//! and the configuration where two predictors differ most, with reasons.

mod choice;
mod error;

use std::collections::{BTreeSet, HashMap, HashSet};

use super::agreement::{kendall, ranks, spearman};
use super::cross_check::is_bound;
use super::term::Term;
use super::{PredictedCost, Predictor, Relative};
use autotune_base::ticks::Ticks;
use autotune_kernel::source::SourceReader;
use autotune_lowering::gpu::Profile;
use autotune_lowering::lowering::Feasibility;
use autotune_lowering::models::predict::{LeftOut, predict};
use autotune_lowering::space::{Case, each};
use autotune_lowering::spec::{Configuration, Spec};
use choice::Chosen;

pub use choice::Selection;

/// The predictors, side by side.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The configurations that are compared, in the space's order.
    pub rows: Vec<Row>,
    /// The index of the row of the proved optimum; `None` without a proof.
    pub optimum: Option<usize>,
    /// Further proved configurations, outside the sample: they are in no ranking.
    pub beyond: Vec<Row>,
    /// True if these are all feasible configurations, false for a sample.
    pub complete: bool,
    /// The terms of the wave model that a compared configuration needs but the profile lacks.
    pub waves_lack: BTreeSet<LeftOut>,
    /// The first choice of each of [`Predictor::ALL`]; `None` if the predictor predicts no row.
    pub choices: Vec<Option<ModelChoice>>,
    /// Every pair of predictors that both rank at least 2 configurations.
    pub pairs: Vec<Pair>,
}

/// A configuration of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The values of its parameters.
    pub configuration: Configuration,
    /// The proved time, in ticks; `None` without a proof.
    pub proved: Option<Ticks>,
    /// The cost by each of [`Predictor::ALL`]; `None` if the predictor does not apply.
    pub costs: Vec<Option<PredictedCost>>,
}

impl Comparison {
    /// The index of the proved optimum's row, without a proof of the natively fastest one's.
    #[must_use]
    pub fn best(&self) -> usize {
        self.optimum.or(self.choices[0].map(|choice| choice.row)).unwrap_or(0)
    }
}

impl Row {
    /// The cost by a predictor; `None` if it does not apply.
    #[must_use]
    pub fn cost(&self, predictor: Predictor) -> Option<PredictedCost> {
        let place = Predictor::ALL.iter().position(|known| *known == predictor)?;
        self.costs.get(place).copied().flatten()
    }
}

/// The first choice of a predictor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelChoice {
    /// The index of the row: the first of the predictor's best in the space's order.
    pub row: usize,
    /// The number of other rows of equal cost.
    pub equals: usize,
    /// The native time divided by the optimum's (without a proof: by the least native time), over all orders of the
    /// rows of equal cost; `None` if one of these times is not known.
    pub relative: Option<Relative>,
}

/// The rankings of two predictors.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The two predictors.
    pub models: [Predictor; 2],
    /// The number of configurations that both rank.
    pub of: usize,
    /// Kendall's tau-b; `None` if one of them ties everything.
    pub kendall_tau: Option<f64>,
    /// Spearman's rho; `None` if one of them ties everything.
    pub spearman_rho: Option<f64>,
    /// The configuration whose ranks differ most; `None` if all ranks are equal.
    pub most: Option<Apart>,
}

/// A configuration that two predictors rank differently.
#[derive(Debug, Clone, PartialEq)]
pub struct Apart {
    /// The index of the row.
    pub row: usize,
    /// The configuration's rank by each predictor, from 1; ties have the mean of their ranks.
    pub ranks: [f64; 2],
    /// The dominating term of each predictor's cost; `None` if it is not known.
    pub terms: [Option<Term>; 2],
}

/// Compares the predictors over a selection of a kernel's configurations. `proved` has the configurations with a proved
/// time in ticks, the optimum first. Beyond the optimum, they change no ranking and no choice.
///
/// # Errors
/// If no configuration can be compared, or two values contradict each other.
pub fn compare(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    proved: &[(Configuration, Ticks)],
    selection: Selection,
) -> Result<Comparison, CompareError> {
    let optimum = proved.first().map(|(configuration, _)| configuration);
    let Chosen { cases, named: optimum, complete } = choice::choose(spec, profile, reader, optimum, selection, assess)?;
    let times: HashMap<&Configuration, Ticks> = proved.iter().map(|(one, ticks)| (one, *ticks)).collect();
    let waves_lack = cases.iter().flat_map(|(_, assessed)| assessed.waves_lack.iter().copied()).collect();
    let row = |(configuration, Assessed { costs, bounds, .. }): (Configuration, Assessed)| {
        let row = Row { proved: times.get(&configuration).copied(), configuration, costs };
        check(spec, &row, &bounds).map(|()| row)
    };
    let rows: Vec<Row> = cases.into_iter().map(row).collect::<Result<_, _>>()?;
    let compared: HashSet<&Configuration> = rows.iter().map(|row| &row.configuration).collect();
    let beyond = proved.iter().map(|(configuration, _)| configuration).filter(|one| !compared.contains(one));
    let beyond: Vec<Configuration> = beyond.cloned().collect();
    let assessed = each(spec, profile, reader, &beyond, assess)?.into_iter().map(Feasibility::feasible);
    let beyond = beyond.into_iter().zip(assessed).filter_map(|(one, assessed)| Some((one, assessed?)));
    let beyond: Vec<Row> = beyond.map(row).collect::<Result<_, _>>()?;
    let choices = (0..Predictor::ALL.len()).map(|place| first_choice(&rows, optimum, place)).collect();
    let places = (0..Predictor::ALL.len()).flat_map(|a| (a + 1..Predictor::ALL.len()).map(move |b| [a, b]));
    let mut pairs: Vec<Pair> = places.filter_map(|places| pair(&rows, places)).collect();
    explain(spec, profile, reader, &rows, &mut pairs)?;
    Ok(Comparison { rows, optimum, beyond, complete, waves_lack, choices, pairs })
}

/// The assessment of one configuration.
struct Assessed {
    costs: Vec<Option<PredictedCost>>,
    /// True for each cost that can never exceed the time.
    bounds: Vec<bool>,
    /// The terms of the wave model that the profile lacks.
    waves_lack: Vec<LeftOut>,
}

fn assess(case: &Case) -> Assessed {
    Assessed {
        costs: Predictor::ALL.into_iter().map(|model| model.predict(case).ok()).collect(),
        bounds: Predictor::ALL.into_iter().map(|model| is_lower_bound(model, case)).collect(),
        waves_lack: predict(case.profile, case.lowered).map_or(vec![], |prediction| prediction.left_out),
    }
}

/// Returns true if the cost by `model` can never exceed the machine's time.
fn is_lower_bound(model: Predictor, case: &Case) -> bool {
    match model {
        Predictor::MaxPlus(model) => is_bound(model, case.profile, &case.lowered.program),
        Predictor::Machine | Predictor::Waves | Predictor::Efficiency => false,
    }
}

/// Checks that native time, proved time and lower bounds do not contradict each other.
fn check(spec: &Spec, row: &Row, bounds: &[bool]) -> Result<(), CompareError> {
    let configuration = || spec.label(&row.configuration);
    let native = cost(row, Predictor::Machine);
    if let (Some(native), Some(proved)) = (native, row.proved)
        && native != PredictedCost::Ticks(proved.into())
    {
        return Err(CompareError::WrongTime { configuration: configuration(), native: native.into(), proved });
    }
    let Some(ticks) = native.or(row.proved.map(|ticks| PredictedCost::Ticks(ticks.into()))) else { return Ok(()) };
    for ((model, cost), is_bound) in Predictor::ALL.into_iter().zip(&row.costs).zip(bounds) {
        if let Some(bound) = cost.filter(|bound| *is_bound && bound.total_cmp(&ticks).is_gt()) {
            let (bound, ticks) = (bound.into(), ticks.into());
            return Err(CompareError::UnsoundBound { configuration: configuration(), model, bound, ticks });
        }
    }
    Ok(())
}

fn cost(row: &Row, model: Predictor) -> Option<PredictedCost> {
    let place = Predictor::ALL.iter().position(|predictor| *predictor == model)?;
    row.costs[place]
}

fn first_choice(rows: &[Row], optimum: Option<usize>, place: usize) -> Option<ModelChoice> {
    let costs = || rows.iter().enumerate().filter_map(|(row, one)| Some((row, one.costs[place]?)));
    let least = costs().map(|(_, cost)| cost).min_by(PredictedCost::total_cmp)?;
    let best: Vec<usize> = costs().filter(|(_, cost)| cost.total_cmp(&least).is_eq()).map(|(row, _)| row).collect();
    let row = *best.first()?;
    let native = |row: &Row| cost(row, Predictor::Machine);
    let optimum = match optimum.and_then(|optimum| rows[optimum].proved) {
        Some(ticks) => Some(PredictedCost::Ticks(ticks.into())),
        None => rows.iter().filter_map(native).min_by(PredictedCost::total_cmp),
    };
    let quotient = |row: &usize| Some(native(&rows[*row])?.value() / optimum?.value());
    Some(ModelChoice { row, equals: best.len() - 1, relative: Relative::new(best.iter().map(quotient)) })
}

fn pair(rows: &[Row], [a, b]: [usize; 2]) -> Option<Pair> {
    let both = |(row, one): (usize, &Row)| Some((row, one.costs[a]?.rank(), one.costs[b]?.rank()));
    let ranked: Vec<(usize, f64, f64)> = rows.iter().enumerate().filter_map(both).collect();
    if ranked.len() < 2 {
        return None;
    }
    let x: Vec<f64> = ranked.iter().map(|(_, x, _)| *x).collect();
    let y: Vec<f64> = ranked.iter().map(|(_, _, y)| *y).collect();
    let apart = ranked.iter().zip(ranks(&x)).zip(ranks(&y));
    let apart = apart.map(|(((row, ..), x), y)| Apart { row: *row, ranks: [x, y], terms: [None; 2] });
    let distance = |apart: &Apart| (apart.ranks[0] - apart.ranks[1]).abs();
    let most = apart.reduce(|most, other| if distance(&other) > distance(&most) { other } else { most });
    Some(Pair {
        models: [Predictor::ALL[a], Predictor::ALL[b]],
        of: ranked.len(),
        kendall_tau: kendall(&x, &y).map(rounded),
        spearman_rho: spearman(&x, &y).map(rounded),
        most: most.filter(|most| distance(most) > 0.0),
    })
}

/// Four digits are enough, and equal on every computer.
fn rounded(correlation: f64) -> f64 {
    (correlation * 1e4).round() / 1e4
}

/// Adds to each pair's farthest configuration the dominating terms of both costs.
fn explain(
    spec: &Spec,
    profile: &Profile,
    reader: &SourceReader,
    rows: &[Row],
    pairs: &mut [Pair],
) -> Result<(), CompareError> {
    for Pair { models, most, .. } in pairs {
        let Some(most) = most else { continue };
        let configuration = &rows[most.row].configuration;
        let terms = each(spec, profile, reader, std::slice::from_ref(configuration), |case| {
            models.map(|model| model.dominating(case))
        })?;
        most.terms = terms.into_iter().find_map(Feasibility::feasible).unwrap_or_default();
    }
    Ok(())
}

#[cfg(test)]
mod tests;
pub use error::CompareError;
