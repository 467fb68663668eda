//! The notes that measured runs make on the model.

use autotune_engine::compare::agreement::spearman;
use autotune_lowering::spec::Configuration;
use autotune_machine::correction::{Residuals, ValueResidual};

/// The statements of measured runs on the model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelNotes {
    /// The median of measured divided by predicted time; `None` without a run that succeeded.
    pub scale: Option<f64>,
    /// The rank correlation of predicted and measured times; `None` if either has a single value.
    pub spearman: Option<f64>,
    /// The residuals by values of parameters, the greatest first.
    pub residuals: Vec<ValueResidual>,
}

impl ModelNotes {
    /// The notes on runs: configuration, predicted and measured time.
    pub(super) fn of(runs: &[(&Configuration, f64, f64)]) -> Self {
        let logs: Vec<(&[i64], f64)> = runs
            .iter()
            .map(|(configuration, predicted, measured)| (configuration.0.as_slice(), (measured / predicted).ln()))
            .collect();
        let residuals = Residuals::of(&logs);
        let (predicted, measured): (Vec<f64>, Vec<f64>) =
            runs.iter().map(|(_, predicted, measured)| (*predicted, *measured)).unzip();
        Self {
            scale: residuals.as_ref().map(|residuals| residuals.scale),
            spearman: spearman(&predicted, &measured),
            residuals: residuals.map_or(Vec::new(), |residuals| residuals.by_value),
        }
    }
}
