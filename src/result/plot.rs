//! The data of plots, which are shown only and never written as JSON.

use super::Values;
use crate::explain::roofline::{Roofline, RooflinePoint};

/// The plot of a comparison: times over the parameters, and the configurations under the GPU's roofs.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonPlot {
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// The compared configurations as parameter values, with the machine's times in ticks; `None` if the machine does
    /// not predict a time.
    pub times: Vec<(Vec<i64>, Option<f64>)>,
    /// The configurations under the roofs. `None` for a lockstep GPU, or if the first compared configuration does not
    /// have a time or does not use both the dispatchers and global memory.
    pub roofline: Option<RooflineReport>,
}

/// The roofs of a GPU, and the places of configurations under them.
#[derive(Debug, Clone, PartialEq)]
pub struct RooflineReport {
    /// The roofs.
    pub roofs: Roofline,
    /// The place of the first compared configuration: the optimum if it is proved.
    pub optimum: RooflinePoint,
    /// The places of the other configurations that have one.
    pub others: Vec<RooflinePoint>,
}

/// One model's predictions beside measurements.
#[derive(Debug, Clone, PartialEq)]
pub struct ValidationPlot {
    /// The kernel's name.
    pub kernel: String,
    /// The GPU's name.
    pub gpu: String,
    /// The model's name.
    pub model: &'static str,
    /// The number of measured runs.
    pub rows: usize,
    /// The number of runs that succeeded.
    pub valid: usize,
    /// The names of the parameters.
    pub parameters: Vec<String>,
    /// The quantity that the model predicts.
    pub quantity: PredictedQuantity,
    /// The amount of `quantity` that equals a cost of 1.
    pub factor: f64,
    /// The runs of each problem size.
    pub sizes: Vec<SizePlot>,
}

/// The quantity that a model predicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PredictedQuantity {
    /// A time in milliseconds, as the measured times are.
    Milliseconds,
    /// A time in ticks, of a GPU without a clock.
    Ticks,
    /// The inverse of an efficiency, without a unit.
    InverseEfficiency,
}

/// The runs of one problem size.
#[derive(Debug, Clone, PartialEq)]
pub struct SizePlot {
    /// The problem sizes by their names.
    pub problem: Values,
    /// The runs, in the order of the measurements.
    pub runs: Vec<PlottedRun>,
    /// The ranks of measured time and cost of each run that has both, counted from 1; ties have the mean of their
    /// ranks.
    pub ranks: Vec<(f64, f64)>,
    /// Spearman's rho of measured time and cost, from -1 to 1; `None` if either ties everything.
    pub rho: Option<f64>,
}

/// A measured run beside its prediction.
#[derive(Debug, Clone, PartialEq)]
pub struct PlottedRun {
    /// The values of the parameters, in the spec's order.
    pub values: Vec<i64>,
    /// The measured time in milliseconds; `None` if the run failed.
    pub milliseconds: Option<f64>,
    /// The model's cost in units of `factor`; `None` if the model does not predict this configuration.
    pub cost: Option<f64>,
}
