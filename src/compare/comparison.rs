//! All models side by side over a space: what each would choose, what that costs, how far their rankings agree, and where
//! and why they do not.

mod choice;

use std::collections::HashMap;

use num_traits::ToPrimitive;
use thiserror::Error;

use super::Predictor;
use super::agreement::{kendall, ranks, spearman};
use super::cross_check::is_bound;
use super::term::Term;
use crate::gpu::Profile;
use crate::space::{Case, SpaceError, each};
use crate::spec::{Configuration, Spec};

use choice::Chosen;
pub use choice::Selection;

/// The models, side by side.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// What is compared: what is proved first, in that order, then the others in the space's order.
    pub rows: Vec<Row>,
    /// Whether these are all configurations that can run; else a sample.
    pub complete: bool,
    /// Each model's first choice; none of a model that says nothing.
    pub choices: Vec<Option<ModelChoice>>,
    /// Every pair of models that rank at least two of the same configurations.
    pub pairs: Vec<Pair>,
}

/// A configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its parameters.
    pub configuration: Configuration,
    /// Its time, where SPIN proved it.
    pub proved: Option<u64>,
    /// What each of [`Predictor::ALL`] says; none where it says nothing.
    pub costs: Vec<Option<f64>>,
}

impl Row {
    /// The machine's time as a model's cost, in ticks; the proved one where there is a proof.
    #[must_use]
    pub fn cost_of_machine(&self) -> Option<f64> {
        let machine = Predictor::ALL.iter().position(|model| *model == Predictor::Machine)?;
        self.costs[machine]
    }

    /// The machine's time in ticks.
    #[must_use]
    pub fn ticks(&self) -> Option<u64> {
        self.cost_of_machine().as_ref().and_then(ToPrimitive::to_u64)
    }
}

/// What a model puts first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelChoice {
    /// The row: one that is proved if the model puts one first, else the first of its best.
    pub row: usize,
    /// How many others it puts first too.
    pub equals: usize,
    /// Its native time over that of the optimum (without a proof, of the natively fastest); none if it is not known.
    pub relative: Option<f64>,
}

/// Two rankings.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// Whose.
    pub models: [Predictor; 2],
    /// How many configurations both rank.
    pub of: usize,
    /// Kendall's tau-b; none if one of them ties everything.
    pub kendall_tau: Option<f64>,
    /// Spearman's rho, likewise.
    pub spearman_rho: Option<f64>,
    /// Where they are farthest apart; none if nowhere.
    pub most: Option<Apart>,
}

/// A configuration that two models rank differently.
#[derive(Debug, Clone, PartialEq)]
pub struct Apart {
    /// The row.
    pub row: usize,
    /// Its rank by each, from 1; ties have the mean of their ranks.
    pub ranks: [f64; 2],
    /// What each model's cost of it is mostly made of.
    pub terms: [Option<Term>; 2],
}

