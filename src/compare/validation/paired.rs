//! One model's predictions beside the measured times, run by run: the data of a validation's picture.

use super::{Compared, ComparedRun, Validation};
use crate::compare::Predictor;
use crate::compare::agreement::{ranks, spearman};
use crate::gpu::Profile;
use crate::spec::Configuration;

/// A model's predictions beside the measured times.
#[derive(Debug, Clone, PartialEq)]
pub struct Paired {
    /// The model.
    pub model: Predictor,
    /// The quantity that it predicts.
    pub quantity: Quantity,
    /// The runs, by problem size.
    pub sizes: Vec<PairedSize>,
}

/// The quantity that a model predicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// A time in milliseconds, comparable with what was measured.
    Milliseconds,
    /// A time in ticks of a GPU without a clock.
    Ticks,
    /// The inverse of the efficiency, from 1.
    InverseEfficiency,
}

/// The runs of one problem size.
#[derive(Debug, Clone, PartialEq)]
pub struct PairedSize {
    /// The problem sizes that the file tells.
    pub problem: Vec<(String, i64)>,
    /// Each run: its configuration, the measured milliseconds (`None` if it failed), and the prediction (`None` without one).
    pub runs: Vec<(Configuration, Option<f64>, Option<f64>)>,
    /// Measured milliseconds and predictions of the runs that have both.
    pub times: Vec<(f64, f64)>,
    /// The ranks of the same, from 1.
    pub ranks: Vec<(f64, f64)>,
    /// Spearman's rho of the two; `None` if one of them ties all runs.
    pub spearman: Option<f64>,
}

impl Validation {
    /// The predictions of the model at `place` among those that were validated.
    #[must_use]
    pub fn paired(&self, profile: &Profile, (place, model): (usize, Predictor)) -> Paired {
        let (quantity, factor) = quantity(model, profile);
        let predicted = |run: &ComparedRun| run.costs.get(place).copied().flatten().map(|cost| cost * factor);
        let sizes = self.compared.iter().map(|compared| PairedSize::of(compared, &predicted));
        Paired { model, quantity, sizes: sizes.collect() }
    }
}

impl PairedSize {
    fn of(compared: &Compared, predicted: &dyn Fn(&ComparedRun) -> Option<f64>) -> Self {
        let runs = compared.runs.iter().map(|run| (run.configuration.clone(), run.milliseconds, predicted(run)));
        let runs: Vec<_> = runs.collect();
        let times: Vec<(f64, f64)> =
            runs.iter().filter_map(|(_, time, prediction)| Some(((*time)?, (*prediction)?))).collect();
        let (measured, predictions): (Vec<f64>, Vec<f64>) = times.iter().copied().unzip();
        Self {
            problem: compared.problem.clone(),
            runs,
            times,
            ranks: ranks(&measured).into_iter().zip(ranks(&predictions)).collect(),
            spearman: spearman(&measured, &predictions),
        }
    }
}

/// The quantity of a model's costs, and the factor from a cost to it.
fn quantity(model: Predictor, profile: &Profile) -> (Quantity, f64) {
    // Times are proportional to ticks.
    const MANY: u32 = 1 << 30;
    match (model, profile.microseconds(MANY.into())) {
        (Predictor::Machine | Predictor::MaxPlus(_), Some(microseconds)) => {
            (Quantity::Milliseconds, microseconds / f64::from(MANY) / 1000.0)
        }
        (Predictor::Machine | Predictor::MaxPlus(_), None) => (Quantity::Ticks, 1.0),
        (Predictor::Waves, _) => (Quantity::Milliseconds, 1e-3),
        (Predictor::Efficiency, _) => (Quantity::InverseEfficiency, 1.0),
    }
}