/// Why there is no comparison.
#[derive(Debug, Error)]
pub enum CompareError {
    /// Configurations cannot be assessed.
    #[error(transparent)]
    Analysis(#[from] SpaceError),
    /// Nothing can run; the reason of the first.
    #[error("the configuration cannot run: {0}")]
    Infeasible(String),
    /// A model or the evaluator is wrong.
    #[error("configuration {configuration} takes {ticks} ticks, below its lower bound {bound} by {}", model.name())]
    UnsoundBound {
        /// Which.
        configuration: String,
        /// Whose bound.
        model: Predictor,
        /// The bound.
        bound: f64,
        /// The time, native or proved.
        ticks: f64,
    },
    /// The evaluator or the checker is wrong.
    #[error("configuration {configuration} takes {native} ticks by the evaluator and {proved} by the proof")]
    WrongTime {
        /// Which.
        configuration: String,
        /// The evaluator's.
        native: f64,
        /// The proof's.
        proved: u64,
    },
}

/// Compares the models over a selection of a kernel's configurations; `proved` are those with a proved time, the
/// optimum first.
///
/// # Errors
/// When nothing can be compared, or when two values contradict each other.
pub fn compare(
    spec: &Spec,
    profile: &Profile,
    proved: &[(Configuration, u64)],
    selection: Selection,
) -> Result<Comparison, CompareError> {
    let first: Vec<Configuration> = proved.iter().map(|(configuration, _)| configuration.clone()).collect();
    let Chosen { cases, complete } = choice::choose(spec, profile, &first, selection, assess)?;
    let times: HashMap<&Configuration, u64> = proved.iter().map(|(one, ticks)| (one, *ticks)).collect();
    let mut rows = Vec::with_capacity(cases.len());
    for (configuration, Assessed { costs, bounds }) in cases {
        let row = Row { proved: times.get(&configuration).copied(), configuration, costs };
        check(spec, &row, &bounds)?;
        rows.push(row);
    }
    let choices = (0..Predictor::ALL.len()).map(|place| first_choice(&rows, place)).collect();
    let places = (0..Predictor::ALL.len()).flat_map(|a| (a + 1..Predictor::ALL.len()).map(move |b| [a, b]));
    let mut pairs: Vec<Pair> = places.filter_map(|places| pair(&rows, places)).collect();
    explain(spec, profile, &rows, &mut pairs)?;
    Ok(Comparison { rows, complete, choices, pairs })
}

/// What is known of one configuration.
struct Assessed {
    costs: Vec<Option<f64>>,
    /// Which of the costs can never be above the time.
    bounds: Vec<bool>,
}

fn assess(case: &Case) -> Assessed {
    Assessed {
        costs: Predictor::ALL.into_iter().map(|model| model.predict(case).ok()).collect(),
        bounds: Predictor::ALL.into_iter().map(|model| is_lower_bound(model, case)).collect(),
    }
}

/// Whether a model's cost can never exceed the machine's time.
fn is_lower_bound(model: Predictor, case: &Case) -> bool {
    match model {
        Predictor::MaxPlus(model) => is_bound(model, case.profile, &case.lowered.program),
        Predictor::Machine | Predictor::Waves | Predictor::Efficiency => false,
    }
}

/// Nothing that is sound contradicts anything else that is.
fn check(spec: &Spec, row: &Row, bounds: &[bool]) -> Result<(), CompareError> {
    let configuration = || spec.label(&row.configuration);
    let native = cost(row, Predictor::Machine);
    if let (Some(native), Some(proved)) = (native, row.proved)
        && Some(native) != proved.to_f64()
    {
        return Err(CompareError::WrongTime { configuration: configuration(), native, proved });
    }
    let Some(ticks) = native.or_else(|| row.proved?.to_f64()) else { return Ok(()) };
    for ((model, cost), is_bound) in Predictor::ALL.into_iter().zip(&row.costs).zip(bounds) {
        if let Some(bound) = cost.filter(|bound| *is_bound && *bound > ticks) {
            return Err(CompareError::UnsoundBound { configuration: configuration(), model, bound, ticks });
        }
    }
    Ok(())
}

fn cost(row: &Row, model: Predictor) -> Option<f64> {
    let place = Predictor::ALL.iter().position(|one| *one == model)?;
    row.costs[place]
}

fn first_choice(rows: &[Row], place: usize) -> Option<ModelChoice> {
    let costs = || rows.iter().enumerate().filter_map(|(row, one)| Some((row, one.costs[place]?)));
    let least = costs().map(|(_, cost)| cost).reduce(f64::min)?;
    // What is proved comes first among the rows, the optimum before all.
    let best: Vec<usize> = costs().filter(|(_, cost)| cost.total_cmp(&least).is_eq()).map(|(row, _)| row).collect();
    let row = *best.first()?;
    let native = rows.iter().filter_map(|row| cost(row, Predictor::Machine));
    let optimum = rows[0].proved.and_then(|ticks| ticks.to_f64()).or_else(|| native.reduce(f64::min));
    let relative = cost(&rows[row], Predictor::Machine).zip(optimum).map(|(ticks, optimum)| ticks / optimum);
    Some(ModelChoice { row, equals: best.len() - 1, relative })
}

fn pair(rows: &[Row], [a, b]: [usize; 2]) -> Option<Pair> {
    let both = |(row, one): (usize, &Row)| Some((row, one.costs[a]?, one.costs[b]?));
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

/// Four digits say all that is of interest, on every machine the same.
fn rounded(correlation: f64) -> f64 {
    (correlation * 1e4).round() / 1e4
}

/// Tells of each pair's farthest configuration what the two costs are made of.
fn explain(spec: &Spec, profile: &Profile, rows: &[Row], pairs: &mut [Pair]) -> Result<(), CompareError> {
    for Pair { models, most, .. } in pairs {
        let Some(most) = most else { continue };
        let configuration = &rows[most.row].configuration;
        let terms = each(spec, profile, std::slice::from_ref(configuration), |case| {
            models.map(|model| model.dominating(case))
        })?;
        most.terms = terms.into_iter().flatten().next().unwrap_or_default();
    }
    Ok(())
}

#[cfg(test)]
mod tests;
